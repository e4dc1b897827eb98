import { isAbsolute, join, relative } from 'node:path';
import { sha256 } from '../../host/hash.ts';
import type { Disk, Stat, WritableDisk } from '../../host/host.ts';
import { interceptReads, type Question, questions } from '../../host/intercept-reads.ts';

/** What distinguishes one state of a path from another: kind, size, inode, times. */
type Facts = readonly (string | number)[];

/**
 * A question to the disk and what it said, with paths from the root of the project: the same wherever that lies. The
 * facts save reading again what nobody has touched on this machine.
 */
export type Read = readonly [question: number, path: string, answer: string, facts?: Facts];

/** A disk that records its reads. */
export interface Trace {
  readonly disk: WritableDisk;
  /** `undefined`: something was asked that cannot be asked again. */
  reads(): readonly Read[] | undefined;
}

/** What is noted about files that changed since `began` is not trusted; their contents are compared. */
export function traceDisk(below: WritableDisk, root: string, began: number): Trace {
  const answers = questions.map(() => new Map<string, string>());
  let whole = true;
  const disk = interceptReads(below, (question, path) => {
    try {
      const said = below[question](path);
      const known = answers[questions.indexOf(question)]!;
      if (!known.has(path)) known.set(path, digest(said, root));
      return said;
    } catch (error) {
      whole = false;
      throw error;
    }
  });
  return {
    disk,
    reads: () => {
      if (!whole) return undefined;
      const reads: Read[] = [];
      for (const [at, known] of answers.entries())
        for (const [path, answer] of known) {
          const facts = factsAt(below, questions[at]!, path);
          const isOld = facts?.slice(-2).every(time => (time as number) < began);
          const inner = relative(root, path);
          reads.push(facts && isOld ? [at, inner, answer, facts] : [at, inner, answer]);
        }
      return reads;
    },
  };
}

/** Whether the disk gives the same answers. */
export function isCurrent(reads: readonly Read[], root: string, disk: Disk): boolean {
  try {
    return reads.every(([at, inner, answer, facts]) => {
      const question = questions[at]!;
      const path = join(root, inner);
      if (facts && sameFacts(facts, factsAt(disk, question, path))) return true;
      return digest(disk[question](path), root) === answer;
    });
  } catch {
    return false;
  }
}

const sameFacts = (a: Facts, b: Facts | undefined): boolean =>
  b !== undefined && a.length === b.length && a.every((value, at) => value === b[at]);

/** Where links lead, and whether nothing is there, is asked again each time. */
function factsAt(disk: Disk, method: Question, path: string): Facts | undefined {
  if (method === 'realpath' || method === 'readLink') return undefined;
  const found = method === 'lstat' ? disk.lstat(path) : disk.stat(path);
  if (!found?.identity) return undefined;
  const { kind, size, mode, mtimeMs, identity } = found;
  // Folders get and lose entries; only who asked for these cares.
  if (kind === 'directory' && method !== 'list') return undefined;
  return [kind, size, mode, identity.inode, mtimeMs, identity.ctimeMs];
}

/** An answer as a short text that is the same on every machine. */
function digest(said: unknown, root: string): string {
  if (said === undefined) return '';
  if (said instanceof Uint8Array) return sha256(said);
  if (Array.isArray(said))
    return sha256(Buffer.from(JSON.stringify(said.map(({ name, kind }) => [name, kind]))));
  if (typeof said === 'string') return isAbsolute(said) ? `>${relative(root, said)}` : `=${said}`;
  const { kind, size, mode } = said as Stat;
  return kind === 'file' ? `file ${size} ${mode.toString(8)}` : kind;
}
