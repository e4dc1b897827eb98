import type { EntriesFile, PermissionFacts, PermissionForm } from '../../generated/types/target.ts';
import { isDataObject, valueAt } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { dialectFor } from '../../text/permissions/dialects.ts';
import {
  kinds,
  parseSubject,
  printSubject,
  problemOf,
  type Subject,
} from '../../text/permissions/subject.ts';
import { readShape } from '../native/shape.ts';
import {
  type Decision,
  equivalentTexts,
  formOf,
  inForm,
  matchTemplate,
  placeOf,
  decisions as weakestFirst,
  withDecision,
} from '../write/permissions.ts';
import type { ListRead } from './parts.ts';

/** The forms of a kind of subjects, with the kind. */
export interface KindForm {
  readonly kind: string;
  readonly form: PermissionForm;
}

/** What the file says in the words of the tool. */
export interface PermissionText {
  readonly text: string;
  readonly decision: Decision;
  /** The kind that the form of the entry shows. */
  readonly kind?: string;
  /** Where it stands among the entries of its place. */
  readonly index: number;
}

/** A place with the forms that stand there. */
export interface Place {
  readonly at: readonly string[];
  readonly forms: KindForm[];
}

/** The order of the lists in a source: the strictest first. */
export const decisions: readonly Decision[] = [...weakestFirst].reverse();

/**
 * The permissions of a file by the forms that would write them, and the texts that no form explains. Nothing comes out wider that
 * is allowed, nothing narrower that is not. `isOther` says which texts are read as something else.
 */
export function readPermissions(
  data: Data,
  file: EntriesFile,
  facts: PermissionFacts,
  isOther: (said: PermissionText) => boolean = () => false,
): { readonly lists: ListRead[]; readonly unread: string[] } {
  const found = new Map<Decision, string[]>(decisions.map(decision => [decision, []]));
  const unread: string[] = [];
  for (const place of placesOf(kindForms(facts), file)) {
    const said = decisions.flatMap(decision => permissionTextsAt(data, place, file, facts, decision));
    for (const one of said.filter(one => !isOther(one))) {
      const subjects = subjectsOf(one, place.forms, said, facts);
      if (subjects.length === 0) unread.push(one.text);
      else found.get(one.decision)!.push(...subjects.map(printSubject));
    }
  }
  const lists = decisions.map(decision => ({
    block: 'permissions',
    key: decision,
    texts: joined([...new Set(found.get(decision))]),
  }));
  return { lists: lists.filter(({ texts }) => texts.length > 0), unread: [...new Set(unread)] };
}

/** Every form of a tool, with the kind of subjects that it is for. */
export const kindForms = (facts: PermissionFacts): readonly KindForm[] =>
  kinds.flatMap(kind => (facts[kind] ?? []).map(form => ({ kind, form })));

/** The places of forms with those that stand there. */
export function placesOf(forms: readonly KindForm[], file: EntriesFile): Iterable<Place> {
  const places = new Map<string, Place>();
  for (const one of forms) {
    const at = placeOf(one.form, file).map(key => key.replaceAll('{in}', one.form.in ?? ''));
    const key = JSON.stringify(at);
    const place = places.get(key) ?? { at, forms: [] };
    place.forms.push(one);
    places.set(key, place);
  }
  return places.values();
}

/** What stands at a place for a decision. */
export function permissionTextsAt(
  data: Data,
  { at, forms }: Pick<Place, 'at' | 'forms'>,
  file: EntriesFile,
  facts: PermissionFacts,
  decision: Decision,
): PermissionText[] {
  const word = facts.decisions[decision];
  if (word === undefined) return [];
  // A tool with one decision alone says nothing of it.
  const isAlone = decisions.every(one => one === decision || facts.decisions[one] === undefined);
  const byPlace = isAlone || at.some(key => key.includes('{decision}'));
  const value = valueAt(
    data,
    at.map(key => key.replaceAll('{decision}', String(word))),
  );
  const isSame = (found: Data | undefined) => byPlace || found === word;
  // A text may hold its decision: one that is of no decision is told with the first.
  const telling = forms.flatMap(({ form }) =>
    [form.text ?? []].flat().filter(text => text.includes('{decision}')),
  );
  const inText = (text: string) => {
    if (telling.length === 0) return undefined;
    const isOf = (one: Decision) =>
      telling.some(template => matchTemplate(withDecision(template, one, facts), text));
    return isOf(decision) || (decision === decisions[0] && !decisions.some(isOf));
  };
  if (file.collect === 'map') {
    // A word in the place of a map is about everything.
    if (value === word && at.length > 1) return [{ text: '*', decision, index: 0 }];
    return Object.entries(isDataObject(value) ? value : {}).flatMap(([text, entry], index) =>
      isSame(readShape(file.entry, entry)[0]?.fields.get('decision')) ? [{ text, decision, index }] : [],
    );
  }
  const shapes = file.variants ? Object.entries(file.variants) : [[undefined, file.entry] as const];
  return (Array.isArray(value) ? value : []).flatMap((entry: Data, index) => {
    for (const [kind, shape] of shapes) {
      const [match] = readShape(shape, entry);
      const text = match?.fields.get('text');
      const isWhole = match !== undefined && match.unknown.size === 0 && match.score > 0;
      if (!isWhole || typeof text !== 'string') continue;
      const isHere = inText(text) ?? isSame(match.fields.get('decision'));
      return isHere ? [{ text, decision, index, ...(kind !== undefined && { kind }) }] : [];
    }
    return [];
  });
}

