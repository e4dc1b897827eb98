/** Runs the GitHub actions and the pre-commit hooks on real projects. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { environment, type Files, minimal, program, project, prs, read, write } from '../cli/prs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Step {
  readonly name: string;
  readonly shell: string;
  readonly run: string;
  readonly 'working-directory'?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

const action: Action = parse(readFileSync(join(root, 'action.yml'), 'utf8'));

/** Creates a project with the program installed as npm would install it. */
function installed(files: Files): string {
  const folder = project(files);
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true });
  symlinkSync(program, join(folder, 'node_modules/.bin/prs'));
  return folder;
}

/** Runs the steps in order like a GitHub runner and stops at the first failure. */
function runAction(folder: string, inputs: Readonly<Record<string, string>> = {}) {
  const fill = (text: string) =>
    text.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, name: string) => {
      assert.ok(action.inputs[name], `the action has no input ${name}`);
      return inputs[name] ?? action.inputs[name]!.default;
    });
  const paths = join(project({}), 'paths');
  writeFileSync(paths, '');
  let output = '';
  for (const step of action.runs.steps) {
    assert.is(step.shell, 'bash');
    assert.not.match(step.run, /\$\{\{/, 'a script must read inputs from the environment only');
    const added = readFileSync(paths, 'utf8').trim().split('\n').reverse();
    const env = Object.fromEntries(Object.entries(step.env ?? {}).map(([name, value]) => [name, fill(value)]));
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', step.run], {
      cwd: join(folder, fill(step['working-directory'] ?? '.')),
      encoding: 'utf8',
      env: environment({
        ...env,
        GITHUB_ACTIONS: 'true',
        GITHUB_PATH: paths,
        RUNNER_TEMP: join(folder, 'nowhere'),
        PATH: [...added, process.env.PATH].join(delimiter),
      }),
    });
    output += stdout + stderr;
    if (status !== 0) return { failed: step.name, status, output };
  }
  return { failed: undefined, status: 0, output };
}

const tests = suite('ci');

tests('the action passes if the files are up to date', () => {
  const folder = installed(minimal);
  assert.is(prs(folder, ['compile']).status, 0);
  const { status, output } = runAction(folder);
  assert.is(status, 0, output);
  assert.not.match(output, /^::error/m);
});

tests('the action works below the root of a repository', () => {
  const below = Object.fromEntries(Object.entries(minimal).map(([path, text]) => [`packages/app/${path}`, text]));
  const folder = project(below);
  mkdirSync(join(folder, 'packages/app/node_modules/.bin'), { recursive: true });
  symlinkSync(program, join(folder, 'packages/app/node_modules/.bin/prs'));
  assert.is(prs(join(folder, 'packages/app'), ['compile']).status, 0);
  const { status, output } = runAction(folder, { 'working-directory': 'packages/app' });
  assert.is(status, 0, output);
});

tests('the action reports stale generated files', () => {
  const folder = installed(minimal);
  const { failed, status, output } = runAction(folder);
  assert.is(failed, 'Check generated files');
  assert.is(status, 1);
  assert.match(output, /^::error title=prs compile --check::.*`prs compile`/m);
});

tests('the action annotates the line of a finding', () => {
  const folder = installed(minimal);
  write(folder, '.instr/project.prs', `${read(folder, '.instr/project.prs')}@context {\n  project "Demo"\n}\n`);
  const { failed, status, output } = runAction(folder);
  assert.is(failed, 'Validate');
  assert.is(status, 1);
  assert.match(output, /^::error file=\.instr\/project\.prs,line=7,/m);
});

tests('the action fails on warnings in strict mode', () => {
  const folder = installed(minimal);
  write(folder, '.instr/project.prs', `${read(folder, '.instr/project.prs')}@context {\n}\n`);
  assert.is(prs(folder, ['compile']).status, 0);
  assert.is(runAction(folder).status, 0);
  assert.is(runAction(folder, { strict: 'true' }).failed, 'Validate');
});

