import { parseData } from '../../src/kinds/read/parse-data.ts';
import type { Data } from '../../src/model/model.ts';
import { isObject } from '../../src/text/data.ts';
import { readFrontMatter } from '../../src/text/front-matter.ts';
import type { CompiledFile } from './compile.ts';

/**
 * Fields of a native file, in front matter or structured data, that are missing or different in the file compiled from its
 * import; each as `path: value`. Positions in lists, the notation of lists and a `name` equal to the file name are ignored.
 * If a tool reads an item from two folders, the compiled file may be in either.
 */
export async function lostFields(
  original: string,
  path: string,
  outputs: readonly CompiledFile[],
): Promise<string[]> {
  const expected = await dataOf(original.replace(/^\ufeff/, ''), path);
  if (expected === undefined) return [];
  const end = path.split('/').slice(-2).join('/');
  const output =
    outputs.find(file => file.path === path) ?? outputs.find(file => file.path.endsWith(`/${end}`));
  if (!output) return leaves(expected).length > 0 ? [`${path} is not written`] : [];
  const present = new Map<string, number>();
  for (const leaf of leaves(output.data ?? (await dataOf(output.text, path)) ?? {}))
    present.set(leaf, (present.get(leaf) ?? 0) + 1);
  const [file = '', folder] = path.split('/').reverse();
  const own = new Set([`name: ${file.split('.')[0]}`, `name: ${folder}`]);
  return leaves(expected).filter(leaf => {
    if (own.has(leaf)) return false;
    const count = present.get(leaf) ?? 0;
    present.set(leaf, count - 1);
    return count <= 0;
  });
}

async function dataOf(text: string, path: string): Promise<Data | undefined> {
  const format = /\.(toml|ya?ml|jsonc?)$/.exec(path)?.[1];
  if (format === undefined) return Object.fromEntries(readFrontMatter(text).fields) as Data;
  const parsed = await parseData(
    text,
    format === 'toml' ? 'toml' : format.startsWith('y') ? 'yaml' : 'jsonc',
  );
  return 'data' in parsed ? parsed.data : undefined;
}

/** All values with the keys that lead to them. Empty values are left out. */
function leaves(data: Data, path = ''): string[] {
  if (Array.isArray(data)) return data.flatMap(item => leaves(item, path));
  if (isObject(data))
    return Object.entries(data).flatMap(([key, value]) =>
      leaves(value, path === '' ? key : `${path}.${key}`),
    );
  if (data === null || data === '') return [];
  return String(data)
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(word => `${path}: ${word}`);
}
