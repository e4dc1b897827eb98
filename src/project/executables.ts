import { executablesOf } from '../check/policy/executables.ts';
import { executableUnrecorded } from '../generated/diagnostics.ts';
import { sha256 } from '../host/hash.ts';
import type { Executables, Lock } from '../registry/lock.ts';
import type { Program } from '../resolve/program.ts';
import { resolveProgram } from '../resolve/resolve.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { Gathered } from './gather/gather.ts';

/** Something executable of a registry as a lock records it. */
export interface RecordedExecutable {
  readonly name: string;
  readonly word: string;
  /** Hash of what it runs or permits, as far as registries say it. */
  readonly sha256: string;
  /** Addresses of the registries that it comes from. */
  readonly from: string;
  readonly span: Span;
}

/** What people and programs are shown of it. */
export type ExecutableFacts = Omit<RecordedExecutable, 'span'>;

/** Without the place in the source. */
export const executableFacts = ({ name, word, sha256, from }: RecordedExecutable): ExecutableFacts => ({
  name,
  word,
  sha256,
  from,
});

/**
 * What registries bring along and can run. The same on every machine: the values of environment variables do not
 * count. A directory in the repository of the project is the project's own.
 */
export function recordExecutables(
  gathered: Pick<Gathered, 'units' | 'entryId' | 'includeIds' | 'discoveredIds' | 'localId' | 'inherit'>,
): RecordedExecutable[] {
  const units = [...gathered.units.values()];
  if (!units.some(({ layer }) => layer.remote && !layer.own)) return [];
  const program: Program = resolveProgram({ ...gathered, env: name => `\${${name}}` }, () => {});
  return executablesOf(program).flatMap(({ name, word, layers, span, content }) => {
    const foreign = layers.filter(({ own }) => !own);
    const from = [...new Set(foreign.map(({ registry, reference }) => registry ?? reference))]
      .sort()
      .join(' ');
    return foreign.length === 0
      ? []
      : [{ name, word, sha256: sha256(new TextEncoder().encode(content())), from, span }];
  });
}

/** Whether a lock has this very thing, from the same place. */
export const isRecorded = ({ name, sha256, from }: RecordedExecutable, lock: Lock | undefined): boolean =>
  lock?.executables?.get(name)?.get(sha256) === from;

/** Things of several builds as a lock keeps them. */
export function joinExecutables(found: readonly RecordedExecutable[]): Executables {
  const joined = new Map<string, Map<string, string>>();
  for (const { name, sha256, from } of found) {
    const hashes = joined.get(name) ?? new Map<string, string>();
    joined.set(name, hashes.set(sha256, from));
  }
  return joined;
}

/** What a run knows about the lock: whether there is one, and whether it may read only what that pins. */
export interface LockState {
  readonly lock: Lock | undefined;
  readonly frozen: boolean;
  /** Takes what is found; nothing is judged then. */
  readonly found?: RecordedExecutable[] | undefined;
}

/**
 * Reports what can run and the lock does not record: an error with a lock, because somebody has to look at it first;
 * without one a warning.
 */
export function checkExecutables(
  found: readonly RecordedExecutable[],
  { lock, frozen, found: taken }: LockState,
  report: Report,
): void {
  if (taken) {
    taken.push(...found);
    return;
  }
  for (const one of found) {
    if (isRecorded(one, lock)) continue;
    const where = { span: one.span };
    const holes = { name: one.name, word: one.word, from: one.from };
    if (lock || frozen) report(executableUnrecorded(holes, where));
    else report(executableUnrecorded(holes, { ...where, severity: 'warning' }));
  }
}