tests('the update action pushes a branch and opens one pull request that describes the changes', () => {
  const machine = project({
    'bin/gh': '#!/bin/sh\ncase "$2" in edit) test -f "$RUNNER_TEMP/opened";; create) cat "$8" > "$RUNNER_TEMP/opened"; echo "$@" >> "$RUNNER_TEMP/calls";; esac\n',
    gitconfig: '[user]\n\tname = t\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n',
  });
  chmodSync(join(machine, 'bin/gh'), 0o755);
  const env = environment({
    PATH: [join(machine, 'bin'), process.env.PATH].join(delimiter),
    RUNNER_TEMP: machine,
    INSTR_CACHE_DIR: join(machine, 'cache'),
    GIT_CONFIG_GLOBAL: join(machine, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    BRANCH: 'instr/update',
  });
  const run = (cwd: string, script: string) => {
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', script], { cwd, encoding: 'utf8', env });
    assert.is(status, 0, stdout + stderr);
    return stdout;
  };
  const shared = project({ 'base.prs': '@meta { id: "base" syntax: "1.5.0" }\n@standards { code: ["First"] }\n' });
  run(shared, 'git init -q && git add -A && git commit -qm 1 && git tag v1.0.0');
  const folder = installed({
    'instr.yaml': `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nregistries: { "@lumen": "file://${shared}" }\n`,
    '.instr/project.prs': '@meta { id: "sample" syntax: "1.5.0" }\n@inherit @lumen/base@^1.0.0\n',
    '.gitignore': 'node_modules\n.instr/.state\n',
  });
  const origin = project({});
  const prsHere = `PATH="$PWD/node_modules/.bin:$PATH"`;
  run(folder, `git init -q --bare '${origin}' && git init -q && git remote add origin '${origin}' && ${prsHere} && prs lock && prs compile && git add -A && git commit -qm 1 && git push -q origin main`);
  const { runs }: Action = parse(readFileSync(join(root, '.github/actions/update/action.yml'), 'utf8'));
  const update = () => run(folder, `git switch -q main\n${prsHere}\n${runs.steps.at(-1)!.run}`);
  assert.match(update(), 'up to date');
  run(shared, `sed -i.bak 's/First/Second/' base.prs && git commit -qam 2 && git tag v1.1.0`);
  update();
  assert.match(run(origin, 'git show instr/update:CLAUDE.md'), '- Second');
  assert.match(read(machine, 'opened'), /\| `@lumen@\^1\.0\.0` \| v1\.0\.0 /);
  update();
  assert.is(read(machine, 'calls').trim().split('\n').length, 1, 'the second run must edit the open pull request');
});

interface Hook {
  readonly id: string;
  readonly entry: string;
  readonly language: string;
  readonly files?: string;
  readonly pass_filenames: boolean;
}

const hooks: readonly Hook[] = parse(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'));

tests('the pre-commit hooks pass or fail with the project', () => {
  assert.ok(hooks.length > 0);
  const folder = installed(minimal);
  assert.is(prs(folder, ['compile']).status, 0);
  const run = ({ entry }: Hook) => {
    const [name, ...args] = entry.split(' ');
    assert.is(name, 'prs');
    return prs(folder, args).status;
  };
  for (const hook of hooks) assert.is(run(hook), 0, hook.id);
  write(folder, '.instr/project.prs', `${read(folder, '.instr/project.prs')}@context {\n  project "Demo"\n}\n`);
  for (const hook of hooks) assert.is(run(hook), 1, hook.id);
});

tests('pre-commit can install the program from the repository', () => {
  const { bin, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  // Installing packs the repository, which contains no built program.
  assert.match(scripts.prepack, /build/);
  // `npx instr` finds the program by the package name, the hooks by the name of the binary.
  assert.equal(Object.keys(bin).sort(), ['instr', 'prs']);
  assert.is(bin.instr, bin.prs);
  for (const { language, pass_filenames } of hooks) assert.equal([language, pass_filenames], ['node', false]);
});

tests('the hook watches every relevant file', () => {
  const pattern = new RegExp(hooks.find(({ files }) => files)!.files!);
  for (const path of ['instr.yaml', 'app/instr.yml', '.instr/project.prs', '.instr/skills/a/SKILL.md', 'shared/base.prs'])
    assert.match(path, pattern);
  for (const path of ['README.md', 'src/instr.ts']) assert.not.match(path, pattern);
});

tests.run();
