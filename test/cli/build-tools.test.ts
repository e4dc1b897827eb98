/** Runs the build tool examples of ORGANISATIONS.md with the tools that `npm run test:build-tools` has installed. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildTools, modulesOf } from '../../scripts/build-tools.ts';
import { needing } from '../support/machine.ts';
import { environment, program, project, prs, read, write } from './prs.ts';

const tests = suite('build tools');
const onUnixWithGit = needing(tests, 'git', 'symbolic links');
const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;

const document = readFileSync(new URL('../../ORGANISATIONS.md', import.meta.url), 'utf8');
const script = /```js\n(\/\/ instructions\.mjs[\s\S]*?)```/.exec(document)![1]!;
const rule = /```starlark\n(# packages\/app\/BUILD\.bazel[\s\S]*?)```/.exec(document)![1]!;

/** Creates a repository with one package that uses a folder of the root. `prs` is on the PATH. */
function repository() {
  const folder = project({
    'package.json': '{ "name": "all", "private": true, "packageManager": "npm@10.8.2", "workspaces": ["packages/*"] }\n',
    'package-lock.json': '{ "name": "all", "lockfileVersion": 3, "packages": {} }\n',
    '.gitignore': 'node_modules\n.turbo\n.nx\n',
    'turbo.json': '{ "tasks": { "instructions": {} } }\n',
    'nx.json': '{}\n',
    'instructions.mjs': script,
    'shared/house.prs': `${meta('house')}@standards { house: ["Of the house"] }\n`,
    'packages/app/package.json': '{ "name": "app", "version": "1.0.0", "scripts": { "instructions": "prs compile" } }\n',
    'packages/app/instr.yaml': 'id: app\nsyntax: "1.5.0"\ntargets: [claude]\nregistries: { "@root": { path: ../../shared } }\n',
    'packages/app/.instr/project.prs': `${meta('app')}@use @root/house\n`,
  });
  const bin = project({});
  symlinkSync(program, join(bin, 'prs'));
  const app = join(folder, 'packages/app');
  assert.is(prs(app, ['compile']).status, 0);
  const quiet = { NX_DAEMON: 'false', NX_TUI: 'false', NX_NO_CLOUD: 'true', TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', NO_COLOR: '1' };
  const env = environment({ PATH: `${bin}${delimiter}${process.env.PATH}`, ...quiet });
  const prepare = (tool: string) => {
    execFileSync(process.execPath, ['../../instructions.mjs', tool], { cwd: app, env });
    execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder });
    execFileSync('git', ['add', '-A'], { cwd: folder });
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '-m', 'All'], { cwd: folder });
  };
  return { folder, app, env, prepare };
}

const runs = {
  turbo: { args: ['run', 'instructions'], hit: /1 cached, 1 total/, miss: /0 cached, 1 total/ },
  nx: { args: ['run', 'app:instructions'], hit: /1\/1 hit|local cache|existing outputs match the cache/, miss: /0\/1 hit|Successfully ran target/ },
};

for (const [name, version] of Object.entries(buildTools)) {
  const modules = modulesOf(name, version);
  if (!modules) console.log(`  ${name} ${version} is not installed (npm run test:build-tools): its example is not run`);
  (modules ? onUnixWithGit : tests.skip)(`${name} uses its cache for the second run until a shared source changes`, () => {
    const { folder, app, env, prepare } = repository();
    prepare(name);
    // A build tool must be installed in the workspace.
    symlinkSync(modules!, join(folder, 'node_modules'));
    const { args, hit, miss } = runs[name as keyof typeof runs];
    const run = (isFine = true) => {
      const { stdout, stderr, status } = spawnSync(join(modules!, '.bin', name), args, { cwd: folder, env, encoding: 'utf8' });
      assert.is(status === 0, isFine, stdout + stderr);
      return stdout;
    };
    const first = run();
    assert.match(first, miss);
    assert.not.match(first, hit);
    assert.match(run(), hit);
    write(folder, 'shared/house.prs', `${meta('house')}@standards { house: ["Of another house"] }\n`);
    assert.not.match(run(), hit);
    assert.match(read(app, 'CLAUDE.md'), 'Of another house');
    write(folder, 'README.md', 'Nothing that is compiled\n');
    run();
    assert.match(run(), hit);
    // The tool must not replace an edited output by a cached one.
    write(app, 'CLAUDE.md', 'Edited\n');
    run(false);
    assert.is(read(app, 'CLAUDE.md'), 'Edited\n');
    rmSync(join(app, 'CLAUDE.md'));
    run();
    assert.ok(existsSync(join(app, 'CLAUDE.md')));
  });
}

onUnixWithGit('the lists for Bazel match prs view, and the rule gives the same result as a compile', () => {
  const { folder, app, env, prepare } = repository();
  prepare('bazel');
  const lists = Object.fromEntries(read(app, 'instructions.bzl').trim().split('\n').map(line => line.split(' = ') as [string, string]).map(([name, list]) => [name, JSON.parse(list) as string[]]));
  const files = JSON.parse(prs(app, ['view', '--json']).stdout) as { inputs: string[]; outputs: string[] };
  assert.equal(lists.INPUTS, files.inputs.map(path => path.replace('../../shared/', '//shared:')));
  assert.equal(lists.OUTPUTS, files.outputs);
  assert.ok(lists.INPUTS!.includes('//shared:house.prs'));
  // Runs the shell command of the rule as Bazel would: sources relative to the root, and an output folder.
  assert.match(rule, 'outs = ["compiled/" + path for path in OUTPUTS]');
  const commands = [...rule.matchAll(/^ {8}"(.*?)"( \+ package_name\(\))?,$/gm)].map(([, text, ends]) => text! + (ends ? 'packages/app' : ''));
  assert.is(commands.length, 3);
  const place = join(folder, 'bazel-out');
  const copies = lists.OUTPUTS!.map(path => {
    assert.match(rule, '"cp $$work/" + package_name() + "/" + path + " $(RULEDIR)/compiled/" + path');
    return `mkdir -p $(dirname ${place}/compiled/${path}) && cp $work/packages/app/${path} ${place}/compiled/${path}`;
  });
  const sources = lists.INPUTS!.map(label => (label.startsWith('//') ? label.slice(2).replace(':', '/') : `packages/app/${label}`));
  const shell = commands.map(text => text.replaceAll('$$', '$').replace('$(SRCS)', sources.join(' ')));
  execFileSync('sh', ['-ec', [...shell, ...copies].join(' && ')], { cwd: folder, env });
  for (const path of lists.OUTPUTS!) assert.is(read(place, `compiled/${path}`), read(app, path), path);
});

tests.run();
