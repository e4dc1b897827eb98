/**
 * The specs of all targets as one file beside the program, of which a run takes those of its targets. As code they are a
 * third of what every run reads and of what V8 gets back from its kept code: 3 of the 30 milliseconds that a small
 * project takes above Node itself. The library has them as code, as it may run where there are no files.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { root } from '../generate.ts';

/** A plugin for the program that leaves its specs outside, and the file in which they are then. */
export async function specsOutside(): Promise<{
  readonly plugin: Plugin;
  readonly file: readonly [path: string, text: string];
}> {
  const [{ ids }, { specText }] = await Promise.all([
    import('../../src/generated/specs.ts'),
    import('../../src/generated/spec-texts.ts'),
  ]);
  let places = ' ';
  let text = '';
  for (const id of [...ids].sort()) {
    const start = text.length;
    text += `${specText(id)}\n`;
    places += `${id}:${start}:${text.length} `;
  }
  // It names its text, so that no build reads the file of another.
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const name = `chunks/specs-${hash}.jsonl`;
  const contents = [
    `import { openSync, readSync } from 'node:fs';`,
    `import { programFolder } from ${JSON.stringify(join(root, 'src/host/beside.ts'))};`,
    `const places = ${JSON.stringify(places)};`,
    'let file;',
    'export const specText = id => {',
    "  const before = places.indexOf(' ' + id + ':');",
    '  if (before === -1) return undefined;',
    `  file ??= openSync(programFolder + '/${name}');`,
    "  const [, first, last] = places.slice(before + 1, places.indexOf(' ', before + 1)).split(':');",
    '  const start = Number(first), end = Number(last);',
    '  const bytes = Buffer.allocUnsafe(end - start);',
    '  let at = 0;',
    '  for (let more = -1; more !== 0 && at < bytes.length; at += more)',
    '    more = readSync(file, bytes, at, bytes.length - at, start + at);',
    '  return bytes.latin1Slice(0, at);',
    '};',
  ].join('\n');
  const plugin: Plugin = {
    name: 'specs-outside',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/]generated[\\/]spec-texts\.ts$/ }, () => ({
        contents,
        loader: 'js',
        resolveDir: root,
      }));
    },
  };
  return { plugin, file: [`dist/${name}`, text] };
}
