import type { PermissionFacts, PermissionForm } from '../../generated/types/target.ts';
import { valueAt } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { dialectFor } from '../../text/permissions/dialects.ts';
import {
  kinds,
  parseSubject,
  patternProblem,
  printSubject,
  type Subject,
} from '../../text/permissions/subject.ts';
import { readShape } from '../native/shapes.ts';
import {
  type Decision,
  fillTemplate,
  matchTemplate,
  type PermissionPlace,
  textsOf,
  toolPermission,
  decisions as weakestFirst,
  wildcardOf,
  withDecision,
} from '../write/permissions.ts';
import type { ListRead } from './parts.ts';

/** The permission forms at one place of a file. */
interface PlacedForms {
  readonly at: readonly string[];
  readonly forms: { readonly kind: string; readonly form: PermissionForm }[];
}

/** A native permission text of a file. */
export interface PermissionText extends PlacedForms {
  readonly text: string;
  readonly decision: Decision;
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
  isOther: (said: PermissionText) => boolean = () => false,
): { readonly lists: ListRead[]; readonly unread: string[] } {
  const found = new Map<Decision, Set<string>>(decisions.map(decision => [decision, new Set()]));
  const unread = new Set<string>();
  const said = permissionTexts(data, file);
  const texts = new Set(said.map(keyOf));
  for (const one of said.filter(one => !isOther(one))) {
    const subjects = subjectsOf(one, texts, file.permissions);
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

/** All permission texts of a file, place by place, the strictest first. */
export function permissionTexts(data: Data, file: PermissionPlace): PermissionText[] {
  const { permissions: facts } = file;
  const places = new Map<string, PlacedForms>();
  for (const kind of kinds)
    for (const form of facts[kind] ?? []) {
      const at = (form.at ?? file.at ?? []).map(key => key.replaceAll('{in}', form.in ?? ''));
      const place = places.get(JSON.stringify(at)) ?? { at, forms: [] };
      places.set(JSON.stringify(at), place);
      place.forms.push({ kind, form });
    }
  return [...places.values()].flatMap(place =>
    decisions.flatMap(decision =>
      facts.decisions[decision] === undefined ? [] : textsAt(data, place, file, decision),
    ),
  );
}

function textsAt(
  data: Data,
  place: PlacedForms,
  file: PermissionPlace,
  decision: Decision,
): PermissionText[] {
  const { permissions: facts } = file;
  const at = place.at.map(key => withDecision(key, decision, facts));
  const value = valueAt(data, at);
  const word = facts.decisions[decision];
  // A tool with a single decision does not write it.
  const isAlone = Object.values(facts.decisions).filter(one => one !== undefined).length === 1;
  const isByPlace = isAlone || place.at.some(key => key.includes('{decision}'));
  const base = { forms: place.forms, at, decision };
  if (file.collect === 'map') {
    // A string in place of a map applies to everything.
    if (value === word && at.length > 1) return [{ ...base, text: '*', index: 0 }];
    return Object.entries(isObject(value) ? value : {}).flatMap(([text, entry], index) =>
      isByPlace || readShape(file.entry, entry)[0]?.fields.get('decision') === word
        ? [{ ...base, text, index }]
        : [],
    );
  }
  const shapes = file.variants ? Object.entries(file.variants) : [[undefined, file.entry] as const];
  return (Array.isArray(value) ? value : []).flatMap((entry: Data, index): PermissionText[] => {
    for (const [kind, shape] of shapes) {
      const [match] = readShape(shape, entry);
      const text = match?.fields.get('text');
      if (!match || match.unknown.size > 0 || match.score <= 0 || typeof text !== 'string') continue;
      const isHere =
        decisionInText(text, decision, place, facts) ?? (isByPlace || match.fields.get('decision') === word);
      return isHere ? [{ ...base, text, index, ...(kind !== undefined && { kind }) }] : [];
    }
    return [];
  });
}

/**
 * Whether a text contains this decision, in forms that contain one. A text without any decision counts for
 * the first.
 */
function decisionInText(
  text: string,
  decision: Decision,
  { forms }: PlacedForms,
  facts: PermissionFacts,
): boolean | undefined {
  const templates = forms.flatMap(({ form }) => form.text ?? []).filter(one => one.includes('{decision}'));
  if (templates.length === 0) return undefined;
  const isOf = (one: Decision) =>
    templates.some(template => matchTemplate(withDecision(template, one, facts), text));
  return isOf(decision) || (decision === decisions[0] && !decisions.some(isOf));
}

const keyOf = ({ at, decision, text }: Pick<PermissionText, 'at' | 'decision' | 'text'>): string =>
  JSON.stringify([at, decision, text]);

/**
 * The subjects of a native text; empty when no form explains it. `all` are the keys of all texts in the file.
 */
function subjectsOf(said: PermissionText, all: ReadonlySet<string>, facts: PermissionFacts): Subject[] {
  const { text, decision, kind: own, forms } = said;
  for (const { kind, form } of forms) {
    if ((own !== undefined && own !== kind) || form.only?.includes(decision) === false) continue;
    if (text === form.whole) return [{ kind, pattern: wildcardOf(kind) }];
    const patterns = patternsIn(text, kind, form, decision, facts);
    const subjects = patterns.map(pattern => ({ kind, pattern }));
    if (subjects.length === 0 || subjects.some(subject => patternProblem(subject) !== undefined)) continue;
    // When a permission needs several texts, a single one allows less.
    const isSeveral = Array.isArray(form.text) || dialectFor(form.as ?? 'same', kind)?.together;
    const isThere = (other: string) => all.has(keyOf({ ...said, text: other }));
    const isWhole = subjects.every(subject => textsOf(subject, form)?.texts.every(isThere));
    if (!isSeveral || decision !== 'allow' || isWhole) return subjects;
  }
  return [];
}

function patternsIn(
  text: string,
  kind: string,
  form: PermissionForm,
  decision: Decision,
  facts: PermissionFacts,
): readonly string[] {
  for (const [template, pattern] of Object.entries(form.alsoRead ?? {})) {
    const parts = matchTemplate(template, text);
    if (parts) return [fillTemplate(pattern, parts)];
  }
  for (const template of [form.text ?? []].flat()) {
    const parts = matchTemplate(withDecision(template, decision, facts), text);
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

/**
 * The permissions of a file that a compile reproduces unchanged, and the number of texts that must stay in
 * the file.
 */
export function convertPermissions(
  data: Data,
  file: PermissionPlace,
): { readonly lists: readonly ListRead[]; readonly taken: number; readonly left: readonly string[] } {
  const there = new Map(permissionTexts(data, file).map(one => [keyOf(one), one.text]));
  const covered = new Set<string>();
  const lists = readPermissions(data, file).lists.map(list => {
    const decision = decisions.find(one => one === list.key)!;
    const texts = list.texts.filter(subject => {
      const said = toolPermission(parseSubject(subject)!, decision, file);
      if (!said) return false;
      const keyAt = (text: string) => keyOf({ at: said.at, decision, text });
      const exact = said.texts.map(keyAt);
      const equivalents = file.collect === 'list' ? said.equivalents.map(keyAt) : [];
      const written = [exact, ...equivalents.map(key => [key])].find(keys =>
        keys.every(key => there.has(key)),
      );
      for (const key of written ?? []) covered.add(key);
      return written !== undefined;
    });
    return { ...list, texts };
  });
  return {
    lists: lists.filter(({ texts }) => texts.length > 0),
    taken: covered.size,
    left: [...new Set([...there].flatMap(([key, text]) => (covered.has(key) ? [] : [text])))],
  };
}
