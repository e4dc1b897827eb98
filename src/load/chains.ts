import type { TargetSpec } from '../generated/types/target.ts';
import { folderOf, foldersTo } from '../spec/reads.ts';
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
 * own, the root first. `paths` are the files that can be such ones. Folders without any text are left out.
 */
export function chainsOf(
  spec: TargetSpec,
  texts: ProjectTexts,
  paths: Iterable<string>,
  options?: ReadonlyMap<string, unknown>,
): readonly Chain[] {
  const limit = chainLimit(spec, options);
  if (!limit) return [];
  const mains = [...paths].filter(path => loadsPath(spec, path, other => texts.has(other)));
  const folders = new Set(mains.flatMap(path => foldersTo(folderOf(path))));
  // Where a file has to be read first, any file of the folder does.
  const isRead = spec.reads?.nested?.read === true;
  const chains = ['', ...[...folders].filter(folder => folder !== '').sort(compareCode)].map(folder =>
    folder !== '' && isRead
      ? wholeTexts(spec, texts, { at: '', read: [`${folder}/file`] })
      : wholeTexts(spec, texts, { at: folder, read: [] }),
  );
  return chains.filter(whole => whole.length > 0).map(whole => ({ whole, loaded: cutChain(whole, limit) }));
}

/** Whether a tool with such a limit loads any of the files, at the root or in a folder. */
export const hasChain = (
  spec: TargetSpec,
  texts: ProjectTexts & { keys(): Iterable<string> },
  options?: ReadonlyMap<string, unknown>,
): boolean => chainsOf(spec, texts, texts.keys(), options).length > 0;
