/**
 * Which paths may be written. Names come from sources, registries and configuration, so a path is judged here once
 * more, whatever the phases before did: it must stay below the project root on every system that checks it out.
 */
import { checkRelativePath, pathKey } from '../text/portable-path.ts';

/**
 * Files and folders of the compiler itself: sources, configuration, lock. An output there would overwrite its own
 * input.
 */
const ownPlaces = new Set(['.instr', 'instr.yaml', 'instr.yml', 'instr.lock']);

/** Like `checkRelativePath`, for a generated file: it may not lie where the sources of the project live either. */
export function checkOutputPath(path: string): string | undefined {
  const problem = checkRelativePath(path);
  if (problem) return problem;
  const slash = path.indexOf('/');
  const first = pathKey(slash === -1 ? path : path.slice(0, slash));
  if (ownPlaces.has(first)) return `lies in ${first}, where the sources of the project live`;
  return undefined;
}

/** The folder of a path; empty for a path in the root. */
export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash === -1 ? '' : path.slice(0, slash);
}
