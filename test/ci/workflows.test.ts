/** Checks the workflows and package metadata for publishing against the repository. */
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

const tests = suite('publishing');

tests('workflows run only existing scripts, with a timeout and minimal permissions', () => {
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

tests('changes are tested on three systems and on the oldest supported version of Node', () => {
  const { os, node } = workflow('ci.yml').jobs.test!.strategy!.matrix;
  assert.equal(os.map(name => name.split('-')[0]), ['ubuntu', 'macos', 'windows']);
  assert.is(`>=${Math.min(...node)}`, manifest.engines.node);
});

tests('a release is started manually and published with provenance', () => {
  assert.ok('workflow_dispatch' in parse(read('.github/workflows/release.yml')).on);
  assert.is(JSON.parse(read('editors/vscode/package.json')).version, manifest.version);
  const { permissions, steps } = workflow('release.yml').jobs.publish!;
  assert.is(permissions!['id-token'], 'write');
  assert.ok(steps.some(({ run }) => run?.includes('npm publish --provenance')));
  assert.match(manifest.repository.url, /^git\+https:/, 'npm compares the provenance with the repository URL');
});

tests('a release has an executable for each system, with a provenance attestation', () => {
  const { permissions, steps, strategy } = workflow('release.yml').jobs.executables!;
  const files = strategy!.matrix.include!.map(({ os, file }) => [os.split('-')[0], file.split('-')[1]]);
  assert.equal(files, [['ubuntu', 'linux'], ['ubuntu', 'linux'], ['macos', 'macos'], ['macos', 'macos'], ['windows', 'windows']]);
  assert.is(permissions!.attestations, 'write');
  assert.ok(steps.some(({ run }) => run?.includes('npm run build:sea')));
});

tests('the package exposes the program under both names, and is built when installed from Git', () => {
  assert.equal(manifest.bin, { instr: 'dist/prs.cjs', prs: 'dist/prs.cjs' });
  assert.match(read('scripts/prepare.ts'), /makeDist/);
  assert.is(manifest.scripts.prepare, 'tsx scripts/prepare.ts');
});

tests('the SchemaStore entry names the published schema', () => {
  const { url, fileMatch } = JSON.parse(read('schema/schemastore.json'));
  assert.is(url, JSON.parse(read('schema/config.schema.json')).$id);
  assert.equal(fileMatch, ['instr.yaml', 'instr.yml']);
});

tests.run();
