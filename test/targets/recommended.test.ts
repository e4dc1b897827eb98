/** The main file of each tool is the one that its vendor recommends. */
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { builtinIds } from '../../src/spec/load.ts';
import { allVersions, compileModel, openKitchenSink } from '../support/compile.ts';

const recommended = JSON.parse(readFileSync(new URL('recommended.json', import.meta.url), 'utf8')) as Record<
  string,
  { path: string | null; reason?: string }
>;

const tests = suite('main files');

tests('all tools of the table exist', () => {
  const ids = builtinIds();
  assert.ok(Object.keys(recommended).length >= 49);
  assert.equal(Object.keys(recommended).filter(id => !ids.includes(id)), []);
});

for (const { loaded, id, version } of allVersions(Object.keys(recommended))) {
  if (version !== loaded.spec.defaultVersion) continue;
  tests(`${id} writes its instructions where the tool reads them`, async () => {
    const { model } = await openKitchenSink();
    const { files } = await compileModel(model, [{ loaded, config: { version } }]);
    const { path } = recommended[id]!;
    const mains = Object.values(loaded.spec.files).filter(
      file => file.kind === 'document' && file.of === 'instructions' && (file.versions?.includes(version) ?? true),
    );
    if (path === null) assert.is(mains.length, 0);
    else {
      const main = files.find(file => file.path === path);
      assert.ok(main, `${path} is not among ${files.map(file => file.path).join(', ')}`);
      const text = new TextDecoder().decode(main.bytes);
      assert.ok(text.includes('You are a careful engineer on Lantern'), `${path} holds no instructions`);
    }
  });
}

tests.run();
