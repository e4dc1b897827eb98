/**
 * Generates src/generated from the data of the project: diagnostics, types, validators, grammar, templates and specs. Does
 * nothing if the data, the generators and the generated files are unchanged.
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from './files.ts';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** One generated file: its path relative to the root, and its text. */
export interface Generated {
  readonly path: string;
  readonly text: string;
}

/** The steps in order. Each is a module in generate/. */
const steps = ['diagnostics', 'types', 'grammar', 'validators', 'blocks', 'data'] as const;

/** Folders of the inputs of the result, next to the lock file of npm. `src` is included because the generators use its modules, and for the generated files. */
const inputs = ['conventions', 'schema', 'scripts', 'src', 'targets'];

/** File with the hash of `inputs` after the last generation. */
const stamp = join(root, 'src/generated/.stamp');

export async function generate(): Promise<void> {
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfInputs()) return;
  for (const step of steps) {
    const module = (await import(`./generate/${step}.ts`)) as {
      generate(root: string): Promise<Generated[]>;
    };
    for (const file of await module.generate(root)) write(file);
  }
  writeFileSync(stamp, hashOfInputs());
}

function hashOfInputs(): string {
  const hash = createHash('sha256');
  for (const path of inputs.flatMap(folder =>
    filesBelow(join(root, folder)).map(name => join(folder, name)),
  )) {
    const file = join(root, path);
    if (file !== stamp) hash.update(`${path}\0`).update(readFileSync(file)).update('\0');
  }
  hash.update(readFileSync(join(root, 'package-lock.json')));
  return hash.digest('hex');
}

/** Writes a file only if its text has changed, so that watchers and caches are not triggered. */
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
