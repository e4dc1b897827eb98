import type { FileSpec, Row, TargetSpec, When } from '../../generated/types/target.ts';
import { type Fault, reportUnknown } from '../../spec/shared-parts.ts';
import { fieldsOf, wordFor } from '../../spec/vocabulary.ts';
import type { DataPath } from '../../text/yaml.ts';

/** The side of a kind that checks an entry of a spec. */
export interface Linter<E extends FileSpec = FileSpec> {
  /** Placeholders that paths may have beside the names of options. */
  readonly placeholders: readonly string[];
  /** The placeholder without which all of these would have one path. */
  readonly apart?: { readonly placeholder: string; readonly each: string; readonly unless?: string };
  /** What else may write the path: nothing, entries of other places in the same file, files beside it in a folder. */
  readonly shares: 'nothing' | 'file' | 'folder';
  /** Reports what the schema cannot say about the entry, beside what all kinds have. */
  lint(file: E, at: DataPath, lint: Lint): void;
}

/** A spec that is checked. */
export interface Lint {
  readonly spec: TargetSpec;
  readonly fault: Fault;
}

/** Fields that an entry may name; `undefined` for one that is filled from `meta` alone. */
type Known = readonly string[] | undefined;

/** The fields of the collection that a place is for. */
export const fieldsAt = ({ of }: { readonly of: string }): Known => fieldsOf(of);

/** Reports a name that does not exist. */
export function unknown(
  lint: Lint,
  path: DataPath,
  what: string,
  name: string,
  known: readonly string[],
): void {
  reportUnknown(lint.fault, path, what, name, known);
}

/** An option that does not exist, or a value that it cannot have. */
export function lintWhen(lint: Lint, at: DataPath, when: When | undefined): void {
  if (!when) return;
  const definition = lint.spec.options?.[when.option];
  if (definition === undefined) {
    unknown(lint, [...at, 'option'], 'option', when.option, Object.keys(lint.spec.options ?? {}));
    return;
  }
  for (const [index, value] of (when.is ?? []).entries()) {
    const values: readonly string[] | undefined = definition.values;
    if (values && !values.includes(String(value)))
      unknown(lint, [...at, 'is', index], `value of ${when.option}`, String(value), values);
  }
}

/** Rows of front matter. */
export function lintRows(lint: Lint, at: DataPath, rows: readonly Row[], fields: Known): void {
  for (const [index, row] of rows.entries()) lintRow(lint, [...at, index], row, fields);
  lintDuplicateRows(at, rows, lint.fault);
}

function lintRow(lint: Lint, at: DataPath, row: Row, fields: Known): void {
  if ((row.from === undefined) === (row.value === undefined)) {
    lint.fault(at, `the row "${row.key}" needs \`from\` or \`value\``, 'Give it one of the two.');
  }
  if (row.from !== undefined) lintField(lint, [...at, 'from'], row.from, fields);
  if (row.map === undefined) lintEventName(lint, [...at, 'from'], row.from, fields);
  lintWhen(lint, [...at, 'when'], row.when);
}

/** Two rows of one key, unless conditions tell them apart. */
function lintDuplicateRows(at: DataPath, rows: readonly Row[], fault: Fault): void {
  const seen = new Set<string>();
  for (const [index, row] of rows.entries()) {
    if (seen.has(row.key) && row.when === undefined && row.activation === undefined)
      fault([...at, index, 'key'], `the key "${row.key}" is written twice`, 'Remove one of the rows.');
    seen.add(row.key);
  }
}

/** A field that the collection does not have, or that it has under another name. */
export function lintField(lint: Lint, at: DataPath, name: string, fields: Known): void {
  if (!fields || name.startsWith('meta.') || fields.includes(name)) return;
  const word = wordFor(name, fields);
  if (word === undefined) unknown(lint, at, 'field', name, fields);
  else lint.fault(at, `\`${name}\` is the name that sources use`, `Write \`${word}\`.`);
}

/** Our names of events mean nothing to a tool. */
function lintEventName(lint: Lint, at: DataPath, from: unknown, fields: Known): void {
  if (from !== 'event' || !fields?.includes('nativeEvent')) return;
  const hint = "Write `nativeEvent`: the tool's name, as `hooks.events` gives it.";
  lint.fault(at, '`event` is the name that sources use', hint);
}

/** The slots of a shape. */
export function lintShape(lint: Lint, at: DataPath, shape: unknown, fields: Known): void {
  if (Array.isArray(shape)) {
    for (const [index, item] of shape.entries()) lintShape(lint, [...at, index], item, fields);
    return;
  }
  if (typeof shape !== 'object' || shape === null) return;
  const slot = shape as Record<string, unknown>;
  if (typeof slot.from === 'string') {
    lintField(lint, [...at, 'from'], slot.from, fields);
    lintEventName(lint, [...at, 'from'], slot.from, fields);
    return;
  }
  if (typeof slot.option === 'string') {
    const known = Object.keys(lint.spec.options ?? {});
    if (!known.includes(slot.option)) unknown(lint, [...at, 'option'], 'option', slot.option, known);
    return;
  }
  for (const [key, value] of Object.entries(slot)) lintShape(lint, [...at, key], value, fields);
}
