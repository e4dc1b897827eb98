import type { EntriesFile, ItemFiles, TargetSpec, Variables } from '../../generated/types/target.ts';
import { isDataObject } from '../../model/data.ts';
import { withOrigins } from '../../model/item-origins.ts';
import type { Data, Item, Text } from '../../model/model.ts';
import { originsOf } from '../../model/origin.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { plainText, replaceText } from '../../text/traced.ts';
import {
  hasReference,
  loneReference,
  markReference,
  type Reference,
  readableText,
  splitReferences,
  writeReferences,
  writtenReference,
} from '../../text/variables.ts';
import type { Omissions } from '../omissions.ts';
import type { UnwrittenReference } from '../output.ts';
import { usesField } from '../places.ts';
import type { ImportedItem } from '../read/items.ts';

const holdsReference = (data: Data | undefined): boolean => {
  if (typeof data === 'string') return hasReference(data);
  return typeof data === 'object' && data !== null && Object.values(data).some(holdsReference);
};

/** The variable that a text is, without a default. */
function loneVariable(text: string): string | undefined {
  const reference = loneReference(text);
  return reference?.fallback === undefined ? reference?.name : undefined;
}

/** Fields that some files have for names of variables, each with where it is taken from. */
const namesOf: readonly {
  readonly from: 'env' | 'headers';
  readonly to: string;
  /** The variable of a member, where the field can take it. */
  readonly take: (key: string, value: string) => string | undefined;
  readonly form: (names: readonly (readonly [string, string])[]) => Data;
}[] = [
  {
    from: 'env',
    to: 'forwarded',
    take: (key, value) => (loneVariable(value) === key ? key : undefined),
    form: names => names.map(([, name]) => name),
  },
  { from: 'headers', to: 'bearerVariable', take: bearerVariable, form: ([first]) => first![1] },
  {
    from: 'headers',
    to: 'headerVariables',
    take: (_, value) => loneVariable(value),
    form: names => Object.fromEntries(names),
  },
];

/**
 * The item with what a file takes as names of variables in fields of their own: variables of the program that keep
 * their name, headers that are one variable, and a bearer token.
 */
