import { join } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import type { Disk } from '../../host/host.ts';
import type { Outside } from '../../host/outside.ts';
import { readRecord, writeRecord } from '../../host/records.ts';
import { manifestPath } from '../../plan/manifest.ts';
import type { Compiling } from '../../session/world.ts';
import { LOCK_FILE } from '../lock.ts';
import { dayOf } from '../open/waivers.ts';
import { isCurrent, type Read } from './trace.ts';

/** What decided what a run says. */
export interface Traced {
  /** `undefined`: something that cannot be asked again. */
  readonly reads: readonly Read[] | undefined;
  /** Variables of the environment that the sources ask for. */
  readonly variables: readonly string[];
  readonly outside: readonly Outside[];
}

interface Kept<T> {
  readonly value: T;
  readonly reads: readonly Read[];
  /** Variables that were not set. */
  readonly unset: readonly string[];
  /** Absent where the day does not count. */
  readonly day?: string;
}

/** What is kept of one project in one state. */
export interface Entry {
  /** What was written under a name, while nothing has changed that decided it. */
  read<T>(name: string, context: Compiling): T | undefined;
  /** Keeps something, unless what decided it cannot be asked again. */
  write(name: string, value: unknown, traced: Traced): void;
}

/** Results by the content of projects: the same wherever a project lies. */
export interface Cache {
  open(root: string, disk: Disk): Entry;
}

/** What most changes of a project change, and what makes it this one. */
const telling = ['instr.yaml', 'instr.yml', LOCK_FILE, manifestPath];

/** Opens the cache in a folder. `program` tells builds of the program apart: another one may say something else. */
export function openCache(folder: string, program: string, context: Compiling): Cache {
  const { environment } = context;
  const today = dayOf(context);
  return {
    open(root, disk) {
      const contents = telling.map(path => {
        const bytes = disk.readBytes(join(root, ...path.split('/')));
        return bytes ? sha256(bytes) : '';
      });
      const pathOf = (name: string) =>
        join(folder, sha256(Buffer.from(JSON.stringify([program, contents, name]))));
      return {
        read: <T>(name: string) => {
          const kept = readRecord<Kept<T>>(pathOf(name))?.header;
          if (!kept || (kept.day !== undefined && kept.day !== today)) return undefined;
          if (kept.unset.some(variable => environment[variable] !== undefined)) return undefined;
          return isCurrent(kept.reads, root, disk) ? kept.value : undefined;
        },
        write: (name, value, { reads, variables, outside }) => {
          // Values of variables may be secret, and are kept nowhere.
          const isSet = variables.some(variable => environment[variable] !== undefined);
          if (!reads || isSet || outside.some(what => what === 'git' || what === 'formatter')) return;
          const day = outside.includes('day') ? { day: today } : {};
          const kept: Kept<unknown> = { value, reads, unset: variables, ...day };
          writeRecord(pathOf(name), kept, []);
        },
      };
    },
  };
}
