import type { EntriesFile, PermissionFacts, PermissionForm } from '../../generated/types/target.ts';
import { valueAt } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { groupBy } from '../../text/group.ts';
import { dialectFor } from '../../text/permissions/dialects.ts';
import { parseSubject, patternProblem, printSubject, type Subject } from '../../text/permissions/subject.ts';
import { readShape, type ShapeMatch, shapesOf } from '../native/shapes.ts';
import { usesField } from '../places.ts';
import {
  type DecidedForm,
  type Decision,
  fillTemplate,
  formsFor,
  hasPermissions,
  matchTemplate,
  nameIn,
  type PermissionPlace,
  textsOf,
  toolPermission,
  decisions as weakestFirst,
  wildcardOf,
} from '../write/permissions.ts';
import type { ItemsRead, ListRead } from './parts.ts';

interface PermissionText {
  readonly at: readonly string[];
  readonly text: string;
  readonly decision: Decision;
  /** The forms of its place for the decision. */
  readonly forms: readonly DecidedForm[];
  /** The kind that the form of the entry implies. */
  readonly kind?: string;
  /** Its index among the entries of its place. */
  readonly index: number;
}

/** The order of the lists in a source: the strictest first. */
const decisions: readonly Decision[] = [...weakestFirst].reverse();

/**
 * Reads the permissions of a file by the forms that would write them, and the texts that no form explains.
 * The result never allows more, and never denies less, than the file. `isOther` says which texts have another
 * meaning.
 */
export function readPermissions(
  data: Data,
  file: PermissionPlace,
  isOther: (permissions: PermissionText) => boolean = () => false,
): { readonly lists: ListRead[]; readonly unread: string[] } {
  const found = new Map<Decision, Set<string>>(decisions.map(decision => [decision, new Set()]));
  const unread = new Set<string>();
  const permissions = permissionTexts(data, file);
  const texts = new Set(permissions.map(keyOf));
  for (const one of permissions.filter(one => !isOther(one))) {
    const subjects = subjectsOf(one, texts);
    if (subjects.length === 0) unread.add(one.text);
    for (const subject of subjects) found.get(one.decision)!.add(printSubject(subject));
  }
  const lists = [...found].map(([key, subjects]) => ({
    block: 'permissions',
    key,
    texts: joined(subjects),
  }));
  return { lists: lists.filter(({ texts }) => texts.length > 0), unread: [...unread] };
}

/** All permission texts of a file, the strictest first. */
const permissionTexts = (data: Data, file: PermissionPlace): PermissionText[] =>
  decisions.flatMap(decision => {
    const places = groupBy(formsFor(file, decision), ({ at }) => JSON.stringify(at));
    return [...places.values()].flatMap(forms => textsAt(data, forms, file, decision));
  });

function textsAt(
  data: Data,
  forms: readonly [DecidedForm, ...DecidedForm[]],
  file: PermissionPlace,
  decision: Decision,
): PermissionText[] {
  const [{ at, decidedBy }] = forms;
  const value = valueAt(data, at);
  const word = file.permissions.decisions[decision];
  const base = { forms, at, decision };
  const isDecided = (text: string, { fields }: Pick<ShapeMatch, 'fields'>) =>
    decidedBy === 'text'
      ? decisionIn(text, file) === decision
      : decidedBy === 'place' || fields.get('decision') === word;
  if (file.collect === 'map') {
    // A string in place of a map applies to everything.
    if (value === word && at.length > 1) return [{ ...base, text: '*', index: 0 }];
    return Object.entries(isObject(value) ? value : {}).flatMap(([text, entry], index) =>
      readShape(file.entry, entry).some(match => isDecided(text, match)) ? [{ ...base, text, index }] : [],
    );
  }
  return (Array.isArray(value) ? value : []).flatMap((entry: Data, index): PermissionText[] => {
    for (const { kind, shape } of shapesOf(file)) {
      const [match] = readShape(shape, entry);
      const text = match?.fields.get('text');
      if (!match || match.unknown.size > 0 || match.score <= 0 || typeof text !== 'string') continue;
      return isDecided(text, match) ? [{ ...base, text, index, ...(kind !== undefined && { kind }) }] : [];
    }
    return [];
  });
}

