import type { EditOrigins, Json, KeyEdit, SharedFile } from '../../kinds/output.ts';
import { scalarText } from '../../model/data.ts';
import type { LayoutOrigin, Origin, ValueOrigin } from '../../model/origin.ts';
import { leavesOf } from '../../model/sourced.ts';
import { canonical } from '../../plan/canonical.ts';
import type { Run } from '../../text/traced.ts';

/** Where the value at a path stands in a text, its key included. */
interface KeyRange {
  readonly path: readonly (string | number)[];
  readonly start: number;
  readonly end: number;
}

/**
 * The origins of a line of a structured file that is shared with the user: by the value that begins there, its entry
 * and the slot of the spec that it was put into. Nothing for lines that are the user's own.
 */
export async function originsOfLine(
  text: string,
  line: number,
  file: Pick<SharedFile, 'format' | 'edits'>,
): Promise<(Origin | Run<Origin>)[]> {
  const origins = await originsOfKey(text, line, file);
  const words = text.split('\n')[line - 1]!.trim();
  return origins.map(origin => (origin.kind === 'value' ? lineOf(origin, words) : origin));
}

/** Of a text of several lines, the one that stands in a line as it is. */
function lineOf(origin: ValueOrigin, words: string): Origin | Run<Origin> {
  const text = scalarText(origin.node);
  let at = 0;
  for (const line of text.includes('\n') ? text.split('\n') : []) {
    const end = at + line.length;
    if (line.trim() === words) return { start: 0, end: line.length, origin, at, exact: true };
    at = end + 1;
  }
  return origin;
}

async function originsOfKey(
  text: string,
  line: number,
  file: Pick<SharedFile, 'format' | 'edits'>,
): Promise<Origin[]> {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
  const { ranges, data } = await readRanges(text, file.format);
  const range = rangeOf(ranges, start, start + lines[line - 1]!.length);
  if (!range) return [];
  for (const edit of file.edits) {
    const inside = placeIn(edit, range.path, data);
    if (inside && edit.origins) return originsIn(edit.origins, inside, lines[line - 1]!);
  }
  const around = file.edits.find(({ path }) => range.path.every((part, at) => String(part) === path[at]));
  return around?.origins ? [layout(around.origins)] : [];
}

const layout = ({ by }: EditOrigins): LayoutOrigin => ({ kind: 'layout', by });

/** The outermost value that begins and ends on the line, else the innermost that begins there or takes it in. */
function rangeOf(ranges: readonly KeyRange[], start: number, end: number): KeyRange | undefined {
  const begins = ranges.filter(one => one.start >= start && one.start < end);
  const whole = begins.filter(one => one.end <= end).sort((a, b) => a.path.length - b.path.length)[0];
  if (whole) return whole;
  const deepest = (all: readonly KeyRange[]) => [...all].sort((a, b) => b.path.length - a.path.length)[0];
  return deepest(begins) ?? deepest(ranges.filter(one => one.start < start && one.end > start));
}

/** The path below the place that an edit owns; nothing when the path leads elsewhere. */
function placeIn(
  edit: KeyEdit,
  path: readonly (string | number)[],
  data: unknown,
): readonly (string | number)[] | undefined {
  const { length } = edit.path;
  if (!edit.path.every((part, at) => String(path[at]) === part)) return undefined;
  if (edit.kind === 'set') return path.slice(length);
  if (path.length === length) return undefined;
  const element = path.slice(0, length + 1).reduce(valueIn, data);
  // Some formats write tables behind plain keys: the order of keys says nothing.
  return canonical((element ?? null) as Json) === canonical(edit.value) ? path.slice(length + 1) : undefined;
}

const valueIn = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;

