/**
 * Tests of what depends on a machine, and a round with the built program, on a Node for Windows under Wine. It is not
 * Windows, but separators, drive letters, missing permission bits and Node's own code for Windows are real. Where Wine
 * or that Node cannot be had nothing is run, and a line says so. Arguments choose tests by a part of their path.
 * It closes with `N passed, N failed`.
 */
import { startRound } from './windows/results.ts';
import { runRound } from './windows/round.ts';
import { runUnitTests } from './windows/unit.ts';
import { prepareWine, stopWine } from './windows/wine.ts';

/** Seconds. What was not begun by then is left out. */
const limit = 600;

const filters = process.argv.slice(2);
const missing = prepareWine();
const round = startRound(limit);
if (missing === undefined) {
  if (filters.length === 0) await runRound(round);
  await runUnitTests(filters, round);
  stopWine();
} else console.log(`Windows is left out: ${missing}`);
console.log(`${round.passed} passed, ${round.failed} failed`);
process.exitCode = round.failed ? 1 : 0;
