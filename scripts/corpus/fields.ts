import { parseData } from '../../src/kinds/read/parse-data.ts';
import { isDataObject } from '../../src/model/data.ts';
import type { Data } from '../../src/model/model.ts';
import { readFrontMatter } from '../../src/text/front-matter.ts';
import type { CompiledFile } from './compile.ts';

/**
 * Fields of a native file, front matter or structured data, that the file compiled from its import does not have, or
 * has with another value; each as `path: value`. The places of lists do not count, nor does the way a list is written, nor a
 * `name` that is the file's own. A tool that reads an item in two folders is given it in one of them.
 */
export async function lostFields(
  original: string,
  path: string,
  outputs: readonly CompiledFile[],
): Promise<string[]> {
  const wanted = await dataOf(original.replace(/^\ufeff/, ''), path);
  if (wanted === undefined) return [];
  const end = path.split('/').slice(-2).join('/');
  const output =
    outputs.find(file => file.path === path) ?? outputs.find(file => file.path.endsWith(`/${end}`));
  if (!output) return leaves(wanted).length > 0 ? [`${path} is not written`] : [];
  const there = new Map<string, number>();
  for (const leaf of leaves(output.data ?? (await dataOf(output.text, path)) ?? {}))
    there.set(leaf, (there.get(leaf) ?? 0) + 1);
  const [file = '', folder] = path.split('/').reverse();
  const own = new Set([`name: ${file.split('.')[0]}`, `name: ${folder}`]);
  return leaves(wanted).filter(leaf => {
    if (own.has(leaf)) return false;
    const count = there.get(leaf) ?? 0;
    there.set(leaf, count - 1);
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

/** Every value by the keys that lead to it; what is empty says nothing. */
function leaves(data: Data, path = ''): string[] {
  if (Array.isArray(data)) return data.flatMap(item => leaves(item, path));
  if (isDataObject(data))
    return Object.entries(data).flatMap(([key, value]) =>
      leaves(value, path === '' ? key : `${path}.${key}`),
    );
  if (data === null || data === '') return [];
  return String(data)
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(word => `${path}: ${word}`);
}
