import { join } from 'node:path';
import { cacheDirectory } from '../host/cache-dir.ts';
import { sha256 } from '../host/hash.ts';
import { HostError } from '../host/host.ts';
import { readRecord, writeRecord } from '../host/records.ts';
import type { WithEnvironment } from './session/world.ts';

/** What a formatter made of texts, kept between runs: it takes longer than all the rest of a compile. */
export interface FormattedTexts {
  readonly get: (text: string) => string | undefined;
  readonly set: (text: string, formatted: string) => void;
  /** Keeps what is new for later runs. A cache that cannot be written is no failure. */
  readonly keep: () => void;
}

/** What is known while a run lasts, where nothing outside of its values is asked. */
export function memoryTexts(): FormattedTexts {
  const known = new Map<string, string>();
  return {
    get: text => known.get(text),
    set: (text, formatted) => void known.set(text, formatted),
    keep: () => {},
  };
}

/** Texts of earlier runs that are kept beside those of the last one: other builds of a project have their own. */
const mostKept = 1000;

const hashOf = (text: string): string => sha256(Buffer.from(text));

/** Opens what is kept of a project for a formatter: `settings` are all that decides what it makes of a text. */
export function openFormatted(
  root: string,
  settings: unknown,
  { environment }: WithEnvironment,
): FormattedTexts {
  const name = hashOf(JSON.stringify([root, settings]));
  const path = join(cacheDirectory(environment), 'formatted', name);
  const kept = new Map(Object.entries(readRecord<Record<string, string>>(path)?.header ?? {}));
  const used = new Map<string, string>();
  let isNew = false;
  return {
    get: text => {
      const hash = hashOf(text);
      const found = used.get(hash) ?? kept.get(hash);
      if (found !== undefined) used.set(hash, found);
      return found;
    },
    set: (text, formatted) => {
      used.set(hashOf(text), formatted);
      isNew = true;
    },
    keep: () => {
      if (!isNew) return;
      const others = [...kept].filter(([hash]) => !used.has(hash)).slice(0, mostKept);
      try {
        writeRecord(path, Object.fromEntries([...used, ...others]), []);
      } catch (error) {
        if (!(error instanceof HostError)) throw error;
      }
    },
  };
}
