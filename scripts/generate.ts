/**
 * Makes everything in src/generated from the data of the project: diagnostics, types, validators, grammar,
 * templates and specs. `--check` fails when a text that is kept in version control would change.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** One generated file: path relative to the project, and its text. */
export interface Generated {
  readonly path: string;
  readonly text: string;
}

/** The steps of generation, in order; each is a module so that it can be read alone. */
const steps = [
  'diagnostics',
  'types',
  'grammar',
  'validators',
  'blocks',
  'data',
  'import',
  'foreign',
  'language-skill',
] as const;

export async function generate(): Promise<void> {
  for (const step of steps) {
    const module = (await import(`./generate/${step}.ts`)) as {
      generate(root: string): Promise<Generated[]>;
    };
    for (const file of await module.generate(root)) write(file);
  }
}

/** Leaves an unchanged file alone, so that watchers and caches stay calm. */
function write({ path, text }: Generated): void {
  const target = join(root, path);
  try {
    if (readFileSync(target, 'utf8') === text) return;
  } catch {
    mkdirSync(dirname(target), { recursive: true });
  }
  writeFileSync(target, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generate();
