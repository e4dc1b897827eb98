import type { ErrorObject } from 'ajv';
import {
  dataBadValue,
  dataMissingField,
  dataNotAllowed,
  dataUnknownField,
  dataWrongType,
} from '../../generated/diagnostics.ts';
import { groupBy } from '../group.ts';
import { joinWithOr } from '../names.ts';
import { didYouMean } from '../similar.ts';
import type { Span } from '../source.ts';
import type { DataPath, YamlFile } from '../yaml.ts';
import type { DiagnosticPlace, Report } from './diagnostic.ts';
import { type Fix, renameFix, replacementFix } from './fixes.ts';

/** The maximum number of findings for one file: locating each of them walks through the file. */
const maxFindings = 200;

/** What a caller knows in addition to the schema. */
export interface SchemaErrorOptions {
  /** Whether to drop an error. `path` leads to the object or value that it is about. */
  readonly ignore?: (error: ErrorObject, path: DataPath) => boolean;
  /** A more specific hint than the general one. */
  readonly hint?: (error: ErrorObject, path: DataPath) => string | undefined;
  /** Whether the value at a path is a secret and must not be shown. */
  readonly secret?: (path: DataPath) => boolean;
  /** For `discriminator` errors: the allowed values of each tag, which Ajv does not report. */
  readonly tags?: Readonly<Record<string, readonly string[]>>;
}

/**
 * Converts the errors of a generated validator into diagnostics with spans by looking up each path in the
 * YAML file. The branches of an `anyOf` give one finding: the error inside the branch that was meant, or the
 * list of allowed types.
 */
export function reportSchemaErrors(
  errors: readonly ErrorObject[],
  file: YamlFile,
  report: Report,
  options: SchemaErrorOptions = {},
): void {
  let left = maxFindings;
  for (const error of collapse(errors)) {
    const path = dataPathOf(error.instancePath, file.data);
    if (options.ignore?.(error, path)) continue;
    reportOne(error, path, file, report, options);
    left -= 1;
    if (left === 0) return;
  }
}

/** Prints a path as `targets[0].name.version`. Keys that are not plain words are quoted. */
export function pathText(path: DataPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const word = /^[\w$@-]+$/.test(step) ? step : JSON.stringify(step);
      return index === 0 ? word : `.${word}`;
    })
    .join('');
}

/** Splits a JSON pointer into keys and indexes. Whether a segment is an index depends on the data. */
export function dataPathOf(pointer: string, data: unknown): DataPath {
  let value = data;
  return pointer
    .split('/')
    .slice(1)
    .map(part => {
      const key = part.replace(/~1/g, '/').replace(/~0/g, '~');
      const step = Array.isArray(value) ? Number(key) : key;
      value = (value as Record<string | number, unknown> | null | undefined)?.[step];
      return step;
    });
}

/** Replaces the errors of the branches of a union: the `schema` of a type error is then the list of its types. */
function collapse(errors: readonly ErrorObject[]): ErrorObject[] {
  const typeErrors = errors.filter(({ keyword }) => keyword === 'type');
  const typesAt = groupBy(typeErrors, ({ instancePath }) => instancePath);
  const dropped = new Set<ErrorObject>();
  const added: ErrorObject[] = [];
  for (const union of errors) {
    if (union.keyword !== 'anyOf' && union.keyword !== 'oneOf') continue;
    dropped.add(union);
    const branches = (union.schema as unknown[] | undefined)?.length ?? 0;
    const types = typesAt.get(union.instancePath) ?? [];
    for (const error of types) dropped.add(error);
    if (types.length >= branches) added.push({ ...types[0]!, schema: types.map(error => error.schema) });
  }
  return [...errors.filter(error => !dropped.has(error) && error.propertyName === undefined), ...added];
}

