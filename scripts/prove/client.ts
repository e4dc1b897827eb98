/** The clients that can be run. Each is described by one file in `targets/proof/`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { ProofClient } from '../../src/generated/types/proof-client.ts';
import { namesIn } from '../files.ts';

/** A client. `id` is the id of the target that it proves. */
export interface Client extends ProofClient {
  readonly id: string;
}

/** Replaces the `{name}` placeholders in all strings of a value. Unknown placeholders are kept. */
export function fill<T>(value: T, holes: Readonly<Record<string, string>>): T {
  if (typeof value === 'string')
    return value.replace(/\{(\w+)\}/g, (hole, name: string) => holes[name] ?? hole) as T;
  if (Array.isArray(value)) return value.map(item => fill(item, holes)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [fill(key, holes), fill(inner as unknown, holes)]),
  ) as T;
}

/** Validation errors of a client's file; empty if it is valid. */
export function problemsOf(data: unknown, folder: string): string[] {
  const schema = JSON.parse(readFileSync(join(folder, 'proof-client.schema.json'), 'utf8')) as object;
  const ajv = new Ajv({ allErrors: true, strict: false });
  if (ajv.validate(schema, data)) return [];
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
}

/** The clients of a folder, in the order of their ids. @throws if a file does not match its schema. */
export function readClients(folder: string): Client[] {
  return namesIn(folder, '.yaml').map(id => {
    const file = join(folder, `${id}.yaml`);
    const data: unknown = parse(readFileSync(file, 'utf8'));
    const problems = problemsOf(data, folder);
    if (problems.length > 0) throw new Error(`${file}: ${problems.join('; ')}`);
    return { ...(data as ProofClient), id };
  });
}
