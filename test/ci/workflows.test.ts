/** The workflows and files by which the program reaches people say what holds. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { root } from '../support/compile.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes': number;
  readonly strategy?: {
    readonly matrix: {
      readonly os: readonly string[];
      readonly node: readonly number[];
      readonly include?: readonly { readonly os: string; readonly file: string }[];
    };
  };
  readonly steps: readonly { readonly run?: string }[];
}
const workflow = (name: string) => parse(read(`.github/workflows/${name}`)) as { permissions: object; jobs: Record<string, Job> };

const tests = suite('ways to people');

tests('workflows run scripts that there are, within a time, with no more rights than they need', () => {
  for (const name of readdirSync(join(root, '.github/workflows'))) {
    const { permissions, jobs } = workflow(name);
    assert.ok(permissions, name);
    for (const { steps, 'timeout-minutes': minutes } of Object.values(jobs)) {
      assert.ok(minutes > 0, name);
      for (const { run = '' } of steps)
        for (const [, script] of run.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) assert.ok(manifest.scripts[script!], `${name}: ${script}`);
    }
  }
});

tests('changes are tested on three systems and every line of Node that the package names', () => {
  const { os, node } = workflow('ci.yml').jobs.test!.strategy!.matrix;
  assert.equal(os.map(name => name.split('-')[0]), ['ubuntu', 'macos', 'windows']);
  assert.is(`>=${Math.min(...node)}`, manifest.engines.node);
});

tests('a maintainer starts a release by hand; it says where it was built', () => {
  assert.ok('workflow_dispatch' in parse(read('.github/workflows/release.yml')).on);
  assert.is(JSON.parse(read('editors/vscode/package.json')).version, manifest.version);
  const { permissions, steps } = workflow('release.yml').jobs.publish!;
  assert.is(permissions!['id-token'], 'write');
  assert.ok(steps.some(({ run }) => run?.includes('npm publish --provenance')));
  assert.match(manifest.repository.url, /^git\+https:/, 'provenance is compared with it');
});

tests('a release has an executable for each system, with a statement of where it was built', () => {
  const { permissions, steps, strategy } = workflow('release.yml').jobs.executables!;
  const files = strategy!.matrix.include!.map(({ os, file }) => [os.split('-')[0], file.split('-')[1]]);
  assert.equal(files, [['ubuntu', 'linux'], ['ubuntu', 'linux'], ['macos', 'macos'], ['macos', 'macos'], ['windows', 'windows']]);
  assert.is(permissions!.attestations, 'write');
  assert.ok(steps.some(({ run }) => run?.includes('npm run build:sea')));
});

tests('the package has the program under both names, and is built where Git installs it', () => {
  assert.equal(manifest.bin, { instr: 'dist/prs.cjs', prs: 'dist/prs.cjs' });
  assert.match(read('scripts/prepare.ts'), /makeDist/);
  assert.is(manifest.scripts.prepare, 'tsx scripts/prepare.ts');
});

tests('the entry for SchemaStore names the schema that is published', () => {
  const { url, fileMatch } = JSON.parse(read('schema/schemastore.json'));
  assert.is(url, JSON.parse(read('schema/config.schema.json')).$id);
  assert.equal(fileMatch, ['instr.yaml', 'instr.yml']);
});

tests.run();
