import type { EntriesFile } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import { withOrigins } from '../../model/item-origins.ts';
import type { Data, Item } from '../../model/model.ts';
import { originsOf } from '../../model/origin.ts';
import { fromLineWord, lineWord, posixCommand } from '../../text/shell.ts';
import { hasReference } from '../../text/variables.ts';
import { asksFor } from '../places.ts';
import { readGitArguments } from '../read/shell.ts';
import { commandInProject } from '../write/hooks.ts';
import type { ReadBack } from './shapes.ts';

/** A server as a file has it: with its way to the project, and in words for the shell that the tool has run it. */
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
 * A server that is to run at the root of the project, or below it, in the way of a tool: with the tool's own text for
 * the root, or as a command that goes there first. Clients are started in sub-folders too, and a server starts where they
 * do. As it is where the tool has no way, where it takes the folder in a field of its own, and where the source says
 * the folder for this tool alone: then its file has the field as it is written.
 */
export function serverInProject(item: Item, file: EntriesFile): Item {
  const root = file.servers?.root;
  const { fields } = item;
  const directory = root && fields.get('transport') === 'stdio' ? belowProject(fields.get('cwd')) : undefined;
  const argv = strings(fields.get('argv'));
  const isSaid = item.own?.has('cwd') || item.native?.has('cwd');
  if (!root || directory === undefined || isSaid || argv.length === 0) return item;
  if (root.text !== undefined) {
    const cwd = directory === '' ? root.text : `${root.text}/${directory}`;
    return { ...item, fields: new Map([...fields, ['cwd', cwd]]) };
  }
  if (directory !== '' && asksFor(file, ['cwd'])) return item;
  const rest = new Map([...fields].filter(([name]) => name !== 'cwd'));
  if (root.cwd === 'project' && directory === '') return { ...item, fields: rest };
  return withCommand({ ...item, fields: rest }, commandInProject(argv, directory, root));
}

/** The folder below the root that a server is to run in, empty for the root itself; `undefined` for any other. */
function belowProject(cwd: Data | undefined): string | undefined {
  if (typeof cwd !== 'string' || cwd === '' || hasReference(cwd)) return undefined;
  if (/^(?:project|\.\/?)$/.test(cwd)) return '';
  return /^[/\\~$]|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(cwd) ? undefined : cwd.replace(/^\.\/|\/+$/g, '');
}

function withCommand(item: Item, argv: readonly string[]): Item {
  const made: readonly (readonly [string, Data])[] = [
    ['argv', argv],
    ['program', argv[0]!],
    ['arguments', argv.slice(1)],
    ['commandLine', posixCommand(argv)],
  ];
  const origins = [...originsOf(item, 'cwd'), ...originsOf(item, 'argv')];
  let changed: Item = { ...item, fields: new Map([...item.fields, ...made]) };
  for (const [field] of made) changed = { ...changed, ...withOrigins(changed, field, origins) };
  return changed;
}

/** A server in the words of the source: what `nativeServer` writes, read back. */
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
  const way = cwd === undefined && all.has('command') ? readGitArguments(wordsIn()) : undefined;
  if (way && way.rest.length > 0) {
    set(way.rest);
    all.set('cwd', way.cwd);
  }
  return { fields: all, unknown };
}