export function withNames(item: Item, file: EntriesFile | ItemFiles): Item {
  let named = item;
  for (const { from, to, take, form } of namesOf) {
    const members = named.fields.get(from);
    if (!isDataObject(members) || !usesField(file, [to])) continue;
    const taken: (readonly [string, string])[] = [];
    const left: (readonly [string, Data])[] = [];
    for (const [key, value] of Object.entries(members)) {
      const name = typeof value === 'string' ? take(key, value) : undefined;
      if (name === undefined) left.push([key, value]);
      else taken.push([key, name]);
    }
    if (taken.length === 0) continue;
    const fields = new Map(named.fields);
    if (left.length > 0) fields.set(from, Object.fromEntries(left));
    else fields.delete(from);
    fields.set(to, form(taken));
    const computed = new Set([...named.computed, to]);
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

/** Writes the references of a field in the form that a file has for them; what it has none for is taken down. */
export function referenceWriter(
  item: Item,
  file: EntriesFile | ItemFiles,
  { id, title }: TargetSpec,
  unwritten: UnwrittenReference[],
): ((field: string, value: Data) => Data) | undefined {
  if (![...item.fields.values()].some(holdsReference)) return undefined;
  const { variables } = file;
  const write = (text: string, field: string, place: string): string => {
    const problemOf = (reference: Reference) => problem(reference, field, variables, title);
    const bad = splitReferences(text).find(part => typeof part === 'object' && problemOf(part));
    if (typeof bad !== 'object') return writeReferences(text, reference => formOf(reference, variables!));
    unwritten.push({
      target: id,
      entry: item.path,
      reference: writtenReference(bad),
      place,
      problem: problemOf(bad)!,
      ...(variables?.advice !== undefined && { advice: variables.advice }),
    });
    return readableText(text);
  };
  return (field, value) =>
    changeTexts(
      value,
      (text, place) => (hasReference(text) ? write(text, field, place) : text),
      `${item.path}.${sourceOf(field, item)}`,
    );
}

/** Data with its texts changed; `place` is the path of each. */
function changeTexts(data: Data, change: (text: string, place: string) => string, place = ''): Data {
  if (typeof data === 'string') return change(data, place);
  if (Array.isArray(data)) return data.map(part => changeTexts(part, change, place));
  if (!isDataObject(data)) return data;
  const members = Object.entries(data);
  return Object.fromEntries(
    members.map(([key, part]) => [key, changeTexts(part, change, `${place}.${key}`)]),
  );
}

/** The field of the source that a part of a command line stands in. */
function sourceOf(field: string, { fields }: Item): string {
  if (field === 'arguments' && fields.has('args')) return 'args';
  return ['program', 'arguments', 'argv', 'commandLine'].includes(field) ? 'command' : field;
}

/** What the source calls a part of a command line. */
const partOf = (field: string): string =>
  field === 'program' ? 'command' : field === 'arguments' || field === 'argv' ? 'args' : field;

function problem(
  { fallback }: Reference,
  field: string,
  variables: Variables | undefined,
  title: string,
): string | undefined {
  if (variables?.form === undefined) return `as far as is known ${title} fills in no variables there`;
  if (variables.in && !variables.in.includes(partOf(field)))
    return `${title} fills in variables in ${variables.in.map(name => `\`${name}\``).join(', ')} only`;
  if (fallback !== undefined && variables.fallback === undefined)
    return `${title} has no default for a variable that is not set`;
  return undefined;
}

const formOf = ({ name, fallback }: Reference, { form, fallback: withDefault }: Variables): string =>
  (fallback === undefined ? form! : withDefault!)
    .replace('NAME', () => name)
    .replace('DEFAULT', () => fallback ?? '');

const patternOf = (form: string): RegExp =>
  new RegExp(
    escapeRegex(form).replace('NAME', '(?<name>[A-Za-z_]\\w*)').replace('DEFAULT', '(?<fallback>[^{}]*)'),
    'g',
  );

/** Data of a tool's file with the variables that the tool fills in there as references. */
export function readReferences(data: Data, { form, fallback, alsoRead = [] }: Variables = {}): Data {
  const patterns = [fallback, form, ...alsoRead].filter(one => one !== undefined).map(patternOf);
  if (patterns.length === 0) return data;
  const read = (text: string, pattern: RegExp) =>
    text.replace(pattern, (...found) => markReference(found.at(-1) as Reference));
  return changeTexts(data, text => patterns.reduce(read, text));
}

/** What stands in a command for all that the user types after its name, and for one word of it. */
const reference = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g;

/**
 * Writes the references to arguments in a content as the tool marks them; nothing when the file has the marks of the
 * source, or the content has none. A reference that the tool fills in by no mark stays as it is, and is an omission. A text that has the tool's
 * own mark is in its words already.
 */
export function argumentWriter(
  item: Item,
  { of, arguments: marks }: ItemFiles,
  omissions: Omissions,
): ((content: Text) => Text) | undefined {
  const written = item.fields.get('content');
  const mayHold = item.prose !== undefined || (typeof written === 'string' && written.includes('$'));
  if (!marks || !mayHold) return undefined;
  const { all } = marks;
  return content => {
    const text = plainText(content);
    if (!text.includes('$') || (all !== undefined && text.includes(all))) return content;
    return replaceText(content, reference, ([whole, number]) => {
      if (number === undefined && all !== undefined) return all;
      const what = number === undefined || all === undefined ? 'arguments' : 'argument';
      omissions.add(`${item.path}.content`, whole, omissions.adviceFor(of, what));
      return whole;
    });
  };
}

/**
 * The item with the marks for arguments in its content as the source has them. A text that holds the mark of the source
 * as well, which the tool does not fill in, stays as it is: nobody could tell the two apart again.
 */
export function readArguments(item: ImportedItem, { arguments: marks }: ItemFiles): ImportedItem {
  const content = item.fields.get('content');
  if (marks?.all === undefined || typeof content !== 'string' || !content.includes(marks.all)) return item;
  if (content.includes('$ARGUMENTS')) return item;
  const read = content.replaceAll(marks.all, () => '$ARGUMENTS');
  return { ...item, fields: new Map(item.fields).set('content', read) };
}
