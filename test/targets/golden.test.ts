/** What every target and version writes is what reviewers have seen. `npm run golden` writes, this only reads. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parseOmissions } from '../../scripts/golden/omissions.ts';
import { compareGoldens, readListing, recordedTargets } from '../../scripts/golden/store.ts';
import { makeGoldens } from '../../scripts/golden.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { allVersions } from '../support/compile.ts';

const tests = suite('goldens');
const made = await makeGoldens();

tests('compiling every target and version gives no error', () => {
  assert.is(renderText(made.diagnostics.filter(({ severity }) => severity === 'error')), '');
});

tests('trees and omissions are the recorded ones', () => {
  assert.is(compareGoldens(made.goldens).join('\n'), '');
});

tests('every target and version is recorded, and no other', () => {
  const wanted = allVersions().map(({ id, version }) => `${id}/${version}`);
  const recorded = recordedTargets().flatMap(id => Object.keys(readListing(id)).map(version => `${id}/${version}`));
  assert.equal(recorded.sort(), wanted.sort());
});

tests('a tree that differs, lacks a file or has one too many is told', () => {
  const [[path, file]] = made.goldens as unknown as [[string, { bytes: Uint8Array; executable: boolean }]];
  const changed = new Map(made.goldens);
  changed.delete(path);
  changed.set(`${path}.new`, file);
  const others = [...changed.keys()].find(key => key.endsWith('.md'))!;
  changed.set(others, { bytes: new TextEncoder().encode('other'), executable: false });
  const told = compareGoldens(changed).join('\n');
  assert.match(told, `${path}.new is missing`);
  assert.match(told, `${path} is no longer written`);
  assert.match(told, `${others} differs in line 1`);
});

tests('every omission says what to do', () => {
  for (const [path, { bytes }] of made.goldens) {
    if (!path.endsWith('/omissions.txt')) continue;
    for (const { source, advice } of parseOmissions(new TextDecoder().decode(bytes)))
      assert.match(advice, /^\S.{10,}[.;)]$/s, `${path}: ${source}`);
  }
});

tests.run();