function originsIn(origins: EditOrigins, inside: readonly (string | number)[], line: string): Origin[] {
  const isPrefix = (one: readonly unknown[], other: readonly unknown[]) =>
    one.length <= other.length && one.every((part, at) => String(part) === String(other[at]));
  const slot = origins.slots.find(({ path }) => isPrefix(path, inside));
  if (slot) {
    const chosen = chooseLeaves(slot, inside.slice(slot.path.length), line);
    return chosen.length > 0 ? chosen : [layout(origins)];
  }
  if (inside.length === 0) {
    const named = origins.name?.kind === 'name' && line.includes(origins.name.text);
    const within = named ? [origins.name!] : [layout(origins)];
    const said = origins.slots
      .flatMap(one => chooseLeaves(one, [], line))
      .filter(origin => isSaid(origin, line));
    return said.length > 0 && !/[[{:\]]\s*$/.test(line) ? [...(named ? within : []), ...said] : within;
  }
  return [layout(origins)];
}

const isSaid = (origin: Origin, line: string): boolean =>
  origin.kind === 'value' && line.includes(JSON.stringify(String(origin.node.value)).slice(1, -1));

/** The value of a key, or most of it, begins on the next line. */
const opens = /(?:[[{:]|[|>][-+\d]*)\s*$/;

/** Of what filled a slot, the part that a path inside it leads to. */
function chooseLeaves(
  slot: EditOrigins['slots'][number],
  inside: readonly (string | number)[],
  line: string,
): Origin[] {
  const leaves = slot.origins.flatMap(leavesOf).map(({ origin }) => origin);
  const values = leaves.filter(({ kind }) => kind === 'value');
  const [key] = inside;
  if (key === undefined) {
    const said = values.filter(origin => isSaid(origin, line));
    // A line that only opens a list or an object holds none of its values.
    return said.length > 0 || opens.test(line) ? said : leaves;
  }
  const index = Number(key);
  if (Number.isInteger(index) && values[index] && values.length === leaves.length) return [values[index]];
  const named = leaves.filter(
    origin => origin.kind !== 'layout' && inside.every(part => origin.path.includes(String(part))),
  );
  const said = named.filter(origin => isSaid(origin, line));
  return said.length > 0 ? said : named.length > 0 ? named : leaves;
}

/** Every value of a text with its place, and the text as data. */
async function readRanges(
  text: string,
  format: SharedFile['format'],
): Promise<{ readonly ranges: readonly KeyRange[]; readonly data: unknown }> {
  if (format === 'yaml') return readYamlRanges(text);
  return format === 'toml' ? readTomlRanges(text) : readJsonRanges(text);
}

async function readJsonRanges(text: string) {
  const { parseTree, getNodePath, getNodeValue } = await import('jsonc-parser');
  const tree = parseTree(text, [], { allowTrailingComma: true });
  const ranges: KeyRange[] = [];
  const visit = (node: NonNullable<typeof tree>): void => {
    const whole = node.parent?.type === 'property' ? node.parent : node;
    if (node.type !== 'property')
      ranges.push({ path: getNodePath(node), start: whole.offset, end: whole.offset + whole.length });
    const children = node.type === 'property' ? node.children?.slice(1) : node.children;
    for (const child of children ?? []) visit(child);
  };
  if (tree) visit(tree);
  return { ranges: ranges.filter(({ path }) => path.length > 0), data: tree && getNodeValue(tree) };
}

async function readYamlRanges(text: string) {
  const { readYaml } = await import('../../text/yaml.ts');
  const yaml = readYaml({ name: '', text });
  const ranges: KeyRange[] = [];
  const visit = (value: unknown, path: readonly (string | number)[]): void => {
    const [key, own] = [yaml.spanOf(path, 'key'), yaml.spanOf(path, 'value')];
    if (path.length > 0 && own)
      ranges.push({ path, start: Math.min(key?.start ?? own.start, own.start), end: own.end });
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value))
      visit(inner, [...path, Array.isArray(value) ? Number(name) : name]);
  };
  visit(yaml.data, []);
  return { ranges, data: yaml.data };
}

async function readTomlRanges(text: string) {
  const [{ blocksOf }, { parse }] = await Promise.all([
    import('../../plan/shared-toml.ts'),
    import('smol-toml'),
  ]);
  const count = new Map<string, number>();
  const ranges = blocksOf(text).map(({ kind, path, table, start, end }): KeyRange => {
    if (kind === 'element') {
      const name = JSON.stringify(table);
      count.set(name, (count.get(name) ?? -1) + 1);
    }
    // Tables below an element belong to the last one before them.
    for (let length = path.length; length > 0; length--) {
      const index = count.get(JSON.stringify(path.slice(0, length)));
      if (index !== undefined)
        return { path: [...path.slice(0, length), index, ...path.slice(length)], start, end };
    }
    return { path, start, end };
  });
  return { ranges, data: parse(text) as Json };
}
