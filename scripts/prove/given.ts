/** Identifies what a proof is valid for: the compiled files that a client was given. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSpec } from '../../src/kinds/lint/spec.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { compileModel, type Opened, openModel } from '../../test/support/compile.ts';
import { canaryFolder } from './scene.ts';

let canary: Promise<Opened> | undefined;

/**
 * Hash of the files that the canary project compiles to for the target of `loaded` in its default version. A change of
 * the spec, the templates or the engine makes a proof stale only if it changes one of these files.
 */
export async function hashOfFiles(loaded: LoadedSpec): Promise<string> {
  canary ??= openModel(canaryFolder);
  const { model } = await canary;
  const hash = createHash('sha256');
  for (const { path, bytes, executable } of (await compileModel(model, [{ loaded }])).files)
    hash.update(`${path}\0${executable}\0${bytes.length}\0`).update(bytes);
  return hash.digest('hex').slice(0, 12);
}

/** The text of a spec in `folder` and the hash of its files. @throws if the spec has an error. */
export async function readProven(folder: string, id: string): Promise<{ text: string; files: string }> {
  const text = readFileSync(join(folder, `${id}.yaml`), 'utf8');
  const faults: string[] = [];
  const loaded = await readSpec({ name: `${id}.yaml`, text }, id, fault => faults.push(renderText([fault])));
  if (!loaded) throw new Error(faults.join(''));
  return { text, files: await hashOfFiles(loaded) };
}
