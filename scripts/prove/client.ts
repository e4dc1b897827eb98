/** The clients that can be run: one file of `targets/proof/` each. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import type { ProofClient } from '../../src/generated/types/proof-client.ts';

/** A client, by the id of the target that it is the proof of. */
export interface Client extends ProofClient {
  readonly id: string;
}

/** A value with its `{names}` replaced, in every text of it; a name that is not given stays. */
export function fill<T>(value: T, holes: Readonly<Record<string, string>>): T {
  if (typeof value === 'string')
    return value.replace(/\{(\w+)\}/g, (hole, name: string) => holes[name] ?? hole) as T;
  if (Array.isArray(value)) return value.map(item => fill(item, holes)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [fill(key, holes), fill(inner as unknown, holes)]),
  ) as T;
}

/** What is wrong with the text of a client's file, in words; nothing when it is right. */
export function problemsOf(data: unknown, folder: string): string[] {
  const schema = JSON.parse(readFileSync(join(folder, 'proof-client.schema.json'), 'utf8')) as object;
  const ajv = new Ajv({ allErrors: true, strict: false });
  if (ajv.validate(schema, data)) return [];
  return (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
}

/** The clients of a folder, in the order of their ids. @throws when a file is not as its schema wants it. */
export function readClients(folder: string): Client[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter(name => name.endsWith('.yaml'))
    .sort()
    .map(name => {
      const data: unknown = parse(readFileSync(join(folder, name), 'utf8'));
      const problems = problemsOf(data, folder);
      if (problems.length > 0) throw new Error(`${join(folder, name)}: ${problems.join('; ')}`);
      return { ...(data as ProofClient), id: name.slice(0, -'.yaml'.length) };
    });
}
