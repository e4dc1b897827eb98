import { executablesOf } from '../check/policy/executables.ts';
import { executableUnrecorded } from '../generated/diagnostics.ts';
import type { NewlyExecutable } from '../generated/types/report.ts';
import { sha256 } from '../host/hash.ts';
import type { Executables, Lock } from '../registry/lock.ts';
import type { Program } from '../resolve/program.ts';
import { resolveProgram } from '../resolve/resolve.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import type { Gathered } from './gather/gather.ts';

/** Something executable from a registry, as recorded in the lock file. */
export interface RecordedExecutable extends NewlyExecutable {
  readonly span: Span;
}

/** The facts that reports show. */
export const executableFacts = ({ name, word, sha256, from }: RecordedExecutable): NewlyExecutable => ({
  name,
  word,
  sha256,
  from,
});

/**
 * Lists what registries contribute that can be executed. The result does not depend on environment variables. A folder
 * inside the repository belongs to the project.
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

/** Whether a lock records the same executable from the same registry. */
export const isRecorded = ({ name, sha256, from }: RecordedExecutable, lock: Lock | undefined): boolean =>
  lock?.executables?.get(name)?.get(sha256) === from;

/** Combines executables of several builds for a lock. */
export function joinExecutables(found: readonly RecordedExecutable[]): Executables {
  const joined = new Map<string, ReadonlyMap<string, string>>();
  for (const { name, sha256, from } of found)
    joined.set(name, new Map([...(joined.get(name) ?? []), [sha256, from]]));
  return joined;
}

/** The lock of a run, and whether the run may only read pinned sources. */
export interface LockState {
  readonly lock: Lock | undefined;
  readonly frozen: boolean;
  /** Collects executables instead of checking them. */
  readonly collected?: RecordedExecutable[] | undefined;
}

/** Reports executables that are not recorded: as errors if there is a lock, else as warnings. */
export function checkExecutables(
  found: readonly RecordedExecutable[],
  { lock, frozen, collected }: LockState,
  report: Report,
): void {
  if (collected) {
    collected.push(...found);
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