/** What a text of the tool is about; nothing when no form explains it. */
function subjectsOf(
  { text, decision, kind: own }: PermissionText,
  forms: readonly KindForm[],
  all: readonly PermissionText[],
  facts: PermissionFacts,
): Subject[] {
  for (const { kind, form } of forms) {
    if (own !== undefined && own !== kind) continue;
    if (form.only && !form.only.includes(decision)) continue;
    if (text === form.whole) return [{ kind, pattern: kind === 'read' || kind === 'write' ? '**' : '*' }];
    const patterns = patternsIn(text, kind, form, decision, facts);
    const subjects = patterns.map(pattern => ({ kind, pattern }));
    if (subjects.length === 0 || subjects.some(subject => problemOf(subject) !== undefined)) continue;
    // Where it takes several texts to say something, one alone allows less.
    const isSaid = (other: string) => all.some(one => one.text === other && one.decision === decision);
    const several = Array.isArray(form.text) || dialectFor(form.as ?? 'same', kind)?.together;
    if (several && decision === 'allow' && !subjects.every(one => inForm(one, form)?.texts.every(isSaid)))
      continue;
    return subjects;
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
    if (parts) return [pattern.replace(/\{(\w+)\}/g, (_, name: string) => parts[name] ?? '')];
  }
  for (const template of [form.text ?? []].flat()) {
    const parts = matchTemplate(withDecision(template, decision, facts), text);
    if (!parts) continue;
    if (kind === 'mcp')
      return [form.tools === 'all' ? (parts.server ?? '') : `${parts.server ?? ''}/${parts.tool ?? ''}`];
    const read = dialectFor(form.as ?? 'same', kind)?.read(parts.pattern ?? '', decision === 'allow') ?? [];
    if (read.length > 0) return read;
  }
  return [];
}

/**
 * What several texts say together: a name at the root, and the same below any folder, is the name anywhere; a command with
 * whatever follows is the command alone as well.
 */
function joined(subjects: readonly string[]): string[] {
  const all = new Set(subjects);
  const deeper = (text: string, between: string) => text.replace(/^(\w+:)/, `$1${between}`);
  return subjects.flatMap(text => {
    if (all.has(`${text} *`) && text.startsWith('shell:')) return [];
    const { kind, pattern } = parseSubject(text)!;
    const rest = `${kind}:${pattern.slice('*/**/'.length)}`;
    if (pattern.startsWith('*/**/') && all.has(rest)) return [];
    return all.has(deeper(text, '*/**/')) ? [deeper(text, '**/')] : [text];
  });
}

/** The permissions of a tool's file that come out of a compile as they stand there, and how many texts stay there alone. */
export function carryPermissions(
  data: Data,
  file: EntriesFile,
  facts: PermissionFacts,
): { readonly lists: readonly ListRead[]; readonly taken: number; readonly left: readonly string[] } {
  const there = new Map<string, Set<string>>();
  for (const place of placesOf(kindForms(facts), file))
    for (const decision of decisions)
      for (const { text } of permissionTextsAt(data, place, file, facts, decision)) {
        const key = JSON.stringify([place.at, decision]);
        there.set(key, (there.get(key) ?? new Set()).add(text));
      }
  const covered = new Set<string>();
  const lists = readPermissions(data, file, facts).lists.map(list => {
    const decision = decisions.find(one => one === list.key)!;
    const texts = list.texts.filter(subject => {
      const about = parseSubject(subject)!;
      const formed = formOf(about, decision, facts);
      if (!formed) return false;
      const at = placeOf(formed.form, file).map(key => key.replaceAll('{in}', formed.form.in ?? ''));
      const place = JSON.stringify([at, decision]);
      const isThere = (text: string) => there.get(place)?.has(text) === true;
      const exact = formed.texts.map(text => withDecision(text, decision, facts));
      const other =
        exact.length === 1 && file.collect === 'list'
          ? equivalentTexts(about, formed.form).find(isThere)
          : undefined;
      const written = exact.every(isThere) || other === undefined ? exact : [other];
      if (!written.every(isThere)) return false;
      for (const text of written) covered.add(`${place}\0${text}`);
      return true;
    });
    return { ...list, texts };
  });
  const left = [...there].flatMap(([place, texts]) =>
    [...texts].filter(text => !covered.has(`${place}\0${text}`)),
  );
  return {
    lists: lists.filter(({ texts }) => texts.length > 0),
    taken: covered.size,
    left: [...new Set(left)],
  };
}
