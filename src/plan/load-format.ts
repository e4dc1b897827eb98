import type { SharedFile } from '../kinds/output.ts';
import type { SharedFormat } from './shared-format.ts';
import { jsonFormat } from './shared-json.ts';
import { blockFormat, linesFormat } from './shared-lines.ts';
import { yamlFormat } from './shared-yaml.ts';

/** The editor for a format. The large TOML library is loaded on demand. */
export async function loadFormat(format: SharedFile['format']): Promise<SharedFormat> {
  switch (format) {
    case 'json':
    case 'jsonc':
      return jsonFormat;
    case 'toml':
      return (await import('./shared-toml.ts')).tomlFormat;
    case 'lines':
      return linesFormat;
    case 'block':
      return blockFormat;
    case 'yaml':
      return yamlFormat;
  }
}
