/** A case is a project in `in/`. `out/` holds the compiled files, and `out/findings.txt` the findings and omissions. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../../scripts/files.ts';
import { compile } from '../../src/index.ts';
import { casesBeside } from '../support/cases.ts';

function readTree(at: string): Record<string, Uint8Array> {
  const paths = existsSync(at) ? filesBelow(at) : [];
  return Object.fromEntries(paths.map((path): [string, Uint8Array] => [path, readFileSync(join(at, path))]));
}

/** Compiles a case. Returns its files, with findings and omissions as an extra file. */
export const cases = casesBeside(import.meta.url, ['out/'], async directory => {
  const { files, diagnostics, omissions } = await compile({ files: readTree(join(directory, 'in')) });
  const lines = [
    ...diagnostics.map(({ file, line, column, severity, code, message, target }) => {
      const place = [file, line, column].filter(part => part !== undefined).join(':');
      return `${place}${place && ': '}${severity} ${code}: ${message}${target ? ` [${target}]` : ''}`;
    }),
    ...omissions.map(({ target, source, text }) => `omitted for ${target}: ${source}: ${text}`),
  ];
  const found: Record<string, string> = {};
  if (lines.length > 0) found['out/findings.txt'] = `${lines.join('\n')}\n`;
  for (const { path, content } of files) if (typeof content === 'string') found[`out/${path}`] = content;
  return found;
});
