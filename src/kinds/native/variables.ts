import type { EntriesFile, ItemFiles, TargetSpec, Variables } from '../../generated/types/target.ts';
import type { Data, Item, Text } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { plainText, replaceText } from '../../text/traced.ts';
import {
  hasReference,
  markReference,
  printReference,
  type Reference,
  readableText,
  splitReferences,
  writeReferences,
} from '../../text/variables.ts';
import type { Omissions } from '../omissions.ts';
import type { UnwrittenReference } from '../output.ts';
import type { ImportedItem } from '../read/items.ts';

const holdsReference = (data: Data | undefined): boolean => {
  if (typeof data === 'string') return hasReference(data);
  return typeof data === 'object' && data !== null && Object.values(data).some(holdsReference);
};

/**
 * Returns a function that writes the references of a field in the form of a file. References that the file
 * has no form for are recorded.
 */
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
      reference: printReference(bad),
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

/** Maps the texts in data; `place` is the path of each. */
function changeTexts(data: Data, change: (text: string, place: string) => string, place = ''): Data {
  if (typeof data === 'string') return change(data, place);
  if (Array.isArray(data)) return data.map(part => changeTexts(part, change, place));
  if (!isObject(data)) return data;
  const members = Object.entries(data);
  return Object.fromEntries(
    members.map(([key, part]) => [key, changeTexts(part, change, `${place}.${key}`)]),
  );
}

/** The source field that contains a part of a command line. */
function sourceOf(field: string, { fields }: Item): string {
  if (field === 'arguments' && fields.has('args')) return 'args';
  return ['program', 'arguments', 'argv', 'commandLine'].includes(field) ? 'command' : field;
}

/** The portable name of a part of a command line. */
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

/** Converts native variables in data of a tool's file to references. */
export function readReferences(data: Data, { form, fallback, alsoRead = [] }: Variables = {}): Data {
  const patterns = [fallback, form, ...alsoRead].filter(one => one !== undefined).map(patternOf);
  if (patterns.length === 0) return data;
  const read = (text: string, pattern: RegExp) =>
    text.replace(pattern, (...found) => markReference(found.at(-1) as Reference));
  return changeTexts(data, text => patterns.reduce(read, text));
}

/** The portable placeholder for all arguments of a command. */
const allArguments = '$ARGUMENTS';

/** The placeholders for all arguments of a command, and for one of them. */
const reference = /\$ARGUMENTS\b|\$([1-9])(?!\d)/g;

/**
 * Returns a function that converts the placeholders for arguments in a content to those of the tool;
 * `undefined` when the file uses the portable ones, or the content has none. A placeholder that the tool does
 * not support is kept and becomes an omission. A text that contains native placeholders already is kept.
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
    const isNative = all !== undefined && all !== allArguments && text.includes(all);
    if (!text.includes('$') || isNative) return content;
    return replaceText(content, reference, ([whole, number]) => {
      if (number === undefined && all !== undefined) return all;
      const what = number === undefined || all === undefined ? 'arguments' : 'argument';
      omissions.add(`${item.path}.content`, whole, omissions.adviceFor(of, what));
      return whole;
    });
  };
}

/**
 * Converts the placeholders for arguments in an item to portable ones. A text that also contains literal
 * portable placeholders is kept, because the two could not be told apart.
 */
export function readArguments(item: ImportedItem, { arguments: marks }: ItemFiles): ImportedItem {
  const content = item.fields.get('content');
  if (marks?.all === undefined || typeof content !== 'string' || !content.includes(marks.all)) return item;
  if (content.includes(allArguments)) return item;
  const read = content.replaceAll(marks.all, () => allArguments);
  return { ...item, fields: new Map(item.fields).set('content', read) };
}
