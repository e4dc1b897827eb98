/**
 * The outputs of every target and version match the golden files. `npm run golden` writes them; this test only reads
 * them.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseOmissions } from '../../scripts/golden/omissions.ts';
import { compareGoldens, readListing, recordedTargets } from '../../scripts/golden/store.ts';
import { makeGoldens } from '../../scripts/golden.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { allVersions } from '../support/compile.ts';

const tests = suite('goldens');
const made = await makeGoldens();

tests('compiling every target and version reports no error', () => {
  assert.is(renderText(made.diagnostics.filter(({ severity }) => severity === 'error')), '');
});

tests('trees and omissions match the golden files', () => {
  assert.is(compareGoldens(made.goldens).join('\n'), '');
});

tests('there are golden files for every target and version, and no others', () => {
  const expected = allVersions().map(({ id, version }) => `${id}/${version}`);
  const recorded = recordedTargets().flatMap(id => Object.keys(readListing(id)).map(version => `${id}/${version}`));
  assert.equal(recorded.sort(), expected.sort());
});

tests('reports changed, missing and surplus files', () => {
  const [[path, file]] = made.goldens as unknown as [[string, { bytes: Uint8Array; executable: boolean }]];
  const changed = new Map(made.goldens);
  changed.delete(path);
  changed.set(`${path}.new`, file);
  const others = [...changed.keys()].find(key => key.endsWith('.md'))!;
  changed.set(others, { bytes: new TextEncoder().encode('other'), executable: false });
  const reported = compareGoldens(changed).join('\n');
  assert.match(reported, `${path}.new is missing`);
  assert.match(reported, `${path} is no longer written`);
  assert.match(reported, `${others} differs in line 1`);
});

tests('every omission has advice', () => {
  for (const [path, { bytes }] of made.goldens) {
    if (!path.endsWith('/omissions.txt')) continue;
    for (const { source, advice } of parseOmissions(new TextDecoder().decode(bytes)))
      assert.match(advice, /^\S.{10,}[.;)]$/s, `${path}: ${source}`);
  }
});

tests.run();
