/**
 * The unit tests, and a round with the built program, on a Node for Windows under Wine. It is not Windows, but
 * separators, drive letters, missing permission bits and Node's own code for Windows are real. Where Wine or that Node
 * cannot be had nothing is run, and a line says so. Arguments choose unit tests by a part of their path.
 * It closes with `N passed, N failed`.
 */

import { root } from './generate.ts';
import { countResults } from './test/count.ts';
import { createSurroundings } from './test/surroundings.ts';
import { runRound } from './windows/round.ts';
import { bundleUnitTests } from './windows/unit.ts';
import { prepareWine, runNode } from './windows/wine.ts';

const total = { passed: 0, failed: 0 };
const indented = (text: string) => text.replace(/^/gm, '     ');

function check(what: string, holds: boolean, text = ''): void {
  total[holds ? 'passed' : 'failed']++;
  if (!holds) console.log(`FAIL ${what}\n${indented(text)}`);
}

async function runUnitTests(filters: readonly string[]): Promise<void> {
  const surroundings = createSurroundings();
  for (const [name, file] of await bundleUnitTests()) {
    if (filters.length > 0 && !filters.some(filter => name.includes(filter))) continue;
    const { status, text } = runNode(root, file, [], surroundings.environment);
    const { passed, failed } = countResults(text.replaceAll('\r\n', '\n'), status);
    total.passed += passed;
    total.failed += failed;
    console.log(`${failed ? 'FAIL' : ' ok '} ${name}  ${passed} passed${failed ? `, ${failed} failed` : ''}`);
    if (failed) console.log(indented(text));
  }
  surroundings.remove();
}

const missing = prepareWine();
if (missing === undefined) {
  const filters = process.argv.slice(2);
  await runUnitTests(filters);
  if (filters.length === 0) await runRound(check);
} else console.log(`Windows is left out: ${missing}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed ? 1 : 0;
