/** A case is a project in `in/`; `out/` holds what compiling it writes, and `out/findings.txt` what it says. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compile } from '../../src/index.ts';
import { compareCode } from '../../src/text/order.ts';

export const folder = join(dirname(fileURLToPath(import.meta.url)), 'cases');

export const cases = (): string[] => readdirSync(folder).sort();

function readTree(at: string): Record<string, Uint8Array> {
  if (!existsSync(at)) return {};
  return Object.fromEntries(
    readdirSync(at, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map((path): [string, Uint8Array] => [relative(at, path).split(sep).join('/'), readFileSync(path)])
      .sort(([a], [b]) => compareCode(a, b)),
  );
}

/** The files of a case as they should be, by path. */
export const expectedOf = (name: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(readTree(join(folder, name, 'out'))).map(([path, bytes]) => [
      path,
      new TextDecoder().decode(bytes),
    ]),
  );

/** The files that compiling a case gives, by path, and its findings and omissions as a file of their own. */
export async function runCase(name: string): Promise<Record<string, string>> {
  const { files, diagnostics, omissions } = await compile({ files: readTree(join(folder, name, 'in')) });
  const lines = [
    ...diagnostics.map(({ file, line, column, severity, code, message, target }) => {
      const place = [file, line, column].filter(part => part !== undefined).join(':');
      return `${place}${place && ': '}${severity} ${code}: ${message}${target ? ` [${target}]` : ''}`;
    }),
    ...omissions.map(({ target, source, text }) => `omitted for ${target}: ${source}: ${text}`),
  ];
  const found: Record<string, string> = {};
  if (lines.length > 0) found['findings.txt'] = `${lines.join('\n')}\n`;
  for (const { path, content } of files)
    if (typeof content === 'string') found[path] = content;
  return found;
}

/** Writes what a case gives; the diff is the review. */
export async function writeCase(name: string): Promise<void> {
  const out = join(folder, name, 'out');
  rmSync(out, { recursive: true, force: true });
  for (const [path, content] of Object.entries(await runCase(name))) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), content);
  }
}
