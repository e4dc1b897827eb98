import { didYouMean } from '../text/similar.ts';
import type { DataPath } from '../text/yaml.ts';

/** Reports a problem at a place of a spec: at the value there, or at its key. */
export type Fault = (path: DataPath, problem: string, hint: string, part?: 'key' | 'value') => void;

/** A name that does not exist, with the nearest one that does, and all others. */
export function reportUnknown(
  fault: Fault,
  path: DataPath,
  what: string,
  name: string,
  known: readonly string[],
  part?: 'key' | 'value',
): void {
  const list = known.join(', ') || 'none';
  fault(path, `there is no ${what} "${name}"`, `${didYouMean(name, known)}Known: ${list}.`, part);
}
