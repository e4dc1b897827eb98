import type { Counts } from '../test/count.ts';

/** Counts of a round and the time it has; what there was no time for is said and counts as left out. */
export interface Round {
  readonly passed: number;
  readonly failed: number;
  isOver(): boolean;
  add(name: string, counts: Counts, output: string, milliseconds: number): void;
  leaveOut(name: string, why: string): void;
}

/** A round that may take so many seconds. It prints each result as it comes. */
export function startRound(limit: number): Round {
  const end = performance.now() + limit * 1000;
  const total = { passed: 0, failed: 0 };
  return {
    get passed() {
      return total.passed;
    },
    get failed() {
      return total.failed;
    },
    isOver: () => performance.now() > end,
    add(name, { passed, failed, skipped }, output, milliseconds) {
      total.passed += passed;
      total.failed += failed;
      const parts = [`${passed} passed`];
      if (failed) parts.push(`${failed} failed`);
      if (skipped) parts.push(`${skipped} skipped`);
      console.log(
        `${failed ? 'FAIL' : ' ok '} ${name}  ${parts.join(', ')}  ${(milliseconds / 1000).toFixed(1)} s`,
      );
      if (failed) console.log(output.replace(/^/gm, '     '));
    },
    leaveOut(name, why) {
      console.log(`left out: ${name}: ${why}`);
    },
  };
}
