import type { EntriesFile } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data, Item } from '../../model/model.ts';
import { fromLineWord, lineWord } from '../../text/shell.ts';
import { hasReference } from '../../text/variables.ts';
import { usesField } from '../places.ts';
import type { ReadBack } from './shapes.ts';

/**
 * Converts a server to the form of a file: with its working directory, and quoted for the shell of the tool.
 */
export function nativeServer(item: Item, file: EntriesFile): Item {
  const started = serverInProject(item, file);
  if (!file.servers?.shell) return started;
  const { fields } = started;
  const [program, ...rest] = strings(fields.get('argv')).map(lineWord);
  if (program === undefined) return started;
  const quoted: readonly (readonly [string, Data])[] = [
    ['program', program],
    ...(rest.length > 0 ? [['arguments', rest] as const] : []),
  ];
  return { ...started, fields: new Map([...fields, ...quoted]) };
}

/**
 * Expresses that a server runs at the root of the project or below it: by the tool's own variable for the
 * root, or by a field of the tool for the folder. Nothing is needed if the tool starts servers at the root.
 * The item is unchanged if the tool supports neither, which makes `cwd` an omission, and if an overlay for
 * this tool sets the folder.
 */
export function serverInProject(item: Item, file: EntriesFile): Item {
  const { fields } = item;
  const directory = fields.get('transport') === 'stdio' ? belowProject(fields.get('cwd')) : undefined;
  if (directory === undefined || item.own?.has('cwd') || item.native?.has('cwd')) return item;
  const root = file.servers?.root;
  if (root?.text !== undefined) {
    const cwd = directory === '' ? root.text : `${root.text}/${directory}`;
    return { ...item, fields: new Map([...fields, ['cwd', cwd]]) };
  }
  const isNeedless = directory === '' && (root?.cwd === 'project' || usesField(file, ['cwd']));
  return isNeedless ? { ...item, fields: new Map([...fields].filter(([name]) => name !== 'cwd')) } : item;
}

/** The folder below the root in which a server runs, empty for the root itself; `undefined` for any other. */
function belowProject(cwd: Data | undefined): string | undefined {
  if (typeof cwd !== 'string' || cwd === '' || hasReference(cwd)) return undefined;
  if (/^(?:project|\.\/?)$/.test(cwd)) return '';
  return /^[/\\~$]|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(cwd) ? undefined : cwd.replace(/^\.\/|\/+$/g, '');
}

/** The inverse of `nativeServer`. */
export function portableServer({ fields, unknown }: ReadBack, { servers }: EntriesFile): ReadBack {
  const all = new Map(fields);
  const set = (argv: readonly string[]) => {
    const [command, ...args] = argv;
    if (command !== undefined) all.set('command', command);
    if (args.length > 0) all.set('args', args);
    else all.delete('args');
  };
  const wordsIn = () => [...strings(all.get('command')), ...strings(all.get('args'))];
  if (servers?.shell && all.has('command')) set(wordsIn().map(fromLineWord));
  const text = servers?.root?.text;
  const cwd = all.get('cwd');
  if (text !== undefined && typeof cwd === 'string' && (cwd === text || cwd.startsWith(`${text}/`)))
    all.set('cwd', cwd.slice(text.length + 1) || 'project');
  return { fields: all, unknown };
}
