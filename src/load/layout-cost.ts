import type { MainFileState } from './main-files.ts';

/** Lower is better, the first difference decides. */
export type Cost = readonly [
  missing: number,
  copies: number,
  unneeded: number,
  texts: number,
  imports: number,
  foreign: number,
];

/** The cost of what changes nothing. */
export const noCost: Cost = [0, 0, 0, 0, 0, 0];

/** The cost of a file for the tool that reads it. */
export function costOf(state: MainFileState): Cost {
  if (state === 'none') return noCost;
  return state === 'text' ? [0, 0, 0, 1, 0, 0] : [0, 0, 0, 0, 1, 0];
}

/** The sum of two costs, part by part. */
export const addCost = (a: Cost, b: Cost): Cost => [
  a[0] + b[0],
  a[1] + b[1],
  a[2] + b[2],
  a[3] + b[3],
  a[4] + b[4],
  a[5] + b[5],
];

/** Negative when `a` is the better one. */
export function compareCost(a: Cost, b: Cost): number {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}
