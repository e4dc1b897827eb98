import type { TargetSpec } from '../../generated/types/target.ts';
import type { SourceFile } from '../write/write-sources.ts';
import { withTargets } from './items.ts';
import type { Kept, KeptTarget, Reading, Refused } from './keeping.ts';

/** A folder with a `SKILL.md`, where a tool finds it. */
export interface SkillFolder {
  /** Path of its `SKILL.md`. */
  readonly path: string;
  readonly name: string;
  /** Where it really lies; links lead there. */
  readonly real: string;
  readonly readers: readonly TargetSpec[];
  /** It is found where it lies, without being named. */
  readonly found: boolean;
  /** Every file of it, `SKILL.md` first. */
  readonly files: readonly SkillFile[];
}

export interface SkillFile {
  /** Relative to the folder. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}

export interface KeptSkills {
  readonly sources: readonly SourceFile[];
  readonly kept: readonly Kept[];
  readonly left: readonly Reading[];
  readonly targets: readonly KeptTarget[];
}

/**
 * Skills as whole folders. One that discovery finds where it lies stays there. A tool gets only the skills that it
 * has already.
 */
export function skillSources(
  folders: readonly SkillFolder[],
  specs: readonly TargetSpec[],
  refused: Refused,
): KeptSkills {
  const sources: SourceFile[] = [];
  const kept: Kept[] = [];
  const left: Reading[] = [];
  const has = new Map(specs.map(spec => [spec, new Set<string>()]));
  const inPlace = new Set<string>();
  for (const [name, group] of byName(folders)) {
    const usable = group.filter(({ path, readers }) => {
      const reason = refused.get(path);
      if (reason !== undefined) left.push({ path, specs: readers, reason });
      return reason === undefined;
    });
    const first = usable.find(({ found }) => found) ?? usable[0];
    if (!first) continue;
    const same = usable.filter(other => other.real === first.real || sameFiles(other, first));
    for (const other of usable) {
      if (same.includes(other)) continue;
      const reason = `another skill of that name says something else (${first.path})`;
      left.push({ path: other.path, specs: other.readers, reason });
    }
    const readers = new Set(same.flatMap(other => other.readers));
    for (const spec of readers) has.get(spec)?.add(name);
    if (first.found) {
      inPlace.add(name);
      kept.push(...same.map(({ path }) => ({ path, source: first.path })));
      continue;
    }
    const folder = `.instr/skills/${name}`;
    const ids = specs.filter(spec => readers.has(spec)).map(({ id }) => id);
    for (const { path, bytes, executable } of first.files) {
      const text =
        path === 'SKILL.md' && ids.length < specs.length
          ? withTargets(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), ids)
          : bytes;
      sources.push({ path: `${folder}/${path}`, text, executable });
    }
    kept.push(...same.map(({ path }) => ({ path, source: `${folder}/SKILL.md` })));
  }
  // What is found in place is for every tool; those that do not have it are to be kept from it by their settings.
  const targets = specs.map((spec): KeptTarget => {
    const own = has.get(spec)!;
    return [...inPlace].every(name => own.has(name)) ? { spec } : { spec, skills: [...own].sort() };
  });
  return { sources, kept, left, targets };
}

function byName(folders: readonly SkillFolder[]): Map<string, SkillFolder[]> {
  const groups = new Map<string, SkillFolder[]>();
  for (const folder of folders) groups.set(folder.name, [...(groups.get(folder.name) ?? []), folder]);
  return groups;
}

const sameFiles = (a: SkillFolder, b: SkillFolder): boolean =>
  a.files.length === b.files.length &&
  a.files.every(({ path, bytes }, index) => {
    const other = b.files[index]!;
    return other.path === path && Buffer.compare(other.bytes, bytes) === 0;
  });
