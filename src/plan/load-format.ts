import type { SharedFile } from '../kinds/output.ts';
import type { SharedFormat } from './shared-format.ts';

/** The editor for a format; the library behind it is loaded now and not before. */
export async function loadFormat(format: SharedFile['format']): Promise<SharedFormat> {
  switch (format) {
    case 'json':
    case 'jsonc':
      return (await import('./shared-json.ts')).jsonFormat;
    case 'toml':
      return (await import('./shared-toml.ts')).tomlFormat;
    case 'lines':
      return (await import('./shared-lines.ts')).linesFormat;
    case 'block':
      return (await import('./shared-lines.ts')).blockFormat;
    case 'yaml':
      return (await import('./shared-yaml.ts')).yamlFormat;
  }
}