/** The decision that a text contains. A text that no form explains counts for the strictest. */
const decisionIn = (text: string, file: PermissionPlace): Decision =>
  decisions.find(decision =>
    formsFor(file, decision).some(({ form }) =>
      [form.text ?? []].flat().some(template => matchTemplate(template, text)),
    ),
  ) ?? decisions[0]!;

const keyOf = ({ at, decision, text }: Pick<PermissionText, 'at' | 'decision' | 'text'>): string =>
  JSON.stringify([at, decision, text]);

/** The subjects of a native text by the first form that explains it. `all` are the keys of all texts. */
function subjectsOf(permission: PermissionText, all: ReadonlySet<string>): Subject[] {
  const { text, decision, kind: own, forms } = permission;
  for (const { kind, form } of forms) {
    if ((own !== undefined && own !== kind) || form.only?.includes(decision) === false) continue;
    if (text === form.whole) return [{ kind, pattern: wildcardOf(kind) }];
    const patterns = patternsIn(text, kind, form, decision);
    const subjects = patterns.map(pattern => ({ kind, pattern }));
    if (subjects.length === 0 || subjects.some(subject => patternProblem(subject) !== undefined)) continue;
    // When a permission needs several texts, a single one allows less.
    const isSeveral = Array.isArray(form.text) || dialectFor(form.as ?? 'same', kind)?.together;
    const isThere = (other: string) => all.has(keyOf({ ...permission, text: other }));
    const isWhole = subjects.every(subject => textsOf(subject, form)?.texts.every(isThere));
    if (!isSeveral || decision !== 'allow' || isWhole) return subjects;
  }
  return [];
}

function patternsIn(text: string, kind: string, form: PermissionForm, decision: Decision): readonly string[] {
  for (const [template, pattern] of Object.entries(form.alsoRead ?? {})) {
    const parts = matchTemplate(template, text);
    if (parts) return [fillTemplate(pattern, parts)];
  }
  for (const template of [form.text ?? []].flat()) {
    const parts = matchTemplate(template, text);
    if (!parts) continue;
    const { server = '', tool = '', pattern = '' } = parts;
    if (kind === 'mcp') return [form.tools === 'all' ? server : `${server}/${tool}`];
    const read = dialectFor(form.as ?? 'same', kind)?.read(pattern, decision === 'allow') ?? [];
    if (read.length > 0) return read;
  }
  return [];
}

/**
 * Combines subjects that belong together: a name at the root and in any folder is the name anywhere; a
 * command with any arguments includes the command without arguments.
 */
function joined(subjects: ReadonlySet<string>): string[] {
  return [...subjects].flatMap(text => {
    if (text.startsWith('shell:') && subjects.has(`${text} *`)) return [];
    const { kind, pattern } = parseSubject(text)!;
    if (pattern.startsWith('*/**/') && subjects.has(`${kind}:${pattern.slice('*/**/'.length)}`)) return [];
    return [subjects.has(`${kind}:*/**/${pattern}`) ? `${kind}:**/${pattern}` : text];
  });
}

/** The permissions of a file that a compile reproduces unchanged, and the texts that must stay. */
export function convertPermissions(
  data: Data,
  file: PermissionPlace,
): { readonly lists: readonly ListRead[]; readonly taken: number; readonly left: readonly string[] } {
  const present = new Map(permissionTexts(data, file).map(one => [keyOf(one), one.text]));
  const covered = new Set<string>();
  const lists = readPermissions(data, file).lists.map(list => {
    const decision = decisions.find(one => one === list.key)!;
    const texts = list.texts.filter(subject => {
      const native = toolPermission(parseSubject(subject)!, decision, file);
      if (!native) return false;
      const keyAt = (text: string) => keyOf({ at: native.at, decision, text });
      const exact = native.texts.map(keyAt);
      const equivalents = file.collect === 'list' ? native.equivalents.map(keyAt) : [];
      const written = [exact, ...equivalents.map(key => [key])].find(keys =>
        keys.every(key => present.has(key)),
      );
      for (const key of written ?? []) covered.add(key);
      return written !== undefined;
    });
    return { ...list, texts };
  });
  return {
    lists: lists.filter(({ texts }) => texts.length > 0),
    taken: covered.size,
    left: [...new Set([...present].flatMap(([key, text]) => (covered.has(key) ? [] : [text])))],
  };
}

export interface PlaceRead extends ItemsRead {
  readonly place: EntriesFile;
}

