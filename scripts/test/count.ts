export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Counts come from the closing lines of uvu. Its total holds neither what is skipped nor what an `only` hides, so that
 * every test of it that did not pass has failed, also one that no line names because a hook before it threw. A file
 * that closes without these lines, that holds no test, or that ends badly after its last test, is a failure.
 */
export function countResults(output: string, exitCode: number | null): Counts {
  // A test may print what another run of uvu said; the last word is its own.
  const last = [...output.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n/gm)].at(-1);
  const [total = 0, passed = 0, skipped = 0] = last?.slice(1).map(Number) ?? [];
  const failed = total - passed;
  const isWhole = total + skipped > 0 && (exitCode === 0 || failed > 0);
  return { passed, failed: isWhole ? failed : failed + 1, skipped };
}