function reportOne(
  error: ErrorObject,
  path: DataPath,
  file: YamlFile,
  report: Report,
  options: SchemaErrorOptions,
): void {
  const hint = options.hint?.(error, path);
  const field = path.length === 0 ? 'The file' : `\`${pathText(path)}\``;
  const place = path.length === 0 ? 'at the top level' : `in ${field}`;
  const at = (
    to: DataPath,
    part: 'key' | 'value',
    general?: string,
    fixes?: (span: Span) => readonly Fix[],
  ): DiagnosticPlace => {
    const span = nearest(file, to, part);
    return { span, hint: hint ?? general, fixes: fixes?.(span) };
  };
  const properties = Object.keys((error.parentSchema?.properties as object | undefined) ?? {});
  switch (error.keyword) {
    case 'additionalProperties': {
      const name = String(error.params.additionalProperty);
      const guess = didYouMean(name, properties);
      // For a mistyped name the list of all names is omitted.
      const advice =
        guess && properties.length > 8 ? guess.trim() : `${guess}Allowed here: ${codeList(properties)}.`;
      const where = at([...path, name], 'key', advice, span => renameFix(span, name, properties));
      report(dataUnknownField({ field: name, place }, where));
      return;
    }
    case 'required': {
      const name = String(error.params.missingProperty);
      const advice = `Add it, such as \`${name}: ${exampleOf(error.parentSchema, name)}\`.`;
      report(dataMissingField({ field: name, place }, at(path, 'key', advice)));
      return;
    }
    case 'type': {
      const expected = [error.schema].flat().map(type => typeWords[String(type)] ?? String(type));
      const found = options.secret?.(path) === true ? 'something else' : typeInWords(error.data);
      const { advice, text } = typeAdvice(error, file.spanOf(path));
      const fixes = (span: Span) =>
        text === undefined ? [] : [replacementFix('Correct the value', span, text)];
      const where = at(path, 'value', advice, fixes);
      report(dataWrongType({ field, expected: joinWithOr(expected), found }, where));
      return;
    }
    case 'enum':
    case 'const': {
      const allowed =
        error.keyword === 'enum' ? (error.schema as unknown[]).map(wordOf) : [wordOf(error.schema)];
      reportNotAllowed(error.data, allowed);
      return;
    }
    case 'discriminator': {
      const tag = String(error.params.tag);
      const allowed = options.tags?.[tag] ?? [];
      const value = (error.data as Record<string, unknown> | undefined)?.[tag];
      if (value === undefined) {
        const words = joinWithOr(allowed.map(word => `\`${tag}: ${word}\``));
        report(dataMissingField({ field: tag, place }, at(path, 'key', `Add ${words}.`)));
      } else reportNotAllowed(value, allowed, [...path, tag]);
      return;
    }
    case 'propertyNames': {
      const name = String(error.params.propertyName);
      const problem = `is no good name for an entry ${place}`;
      report(dataBadValue({ field: `\`${name}\``, problem }, at([...path, name], 'key')));
      return;
    }
    default:
      report(dataBadValue({ field, problem: problemOf(error) }, at(path, 'value', exampleAdvice(error))));
  }

  function reportNotAllowed(value: unknown, allowed: readonly string[], to: DataPath = path): void {
    const guess = typeof value === 'string' ? didYouMean(value, allowed) : '';
    const advice = `${guess}Allowed: ${codeList(allowed)}.`;
    const where = at(to, 'value', advice, span => renameFix(span, wordOf(value), allowed));
    report(dataNotAllowed({ field: `\`${pathText(to)}\``, value: shortJson(value) }, where));
  }
}

/** The span of a path, or of its nearest existing ancestor. */
function nearest(file: YamlFile, path: DataPath, part: 'key' | 'value') {
  for (let length = path.length; length > 0; length--) {
    const whole = length === path.length;
    const span = file.spanOf(path.slice(0, length), whole ? part : 'key');
    if (span) return firstLine(span);
  }
  return { source: file.source, start: 0, end: 0 };
}

/** A value of several lines is underlined on its first line only. */
function firstLine(span: Span): Span {
  const end = span.source.text.indexOf('\n', span.start);
  return end === -1 || end >= span.end ? span : { ...span, end: Math.max(end, span.start) };
}

/** The types of JSON Schema as messages name them. */
const typeWords: Readonly<Record<string, string>> = {
  string: 'text',
  boolean: '`true` or `false`',
  number: 'a number',
  integer: 'a whole number',
  array: 'a list',
  object: 'an object with fields',
};

/** The type of a value in words that its author understands. */
function typeInWords(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the text ${shortJson(value)}`;
  return `the ${typeof value} ${shortJson(value)}`;
}

/** What to write instead of a value of a wrong type: in words, and as a text for a value on one line. */
function typeAdvice(
  error: ErrorObject,
  span: Span | undefined,
): { advice?: string | undefined; text?: string } {
  const wanted = [error.schema].flat();
  const value = error.data;
  const raw = span?.source.text.slice(span.start, span.end) ?? '';
  if (value === null) return { advice: 'Give it a value, or remove the key.' };
  if (wanted.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return { advice: `Put it in quotes: "${raw}".`, text: `"${raw}"` };
  if (wanted.includes('array') && typeof value === 'string' && !raw.includes('\n'))
    return { advice: `Write it as a list: \`[${raw}]\`.`, text: `[${raw}]` };
  if (wanted.length === 1 && wanted[0] === 'array') return { advice: 'Begin each item with `- `.' };
  if (wanted.length === 1 && wanted[0] === 'boolean')
    return { advice: 'Write `true` or `false` without quotes.' };
  return { advice: exampleAdvice(error) };
}

/** What is wrong with a value, for schema errors that have no message of their own. */
function problemOf(error: ErrorObject): string {
  const limit = String(error.params.limit);
  switch (error.keyword) {
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minItems':
    case 'minProperties':
      return `must have at least ${limit} ${limit === '1' ? 'entry' : 'entries'}`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'pattern':
      return `has a form that is not understood: ${shortJson(error.data)}`;
    default:
      return error.message ?? 'is not valid';
  }
}

/** An example of a missing field. */
function exampleAdvice(error: ErrorObject): string | undefined {
  const examples = error.parentSchema?.examples as unknown[] | undefined;
  return examples?.length ? `For example: \`${JSON.stringify(examples[0])}\`.` : undefined;
}

/** An example of a value that matches a schema, as YAML. */
function exampleOf(schema: object | undefined, name: string): string {
  const property = (schema as { properties?: Record<string, { examples?: unknown[] }> } | undefined)
    ?.properties?.[name];
  return property?.examples?.length ? JSON.stringify(property.examples[0]) : '…';
}

/** A value that a schema allows, as messages show it. */
const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A value as JSON, shortened for messages. */
const shortJson = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return `\`${text.length > 60 ? `${text.slice(0, 59)}…` : text}\``;
};

/** Values as a comma-separated list of code. */
const codeList = (words: readonly string[]): string => words.map(word => `\`${word}\``).join(', ');
