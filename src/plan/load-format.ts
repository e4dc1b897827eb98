import type { SharedFile } from '../kinds/output.ts';
import type { SharedFormat } from './shared-format.ts';
import { jsonFormat } from './shared-json.ts';
import { blockFormat, linesFormat } from './shared-lines.ts';
import { yamlFormat } from './shared-yaml.ts';

const formats = {
  json: jsonFormat,
  jsonc: jsonFormat,
  lines: linesFormat,
  block: blockFormat,
  yaml: yamlFormat,
};

/** The editor for a format. The large TOML library is loaded on demand. */
export const loadFormat = async (format: SharedFile['format']): Promise<SharedFormat> =>
  format === 'toml' ? (await import('./shared-toml.ts')).tomlFormat : formats[format];
