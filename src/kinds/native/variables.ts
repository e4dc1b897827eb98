import type { EntriesFile, ItemFiles, TargetSpec, Variables } from '../../generated/types/target.ts';
import { isDataObject } from '../../model/data.ts';
import { withOrigins } from '../../model/item-origins.ts';
import type { Data, Item, Text } from '../../model/model.ts';
import { originsOf } from '../../model/origin.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { plain, replaceText } from '../../text/traced.ts';
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
import type { Unwritten } from '../output.ts';
import { asksFor } from '../places.ts';
import type { ImportedItem } from '../read/items.ts';

const holdsReference = (data: Data | undefined): boolean => {
  if (typeof data === 'string') return hasReference(data);
  if (Array.isArray(data)) return data.some(holdsReference);
  return isDataObject(data) && Object.values(data).some(holdsReference);
};

const holdsReferences = ({ fields }: Item): boolean => [...fields.values()].some(holdsReference);

/**
 * The item with what a file takes as names of variables in fields of their own: variables of the program that keep
 * their name, headers that are one variable, and a bearer token.
 */
export function withNames(item: Item, file: EntriesFile | ItemFiles): Item {
  if (!item.fields.has('env') && !item.fields.has('headers')) return item;
  let named = item;
  const take = (field: 'env' | 'headers', to: string, take: (key: string, value: string) => unknown) => {
    const members = named.fields.get(field);
    if (!isDataObject(members) || !asksFor(file, [to])) return;
    const found = Object.entries(members).flatMap(([key, value]) => {
      const made = typeof value === 'string' ? take(key, value) : undefined;
      return made === undefined ? [] : [[key, String(made)] as const];
    });
    if (found.length === 0) return;
    const gone = new Set(found.map(([key]) => key));
    const rest = Object.entries(members).filter(([key]) => !gone.has(key));
    const fields = new Map(named.fields);
    if (rest.length > 0) fields.set(field, Object.fromEntries(rest));
    else fields.delete(field);
    fields.set(
      to,
      to === 'headerVariables'
        ? Object.fromEntries(found)
        : to === 'forwarded'
          ? found.map(([, name]) => name)
          : found[0]![1],
    );
    named = {
      ...named,
      fields,
      computed: new Set([...named.computed, to]),
      ...withOrigins(named, to, originsOf(named, field)),
    };
  };
  take('env', 'forwarded', (key, value) => {
    const reference = loneReference(value);
    return reference?.name === key && reference.fallback === undefined ? key : undefined;
  });
  take('headers', 'bearerVariable', bearerVariable);
  take('headers', 'headerVariables', (_, value) => {
    const reference = loneReference(value);
    return reference?.fallback === undefined ? reference?.name : undefined;
  });
  return named;
}

function bearerVariable(key: string, value: string): string | undefined {
  const [scheme, reference, ...rest] = splitReferences(value);
  const isBearer =
    key.toLowerCase() === 'authorization' && typeof scheme === 'string' && /^bearer $/i.test(scheme);
  if (!isBearer || typeof reference !== 'object' || rest.length > 0) return undefined;
  return reference.fallback === undefined ? reference.name : undefined;
}

/** Writes the references of a field in the form that a file has for them; what it has none for is taken down. */
export function referenceWriter(
  item: Item,
  file: EntriesFile | ItemFiles,
  { id, title }: TargetSpec,
  unwritten: Unwritten[],
): ((field: string, value: Data) => Data) | undefined {
  if (!holdsReferences(item)) return undefined;
  const { variables } = file;
  const write = (text: string, field: string, place: string): string => {
    if (!hasReference(text)) return text;
    const problemOf = (reference: Reference) => problem(reference, field, variables, title);
    const parts = splitReferences(text).filter(part => typeof part === 'object');
    const bad = parts.find(problemOf);
    if (!bad) return writeReferences(text, reference => formOf(reference, variables!));
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
  const writeAll = (value: Data, field: string, place: string): Data => {
    if (typeof value === 'string') return write(value, field, place);
    if (Array.isArray(value)) return value.map(part => writeAll(part, field, place));
    if (!isDataObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, writeAll(part, field, `${place}.${key}`)]),
    );
  };
  return (field, value) => writeAll(value, field, `${item.path}.${sourceOf(field, item)}`);
}

/** The field of the source that a part of a command line stands in. */
function sourceOf(field: string, { fields }: Item): string {
  if (field === 'program') return 'command';
  if (field === 'arguments') return fields.has('args') ? 'args' : 'command';
  return field === 'argv' || field === 'commandLine' ? 'command' : field;
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

/** A form as an expression: the name in its first group, the default in its second. */
const patternOf = (form: string): string =>
  escapeRegex(form).replace('NAME', '([A-Za-z_]\\w*)').replace('DEFAULT', '([^{}]*)');

/** Data of a tool's file with the variables that the tool fills in there as references. */
export function readReferences(data: Data, variables: Variables | undefined): Data {
  const forms = [variables?.fallback, variables?.form, ...(variables?.alsoRead ?? [])].filter(
    form => form !== undefined,
  );
  if (forms.length === 0) return data;
  const patterns = forms.map(form => new RegExp(patternOf(form), 'g'));
  const read = (value: Data): Data => {
    if (typeof value === 'string')
      return patterns.reduce(
        (text, pattern) =>
          text.replace(pattern, (_, name: string, fallback: unknown) =>
            markReference({
              name,
              ...(pattern.source.includes('([^{}]*)') && { fallback: String(fallback) }),
            }),
          ),
        value,
      );
    if (Array.isArray(value)) return value.map(read);
    if (!isDataObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, read(inner)]));
  };
  return read(data);
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
  if (!marks || !mayHoldReference(item)) return undefined;
  return content => {
    const text = plain(content);
    if (!text.includes('$') || (marks.all !== undefined && text.includes(marks.all))) return content;
    return replaceText(content, reference, ([whole, number]) => {
      const mark = number === undefined ? marks.all : undefined;
      if (mark === undefined) {
        const what = number === undefined || marks.all === undefined ? 'arguments' : 'argument';
        omissions.add(`${item.path}.content`, whole, omissions.adviceFor(of, what));
      }
      return mark ?? whole;
    });
  };
}

function mayHoldReference({ prose, fields }: Item): boolean {
  const text = fields.get('content');
  return prose !== undefined || (typeof text === 'string' && text.includes('$'));
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
