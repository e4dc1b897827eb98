export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/**
 * Reads the counts from the closing lines of uvu. Its total contains neither skipped tests nor tests hidden by `only`. So
 * every counted test that did not pass has failed, including tests that are not listed because a hook threw. A file fails
 * if these lines are missing, if it has no tests, or if it exits with an error after its last test.
 */
export function countResults(output: string, exitCode: number | null): Counts {
  // A test may print the output of another uvu run; the last match belongs to this run.
  const last = [...output.matchAll(/^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n/gm)].at(-1);
  const [total = 0, passed = 0, skipped = 0] = last?.slice(1).map(Number) ?? [];
  const failed = total - passed;
  const isComplete = total + skipped > 0 && (exitCode === 0 || failed > 0);
  return { passed, failed: isComplete ? failed : failed + 1, skipped };
}
