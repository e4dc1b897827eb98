/** Tests under Node for Windows: bundled, since the esbuild of tsx is a program of this system. */
import { mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../generate.ts';
import { bundleTests } from '../test/bundle.ts';
import { countResults } from '../test/count.ts';
import { findTests } from '../test/find.ts';
import { createSurroundings } from '../test/surroundings.ts';
import type { Round } from './results.ts';
import { chosen } from './tests.ts';
import { cache, runNode, windowsPath } from './wine.ts';

const folder = join(cache, 'unit');

/** So many run beside one another: most of the time each waits for Wine. */
const atOnce = 2;

/** Seconds after which a file counts as hung. The slowest takes a tenth of it. */
const limit = 300;

const windowsAddress = (path: string): string =>
  new URL(`file:///${windowsPath(path).replaceAll('\\', '/')}`).href;

/** Name of a test to its bundle. */
function bundleChosen(filters: readonly string[]): Promise<(readonly [string, string])[]> {
  const tests = findTests(join(root, 'test')).filter(file =>
    (filters.length > 0 ? filters : chosen).some(part => relative(root, file).includes(part)),
  );
  return bundleTests(tests, folder, windowsAddress);
}

/** Runs the chosen tests, or those with one of these parts in their path, until the time of the round is up. */
export async function runUnitTests(filters: readonly string[], round: Round): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const queue = await bundleChosen(filters);
  const surroundings = createSurroundings();
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [name, file] = next;
      if (round.isOver()) round.leaveOut(name, 'the time of the round was up');
      else await runTest(name, file, surroundings.environment, round);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  surroundings.remove();
}

async function runTest(
  name: string,
  file: string,
  environment: NodeJS.ProcessEnv,
  round: Round,
): Promise<void> {
  const start = performance.now();
  let { status, text, hung } = await runNode(root, file, [], { environment, limit });
  // Now and then Wine ends a program before that has said a word.
  if (status !== 0 && !hung && text.trim() === '')
    ({ status, text, hung } = await runNode(root, file, [], { environment, limit }));
  const counts = countResults(text.replaceAll('\r\n', '\n'), status);
  const how = hung ? `It did not end within ${limit} s and was stopped.` : `It ended with ${status}.`;
  round.add(name, counts, `${text}\n${how}`, performance.now() - start);
}