/** A permission about a tool of a server in the file, `*` for all of them. */
interface ServerPermission extends PermissionText {
  readonly server: string;
  readonly tool: string;
}

/**
 * Moves permissions about tools of servers to the servers. A denied tool becomes disabled. If all tools of a
 * server are denied except named ones, these become the enabled tools.
 */
export function withServerTools(data: Data, reads: readonly PlaceRead[]): readonly PlaceRead[] {
  const servers = reads.filter(({ place }) => place.of === 'mcpServers');
  const permissionPlace = reads
    .map(({ place }) => place)
    .filter(hasPermissions)
    .find(({ of, permissions }) => of === 'permissions' && permissions.mcp);
  if (!permissionPlace) return reads;
  // The longest name first, because a name can be the beginning of another one.
  const keys = servers
    .flatMap(({ items }) => items.map(({ key }) => key))
    .sort((a, b) => b.length - a.length);
  const texts = permissionTexts(data, permissionPlace).flatMap(text => serverPermission(text, keys) ?? []);
  const hasField = (field: string) => servers.some(({ place }) => usesField(place, [field]));
  const moved = new Set<string>();
  const fields = new Map<string, [string, Data][]>();
  for (const key of keys) {
    const about = texts.filter(({ server }) => server === key);
    const denied = about.filter(({ tool, decision }) => tool !== '*' && decision === 'deny');
    const disabled = hasField('disabledTools') ? [] : denied;
    const enabled = hasField('enabledTools') ? [] : enabledIn(about, permissionPlace.permissions.wins);
    const denial = enabled.length > 0 ? about.filter(({ tool }) => tool === '*') : [];
    // An allowed tool is more than an enabled one, so its permission stays.
    for (const one of [...disabled, ...enabled, ...denial])
      if (one.decision !== 'allow') moved.add(keyOf(one));
    const lists = Object.entries({ disabledTools: disabled, enabledTools: enabled });
    fields.set(
      key,
      lists.flatMap(([field, listed]) =>
        listed.length > 0 ? [[field, listed.map(({ tool }) => tool)]] : [],
      ),
    );
  }
  return reads.map(read => {
    if (read.place === permissionPlace && moved.size > 0)
      return { ...read, ...readPermissions(data, permissionPlace, text => moved.has(keyOf(text))) };
    if (!servers.includes(read)) return read;
    const items = read.items.map(item => ({
      ...item,
      fields: new Map([...item.fields, ...(fields.get(item.key) ?? [])]),
    }));
    return { ...read, items };
  });
}

/** The tools that remain by the precedence of entries when all tools of the server are denied. */
function enabledIn(
  about: readonly ServerPermission[],
  wins: PermissionFacts['wins'],
): readonly ServerPermission[] {
  const [denial, second] = about.filter(({ tool }) => tool === '*');
  // A second entry about all tools would also apply to some of these.
  if (denial?.decision !== 'deny' || second || (wins !== 'last' && wins !== 'first')) return [];
  const counts = ({ index }: ServerPermission) =>
    wins === 'last' ? index > denial.index : index < denial.index;
  return about
    .filter(one => one.tool !== '*' && one.decision !== 'deny' && counts(one))
    .sort((a, b) => a.index - b.index);
}

/** The server and tool that a permission is about; `undefined` for another subject. */
function serverPermission(
  permission: PermissionText,
  servers: readonly string[],
): ServerPermission | undefined {
  const forms = permission.forms.filter(({ kind }) => kind === 'mcp');
  for (const { form } of (permission.kind ?? 'mcp') === 'mcp' ? forms : [])
    for (const server of servers) {
      const tool = toolIn(permission.text, form, server);
      if (tool !== undefined) return { ...permission, server, tool };
    }
  return undefined;
}

/** The tool that a text is about, `*` for all tools of the server; `undefined` for another subject. */
function toolIn(text: string, form: PermissionForm, server: string): string | undefined {
  for (const template of [form.text ?? []].flat()) {
    const own = template.replaceAll('{server}', () => nameIn(form, server));
    if (form.tools === 'all' && text === own) return '*';
    const tool = form.tools === 'all' ? undefined : matchTemplate(own, text)?.tool;
    if (tool !== undefined && !tool.includes('*')) return tool;
  }
  return undefined;
}
