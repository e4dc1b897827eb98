import type { Json, SharedFile } from '../../kinds/output.ts';
import { lineEntries } from '../../plan/shared-lines.ts';
import { readYaml } from '../../text/yaml.ts';

/** Where the value at a path stands in a text, its key included. */
export interface KeyRange {
  readonly path: readonly (string | number)[];
  readonly start: number;
  readonly end: number;
}

/** Every value of a text with its place, and the text as data. */
export async function readRanges(
  text: string,
  format: SharedFile['format'],
): Promise<{ readonly ranges: readonly KeyRange[]; readonly data: unknown }> {
  if (format === 'yaml') return readYamlRanges(text);
  if (format === 'lines') return readLineRanges(text);
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

async function readLineRanges(text: string) {
  const entries = lineEntries(text);
  const ranges = entries.map(({ start, end }, index): KeyRange => ({ path: [index], start, end }));
  return { ranges, data: entries.map(entry => entry.text) };
}

async function readYamlRanges(text: string) {
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
