import type { KeyEdit, SharedFile } from '../../kinds/output.ts';
import { valueAt } from '../../model/data.ts';
import type { Data, Origin } from '../../model/model.ts';
import { leavesOf } from '../../model/origin.ts';
import { canonical } from '../../plan/canonical.ts';
import { lineEntries } from '../../plan/shared-lines.ts';
import { type Ingredient, linesOf, locateTexts, type Run, Traced } from '../../text/traced.ts';
import { readYaml } from '../../text/yaml.ts';

/** The path of a value in a structured file. */
type Path = readonly (string | number)[];

/** A value in a text: where its key begins (or the value, if it has none), where the value begins, and where it ends. */
interface Part {
  readonly path: Path;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/** A structured text with its values. */
interface Structure {
  readonly text: string;
  readonly parts: readonly Part[];
  readonly data: Data | undefined;
}

/**
 * Returns the origins of the lines of a structured file: what the owned values were made from, the names in their keys,
 * and the part of the spec that shapes them. Lines of the user have none.
 */
export async function readStructure(
  text: string,
  { format, edits }: Pick<SharedFile, 'format' | 'edits'>,
): Promise<(at: number) => readonly Run<Origin>[]> {
  const structure = { text, ...(await readParts(text, format)) };
  const runs = edits.flatMap(edit => runsOf(edit, structure));
  const lines = linesOf(new Traced(text, runs)).map(line => {
    if (typeof line === 'string') return [];
    // What is between two values belongs to neither of them.
    return line.runs.filter(
      ({ start, end, origin, exact }) =>
        exact || origin.kind === 'layout' || /[\p{L}\p{N}]/u.test(line.text.slice(start, end)),
    );
  });
  return at => lines[at]!;
}

/** The origins of an owned value and of the keys that lead to it. */
function runsOf(edit: KeyEdit, structure: Structure): Run<Origin>[] {
  const { text, parts, data } = structure;
  const place = placeOf(edit, data);
  const region = place && regionOf(place, structure);
  if (!edit.origins || !region) return [];
  const { by, name, key = [], slots } = edit.origins;
  const runs: Run<Origin>[] = [];
  const addLayout = (start: number, end: number) =>
    runs.push({ start, end, origin: { kind: 'layout', by }, at: 0, exact: false });
  const addTexts = (from: number, to: number, ingredients: readonly Ingredient<Origin>[]) => {
    const located = locateTexts(text.slice(from, to), ingredients);
    if (typeof located === 'string') return;
    for (const run of located.runs) runs.push({ ...run, start: run.start + from, end: run.end + from });
  };
  addLayout(region.value, region.end);
  for (const part of parts) {
    // A header of TOML contains the whole path.
    const isHeader = text[part.start] === '[' && startsWith(part.path, place);
    if (!isHeader && !startsWith(place, part.path)) continue;
    addLayout(part.start, part.value + 1);
    const isBracketed = /[{[]/.test(text[part.value] ?? '');
    if (isBracketed) addLayout(part.end - 1, part.end);
    const isNamed = name?.kind === 'name' && text.slice(part.start, part.value).includes(name.text);
    const keys = part.path.length === place.length ? key : [];
    addTexts(part.start, part.value, [...(isNamed ? [name] : []), ...keys].flatMap(leavesOf));
  }
  for (const { path, origins } of slots) {
    const filled = [...place, ...path];
    const slot = valueAt(data, filled) === undefined ? undefined : regionOf(filled, structure);
    if (slot) addTexts(slot.value, slot.end, origins.flatMap(leavesOf));
  }
  return runs;
}

/** The path of the value that an edit owns; `undefined` if the file does not have it. */
export function placeOf({ kind, path, value }: KeyEdit, data: Data | undefined): Path | undefined {
  const present = valueAt(data, path);
  if (kind === 'set') return present === undefined ? undefined : path;
  // Formats may reorder keys, so the order is ignored.
  const isIt = (element: Data) => canonical(element) === canonical(value);
  const index = Array.isArray(present) ? present.findIndex(isIt) : -1;
  return index === -1 ? undefined : [...path, index];
}

/** The range of a value. If it is in a line of TOML with others, it is searched for there. */
function regionOf(path: Path, structure: Structure): Pick<Part, 'value' | 'end'> | undefined {
  const { text, parts, data } = structure;
  const inside = parts.filter(part => startsWith(part.path, path));
  const whole = inside.find(part => part.path.length === path.length);
  if (inside.length > 0)
    return {
      value: whole?.value ?? Math.min(...inside.map(({ start }) => start)),
      end: Math.max(...inside.map(({ end }) => end)),
    };
  const around = path.length === 0 ? undefined : regionOf(path.slice(0, -1), structure);
  if (!around) return undefined;
  const value = valueAt(data, path);
  const at = typeof value === 'object' ? -1 : text.slice(0, around.end).indexOf(String(value), around.value);
  return at === -1 ? around : { value: at, end: at + String(value).length };
}

export const startsWith = (path: Path, start: Path): boolean =>
  start.length <= path.length && start.every((step, at) => String(step) === String(path[at]));

/** The values of a text with their places, and its data. */
async function readParts(text: string, format: SharedFile['format']): Promise<Omit<Structure, 'text'>> {
  if (format === 'yaml') return readYamlParts(text);
  if (format === 'toml') return readTomlParts(text);
  return format === 'lines' || format === 'block' ? readLineParts(text) : readJsonParts(text);
}

async function readJsonParts(text: string) {
  const { parseTree, getNodePath, getNodeValue } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const parts: Part[] = [];
  const visit = (node: NonNullable<typeof tree>): void => {
    const { offset, length, parent, type, children = [] } = node;
    const start = parent?.type === 'property' ? parent.offset : offset;
    if (parent && type !== 'property')
      parts.push({ path: getNodePath(node), start, value: offset, end: offset + length });
    for (const child of type === 'property' ? children.slice(1) : children) visit(child);
  };
  if (tree) visit(tree);
  return { parts, data: tree && getNodeValue(tree) };
}

function readLineParts(text: string) {
  const entries = lineEntries(text);
  const parts = entries.map(({ start, end }, index): Part => ({ path: [index], start, value: start, end }));
  return { parts, data: entries.map(entry => entry.text) };
}

function readYamlParts(text: string) {
  const yaml = readYaml({ name: '', text });
  const parts: Part[] = [];
  const visit = (value: unknown, path: Path): void => {
    const [key, own] = [yaml.spanOf(path, 'key'), yaml.spanOf(path, 'value')];
    if (path.length > 0 && own)
      parts.push({
        path,
        start: Math.min(key?.start ?? own.start, own.start),
        value: own.start,
        end: own.end,
      });
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value))
      visit(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  };
  visit(yaml.data, []);
  return { parts, data: yaml.data as Data | undefined };
}

async function readTomlParts(text: string) {
  const [{ blocksOf }, { parse }] = await Promise.all([
    import('../../plan/shared-toml.ts'),
    import('smol-toml'),
  ]);
  const count = new Map<string, number>();
  const parts = blocksOf(text).map(({ kind, path, table, start, end }): Part => {
    const line = text.slice(start, end);
    const key = kind === 'field' ? /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^="'])*=[ \t]*/ : /^.*/;
    const range = { start, value: start + (key.exec(line)?.[0].length ?? 0), end };
    if (kind === 'element') {
      const name = JSON.stringify(table);
      count.set(name, (count.get(name) ?? -1) + 1);
    }
    // A table below an element belongs to the last preceding element.
    for (let length = path.length; length > 0; length--) {
      const index = count.get(JSON.stringify(path.slice(0, length)));
      if (index !== undefined)
        return { path: [...path.slice(0, length), index, ...path.slice(length)], ...range };
    }
    return { path, ...range };
  });
  return { parts, data: parse(text) as Data };
}
