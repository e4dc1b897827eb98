import type { EntriesFile, ItemFiles } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data, Item } from '../../model/model.ts';
import { originsOf, withOrigins } from '../../model/origin.ts';
import { isObject } from '../../text/data.ts';
import { fromLineWord, lineWord } from '../../text/shell.ts';
import { hasReference, markReference, splitReferences, wholeReference } from '../../text/variables.ts';
import { usesField } from '../places.ts';
import { readCommand } from '../read/hooks.ts';
import { type ReadBack, withFields } from './shapes.ts';

/** The variable that a text consists of, without a default. */
function loneVariable(text: string): string | undefined {
  const reference = wholeReference(text);
  return reference?.fallback === undefined ? reference?.name : undefined;
}

/** Native fields that contain names of variables, and the portable field that each is taken from. */
const namesOf: readonly {
  readonly from: 'env' | 'headers';
  readonly to: string;
  /** The variable of a member, when the field can contain it. */
  readonly take: (key: string, value: string) => string | undefined;
  readonly form: (names: readonly (readonly [string, string])[]) => Data;
  /** The inverse: the members of a native field, with the name of the variable of each. */
  readonly read: (data: Data | undefined) => readonly (readonly [string, string])[];
}[] = [
  {
    from: 'env',
    to: 'forwarded',
    take: (key, value) => (loneVariable(value) === key ? key : undefined),
    form: names => names.map(([, name]) => name),
    read: data => strings(data).map(name => [name, markReference({ name })]),
  },
  {
    from: 'headers',
    to: 'bearerVariable',
    take: bearerVariable,
    form: ([first]) => first![1],
    read: data =>
      typeof data === 'string' ? [['Authorization', `Bearer ${markReference({ name: data })}`]] : [],
  },
  {
    from: 'headers',
    to: 'headerVariables',
    take: (_, value) => loneVariable(value),
    form: names => Object.fromEntries(names),
    read: data =>
      Object.entries(isObject(data) ? data : {}).flatMap(([header, name]) =>
        typeof name === 'string' ? [[header, markReference({ name })]] : [],
      ),
  },
];

/**
 * Moves variables to native fields for names of variables: environment variables that keep their name,
 * headers that are a single variable, and a bearer token.
 */
export function withNames(item: Item, file: EntriesFile | ItemFiles): Item {
  let named = item;
  for (const { from, to, take, form } of namesOf) {
    const members = named.fields.get(from);
    if (!isObject(members) || !usesField(file, [to])) continue;
    const variables = Object.entries(members).flatMap(([key, value]): [string, string][] => {
      const name = typeof value === 'string' ? take(key, value) : undefined;
      return name === undefined ? [] : [[key, name]];
    });
    if (variables.length === 0) continue;
    const moved = new Set(variables.map(([key]) => key));
    const remaining = Object.entries(members).filter(([key]) => !moved.has(key));
    const computed = new Set([...named.computed, to]);
    const { fields } = withFields(named, { [from]: Object.fromEntries(remaining), [to]: form(variables) });
    named = { ...named, fields, computed, ...withOrigins(named, to, originsOf(named, from)) };
  }
  return named;
}

function bearerVariable(key: string, value: string): string | undefined {
  const [scheme, reference, ...rest] = splitReferences(value);
  const isBearer = typeof scheme === 'string' && /^bearer $/i.test(scheme);
  const isAlone = key.toLowerCase() === 'authorization' && isBearer && rest.length === 0;
  if (!isAlone || typeof reference !== 'object' || reference.fallback !== undefined) return undefined;
  return reference.name;
}

/** A server in the form of a file: with its working directory, and quoted for the shell of the tool. */
export function nativeServer(item: Item, file: EntriesFile): Item {
  const started = serverInProject(item, file);
  if (!file.servers?.shell) return started;
  const [program, ...args] = strings(started.fields.get('argv')).map(lineWord);
  if (program === undefined) return started;
  return withFields(started, { program, ...(args.length > 0 && { arguments: args }) });
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
  if (root?.text !== undefined)
    return withFields(item, { cwd: directory === '' ? root.text : `${root.text}/${directory}` });
  const isNeedless = directory === '' && (root?.cwd === 'project' || usesField(file, ['cwd']));
  return isNeedless ? withFields(item, { cwd: undefined }) : item;
}

/** The folder below the root in which a server runs, empty for the root itself; `undefined` for any other. */
function belowProject(cwd: Data | undefined): string | undefined {
  if (typeof cwd !== 'string' || cwd === '' || hasReference(cwd)) return undefined;
  if (/^(?:project|\.\/?)$/.test(cwd)) return '';
  return /^[/\\~$]|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(cwd) ? undefined : cwd.replace(/^\.\/|\/+$/g, '');
}

/** The inverse of `nativeServer` and `withNames`. The form of the entry implies `transport`. */
export function portableServer(
  { fields, unknown }: ReadBack,
  transport: string | undefined,
  { shell, root }: NonNullable<EntriesFile['servers']> = {},
): ReadBack {
  for (const { from, to, read } of namesOf) {
    const members = fields.get(from);
    const named = Object.fromEntries(read(fields.get(to)));
    if (Object.keys(named).length > 0) fields.set(from, { ...(isObject(members) && members), ...named });
    fields.delete(to);
  }
  // A server is enabled by default.
  if (fields.get('disabled') === true || unknown.get('disabled') === true) fields.set('enabled', false);
  else if (fields.get('enabled') === true) fields.delete('enabled');
  const { command, args } = commandOf(fields, shell);
  const result = new Map<string, Data>();
  if (command !== undefined) result.set('command', command);
  if (args !== undefined) result.set('args', args);
  for (const [name, value] of fields) if (!computedOfServers.has(name)) result.set(name, value);
  const cwd = result.get('cwd');
  const text = root?.text;
  if (text !== undefined && typeof cwd === 'string' && (cwd === text || cwd.startsWith(`${text}/`)))
    result.set('cwd', cwd.slice(text.length + 1) || 'project');
  const implied = result.has('url') ? 'http' : 'stdio';
  if (transport !== undefined && transport !== implied) result.set('transport', transport);
  const isSaid = ([name, value]: [string, Data]) => name === 'disabled' && typeof value === 'boolean';
  return { fields: result, unknown: new Map([...unknown].filter(one => !isSaid(one))) };
}

/** The command and its arguments, in whichever field the tool has them. */
function commandOf(
  fields: ReadonlyMap<string, Data>,
  isQuoted = false,
): { readonly command?: Data | undefined; readonly args?: Data | undefined } {
  const argv = strings(fields.get('argv'));
  const line = fields.get('commandLine');
  const words = typeof line === 'string' ? (readCommand(line, undefined)?.argv ?? [line]) : [];
  const [program, ...rest] = argv.length > 0 ? argv : words;
  const command = fields.get('program') ?? program;
  const args = fields.get('arguments') ?? (rest.length > 0 ? rest : undefined);
  if (!isQuoted || command === undefined) return { command, args };
  const [first, ...others] = [...strings(command), ...strings(args)].map(fromLineWord);
  return { command: first ?? command, args: others.length > 0 ? others : undefined };
}

const computedOfServers: ReadonlySet<string> = new Set([
  'disabled',
  'argv',
  'commandLine',
  'program',
  'arguments',
  'name',
  'transport',
]);
