/** src/generated/diagnostics.ts: one constructor per catalogue file, and src/generated/pages.ts for `prs explain`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { namesIn } from '../files.ts';
import type { Generated } from '../generate.ts';

export interface CatalogueEntry {
  readonly code: string;
  readonly name: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
  /** The Markdown below the front matter. */
  readonly page: string;
}

/** Reads the catalogue, sorted by code. @throws if a file is not valid. */
export function readCatalogue(root: string): CatalogueEntry[] {
  const folder = join(root, 'src/text/diagnostics/catalogue');
  const names = new Set<string>();
  return namesIn(folder, '.md').map(code => {
    const { head, body } = readPage(join(folder, `${code}.md`));
    for (const key of ['code', 'name', 'severity', 'message', 'hint']) {
      if (typeof head[key] !== 'string') throw new Error(`${code}.md: front matter needs ${key}`);
    }
    if (head.code !== code) throw new Error(`${code}.md: code ${head.code} does not match the file name`);
    if (names.has(head.name!)) throw new Error(`${code}.md: duplicate name ${head.name}`);
    names.add(head.name!);
    return { ...(head as unknown as CatalogueEntry), page: body };
  });
}

/** The front matter of a Markdown file, and the text below it. @throws if there is none. */
export function readPage(path: string): { head: Readonly<Record<string, string>>; body: string } {
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(readFileSync(path, 'utf8'));
  if (!match) throw new Error(`${path}: no front matter`);
  return { head: parse(match[1]!), body: match[2]!.trim() };
}

const camel = (name: string) => name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());

const holesOf = (text: string) => [...new Set([...text.matchAll(/\{([a-zA-Z]+)\}/g)].map(m => m[1]!))];

/** A template literal that takes the placeholder values from `holes`. */
function literal(text: string): string {
  const escaped = text.replace(/[\\`]|\$\{/g, '\\$&');
  return `\`${escaped.replace(/\{([a-zA-Z]+)\}/g, (_, hole) => `\${holes.${hole}}`)}\``;
}

export async function generate(root: string): Promise<Generated[]> {
  const catalogue = readCatalogue(root);
  const constructors = catalogue.map(({ code, name, severity, message, hint }) => {
    const holes = holesOf(message + hint);
    const type = `{ ${holes.map(hole => `${hole}: string | number`).join('; ')} }`;
    return [
      `/** ${code}: ${message.replace(/\*\//g, '* /')} */`,
      holes.length
        ? `export const ${camel(name)} = (holes: ${type}, where: DiagnosticPlace = {}): Diagnostic =>`
        : `export const ${camel(name)} = (_holes: Record<string, never> = {}, where: DiagnosticPlace = {}): Diagnostic =>`,
      `  make('${code}', '${severity}', ${literal(message)}, ${literal(hint)}, where);`,
    ].join('\n');
  });
  const pages = Object.fromEntries(catalogue.map(entry => [entry.code, entry]));
  return [
    {
      path: 'src/generated/diagnostics.ts',
      text: [
        "import type { Diagnostic, DiagnosticPlace } from '../text/diagnostics/diagnostic.ts';",
        "import { make } from '../text/diagnostics/make.ts';",
        '',
        ...constructors,
        '',
      ].join('\n'),
    },
    {
      path: 'src/generated/pages.ts',
      text: [
        'export interface Page { readonly code: string; readonly name: string; readonly severity: string; readonly message: string; readonly hint: string; readonly page: string }',
        `export const pages: Readonly<Record<string, Page>> = ${JSON.stringify(pages, null, 1)};`,
        '',
      ].join('\n'),
    },
  ];
}
