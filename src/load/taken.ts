import type { TargetSpec } from '../generated/types/target.ts';
import { importsOf } from './imports.ts';
import { followsImports, takesImport, takesMain } from './load.ts';

/**
 * The main files among texts that a tool loads, also because another one of them imports it: `CLAUDE.md` with the line
 * `@AGENTS.md` is nothing without that file. `exists` answers for further files.
 */
export function takenMains(
  spec: TargetSpec,
  texts: ReadonlyMap<string, string>,
  exists: (path: string) => boolean = () => false,
): ReadonlySet<string> {
  const { reads } = spec;
  const taken = new Set<string>();
  const follow = (path: string, depth: number): void => {
    if (taken.has(path)) return;
    taken.add(path);
    if (!reads || !followsImports(reads, path, depth)) return;
    for (const target of importsOf(path, texts.get(path)!, other => texts.has(other)))
      if (takesImport(reads, target)) follow(target, depth + 1);
  };
  for (const path of texts.keys())
    if (takesMain(spec, path, other => texts.has(other) || exists(other))) follow(path, 0);
  return taken;
}
