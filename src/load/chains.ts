import type { TargetSpec } from '../generated/types/target.ts';
import { foldersTo } from '../spec/reads.ts';
import { compareCode } from '../text/order.ts';
import {
  chainLimit,
  cutChain,
  type Loaded,
  type LoadedPart,
  loadsPath,
  type ProjectTexts,
  wholeTexts,
} from './load.ts';

/** The main files that a tool has together when it works in one folder. */
export interface Chain {
  /** Before any cut. */
  readonly whole: readonly LoadedPart[];
  readonly loaded: Loaded;
}

/**
 * What a tool with a limit for all main files together loads at the root and in every folder with a main file of its
 * own, the root first. `paths` are the files that may be such ones.
 */
export function chainsOf(
  spec: TargetSpec,
  texts: ProjectTexts,
  paths: Iterable<string>,
  options?: ReadonlyMap<string, unknown>,
): readonly Chain[] {
  const limit = chainLimit(spec, options);
  if (!limit) return [];
  return [...wholeChains(spec, texts, paths)].map(whole => ({ whole, loaded: cutChain(whole, limit) }));
}

/** Whether a tool with such a limit loads any of the files, at the root or in a folder. */
export const hasChain = (
  spec: TargetSpec,
  texts: ProjectTexts & { keys(): Iterable<string> },
  options?: ReadonlyMap<string, unknown>,
): boolean => chainLimit(spec, options) !== undefined && !wholeChains(spec, texts, texts.keys()).next().done;

/** The texts of the root, then those of each folder below, before any cut; folders without any are left out. */
function* wholeChains(
  spec: TargetSpec,
  texts: ProjectTexts,
  paths: Iterable<string>,
): Generator<readonly LoadedPart[], void> {
  const root = wholeTexts(spec, texts, { at: '', read: [] });
  if (root.length > 0) yield root;
  const has = (path: string) => texts.has(path);
  const folders = new Set<string>();
  for (const path of paths) {
    if (loadsPath(spec, path, has))
      for (const folder of foldersTo(path.slice(0, Math.max(0, path.lastIndexOf('/'))))) folders.add(folder);
  }
  folders.delete('');
  for (const folder of [...folders].sort(compareCode)) {
    // Where a file has to be read first, any file of the folder does.
    const situation =
      spec.reads?.nested?.read === true ? { at: '', read: [`${folder}/file`] } : { at: folder, read: [] };
    const whole = wholeTexts(spec, texts, situation);
    if (whole.length > 0) yield whole;
  }
}
