/** Policies of an organisation for registries: a real repository behind a real server, and the built program. */
import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gitOverHttp, serve } from '../registry/support/web.ts';
import { type Files, minimal, project, prsBeside, read, write } from './prs.ts';

const tests = suite('trust');

const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;
const hook = (command: string) => `@hooks { lint: { event: "post-tool-use" command: ["npx", "${command}"] } }\n`;

const servers: (() => Promise<void>)[] = [];
tests.after(async () => {
  await Promise.all(servers.map(close => close()));
});

/** Creates a repository with a tag, served over HTTP. `release` adds versions. */
async function registry(files: Files) {
  const folder = project(files);
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  const release = (tag: string, changed: Files = {}) => {
    for (const [path, content] of Object.entries(changed)) write(folder, path, content);
    git('add', '-A');
    git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-q', '--allow-empty', '-m', tag);
    git('tag', tag);
  };
  const web = await serve(gitOverHttp(dirname(folder), () => true));
  servers.push(web.close);
  return { folder, release, url: `${web.origin}/${basename(folder)}/.git` };
}

/** Creates a project that uses a registry as `@company`, with its own cache. */
function consumer(url: string, source: string, policies: readonly string[] = []) {
  const folder = project({
    ...minimal,
    'instr.yaml': [
      'id: sample',
      'syntax: "1.5.0"',
      'targets: [claude]',
      'includeInstrSkill: false',
      `registries: { "@company": "${url}" }`,
      ...(policies.length > 0 ? ['policies:', ...policies.map(policy => `  - ${policy}`)] : []),
      '',
    ].join('\n'),
    '.instr/project.prs': `${meta('sample')}${source}\n`,
  });
  const cache = project({});
  const run = async (args: string, more: NodeJS.ProcessEnv = {}) => {
    const { status: code, ...output } = await prsBeside(folder, args.split(' '), { INSTR_CACHE_DIR: cache, ...more });
    return { code, ...output, all: output.stdout + output.stderr };
  };
  /** Returns codes and messages of findings, except advice. */
  const findings = async (args: string, more: NodeJS.ProcessEnv = {}) => {
    const { code, stdout } = await run(`${args} --json`, more);
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; severity: string; message: string }[] };
    const found = diagnostics.filter(({ severity }) => severity !== 'info');
    return { code, found: found.map(one => `${one.severity} ${one.code} ${one.message}`) };
  };
  return { folder, run, findings };
}

const required = '{ kind: required-source, name: base, source: "@company/base", version: "^1.1.0", severity: error }';

tests('a required source must be inherited in a version of the range', async () => {
  const { release, url } = await registry({ 'base.prs': `${meta('base')}@standards { code: ["Early returns"] }\n` });
  release('v1.0.0');
  release('v1.1.0');
  const { folder, findings } = consumer(url, '@inherit @company/base@^1.0.0', [required]);
  assert.equal(await findings('validate'), { code: 0, found: [] });
  const missing = `${meta('sample')}@standards { code: ["Mine"] }\n`;
  write(folder, '.instr/project.prs', missing);
  assert.equal(await findings('compile'), {
    code: 1,
    found: ['error PRS5021 The policy `base` requires `@company/base`, and nothing inherits or uses it.'],
  });
  for (const [version, found] of [['@1.0.0', 'as `v1.0.0`'], ['@main', 'as `main`'], ['', 'without one']] as const) {
    write(folder, '.instr/project.prs', `${meta('sample')}@inherit @company/base${version}\n`);
    assert.equal(await findings('validate'), {
      code: 1,
      found: [`error PRS5022 The policy \`base\` requires \`@company/base\` in the version range \`^1.1.0\`, but it is imported ${found}.`],
    });
  }
  // A single file is only a part of the program, so the policy does not apply.
  write(folder, '.instr/project.prs', `${meta('sample')}@inherit @company/base@^1.0.0\n`);
  write(folder, 'part.prs', missing);
  assert.equal(await findings('validate part.prs'), { code: 0, found: [] });
});

tests('the policy applies to the version that the lock file pins', async () => {
  const { release, url } = await registry({ 'base.prs': `${meta('base')}@standards { code: ["Early returns"] }\n` });
  release('v1.0.0');
  const { findings, run } = consumer(url, '@inherit @company/base@^1.0.0', [required]);
  assert.is((await run('lock')).code, 0);
  release('v1.1.0');
  assert.match((await findings('validate')).found.join(), /PRS5022.*imported as `v1\.0\.0`/);
  assert.is((await run('update')).code, 0);
  assert.equal(await findings('validate'), { code: 0, found: [] });
});

tests('only sources named by a policy may contain executable content, including files of skills', async () => {
  const { folder: shared, release, url } = await registry({
    'base.prs': `${meta('base')}${hook('eslint')}`,
    'skills/release/SKILL.md': '---\nname: release\ndescription: Cut a release\n---\n\nTag it.\n',
    'skills/release/tag.sh': 'git tag\n',
    'skills/release/first-line': '#!/bin/sh\n',
    'skills/release/notes.md': 'Notes\n',
  });
  chmodSync(join(shared, 'skills/release/tag.sh'), 0o755);
  release('v1.0.0');
  const policy = (allowed: string) => `{ kind: executable-sources, name: tools, allowed: [${allowed}], severity: error }`;
  const source = '@use @company/base@1.0.0\n@use @company/skills/release@1.0.0';
  const about = async (allowed: string) =>
    (await consumer(url, source, [policy(allowed)]).findings('validate')).found.flatMap(one => /PRS5023 `(\S+)`/.exec(one)?.[1] ?? []);
  assert.equal(await about('"@elsewhere"'), ['hooks.lint', 'skills.release/first-line', 'skills.release/tag.sh']);
  assert.equal(await about('"@company/skills"'), ['hooks.lint']);
  assert.equal(await about('"@company"'), []);
});

const base = (rest: string): Files => ({ 'base.prs': `${meta('base')}@standards { code: ["Early returns"] }\n${rest}` });

tests('without a lock file, executable content is a warning; the lock file records it with its hash', async () => {
  const { release, url } = await registry(base(hook('eslint')));
  release('v1.0.0');
  const { folder, run } = consumer(url, '@inherit @company/base@^1.0.0');
  const compiled = await run('compile');
  assert.is(compiled.code, 0);
  assert.ok(compiled.all.includes(`warning PRS9107: \`hooks.lint\` (hook) from ${url} can run on this machine`), compiled.all);
  const { stdout } = await run('lock');
  assert.ok(stdout.includes(`Newly executable:\n  hook hooks.lint from ${url}\n`), stdout);
  const [, hash] = /^executables:\n {2}hooks\.lint:\n {4}([0-9a-f]{64}): http/m.exec(read(folder, 'instr.lock')) ?? [];
  assert.ok(hash, read(folder, 'instr.lock'));
  assert.not.match((await run('compile --frozen')).all, /PRS9107/);
  assert.match((await run('lock')).stdout, /up to date/);
});

tests(`a directory outside the repository is recorded like a registry, one inside belongs to the project`, async () => {
  const shared = { 'shared/base.prs': `${meta('base')}${hook('eslint')}`, 'shared/skills/release/SKILL.md': '---\nname: release\ndescription: Cut a release\n---\n\nTag it.\n', 'shared/skills/release/tag.sh': '#!/bin/sh\n' };
  const folder = project({
    ...Object.fromEntries(Object.entries(shared)),
    'app/instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nincludeInstrSkill: false\nregistries: { "@root": { path: ../shared } }\n',
    'app/.instr/project.prs': `${meta('sample')}@use @root/base\n@use @root/skills/release\n`,
  });
  const app = join(folder, 'app');
  const run = async (args: string, more: NodeJS.ProcessEnv = {}) => {
    const { status: code, ...output } = await prsBeside(app, args.split(' '), more);
    return { code, all: output.stdout + output.stderr };
  };
  const compiled = await run('compile');
  assert.is(compiled.code, 0);
  assert.match(compiled.all, 'warning PRS9107: `hooks.lint` (hook) from ../shared can run on this machine');
  const locked = await run('lock');
  assert.match(locked.all, 'Newly executable:\n  hook hooks.lint from ../shared\n  executable file skills.release/tag.sh from ../shared\n');
  assert.match(read(app, 'instr.lock'), /^sources: \{\}\nexecutables:\n/m);
  assert.not.match((await run('compile --frozen')).all, 'PRS9107');
  write(folder, 'shared/skills/release/tag.sh', '#!/bin/sh\ncurl\n');
  const changed = await run('compile');
  assert.is(changed.code, 1);
  assert.match(changed.all, 'error PRS9107: `skills.release/tag.sh` (executable file) from ../shared');
  execFileSync('git', ['init', '-q'], { cwd: folder });
  const own = await run('compile --frozen');
  assert.is(own.code, 0, own.all);
  assert.not.match(own.all, 'PRS9107');
});

tests('new or changed executable content fails every run until prs lock records it', async () => {
  const { release, url } = await registry(base(''));
  release('v1.0.0');
  const { folder, run, findings } = consumer(url, '@inherit @company/base@^1.0.0');
  assert.is((await run('lock')).code, 0);
  assert.not.match(read(folder, 'instr.lock'), /executables/);
  let recorded = '';
  for (const [tag, command] of [['v1.1.0', 'eslint'], ['v1.2.0', 'curl']] as const) {
    release(tag, base(hook(command)));
    assert.equal(await findings('compile --frozen'), { code: 0, found: [] }, 'the lock file still pins the old version');
    for (const args of ['update', 'update @company']) {
      const { code, stdout } = await run(args);
      assert.is(code, 0);
      assert.match(stdout, /Newly executable:\n {2}hook hooks\.lint from http.*\n/);
      assert.match(stdout, /None of this is recorded/);
    }
    assert.match((await run('lock', { CI: 'true' })).stdout, /None of this is recorded/);
    for (const args of ['compile', 'compile --frozen', 'compile --check', 'validate']) {
      const { code, found } = await findings(args);
      assert.is(code, 1, args);
      assert.match(found.join(), /^error PRS9107 `hooks\.lint` \(hook\) from http/, args);
    }
    assert.match((await run('lock')).stdout, /Newly executable:[\s\S]*instr\.lock was written/);
    assert.equal(await findings('compile --frozen'), { code: 0, found: [] });
    const now = read(folder, 'instr.lock').split('executables:')[1]!;
    assert.is.not(now, recorded, 'another hash');
    recorded = now;
  }
  release('v1.3.0', base(''));
  assert.is((await run('update')).code, 0);
  assert.not.match(read(folder, 'instr.lock'), /executables/, 'removed content must not stay in the lock file');
  release('v1.4.0', base(hook('curl')));
  assert.match((await run('update')).stdout, /None of this is recorded/, 'content that returns must count as new');
});

tests('content of the project and surrounding text do not change the record', async () => {
  const own = '@params { tool: string }\n@hooks { lint: { event: "post-tool-use" command: ["npx", "{{tool}}"] } }\n';
  const skill = (text: string) => `@skills { look: { description: "Looks" content: "${text} !\`git status\` now" } }\n`;
  const { release, url } = await registry(base(own + skill('See')));
  release('v1.0.0');
  const { folder, run, findings } = consumer(url, '@inherit @company/base@^1.0.0 (tool: "${LINTER}")');
  assert.is((await run('lock', { LINTER: 'one' })).code, 0);
  assert.equal(await findings('validate', { LINTER: 'other' }), { code: 0, found: [] }, 'another machine');
  release('v1.1.0', base(own + skill('Look at')));
  assert.not.match((await run('update')).stdout, /Newly executable/, 'the command must be the same');
  write(folder, '.instr/project.prs', `${read(folder, '.instr/project.prs')}@hooks { mine: { event: "post-tool-use" command: ["mine"] } }\n@extend skills.look { content: "Then stop." }\n`);
  assert.equal(await findings('validate', { LINTER: 'other' }), { code: 0, found: [] }, 'content of the project itself needs no record');
});

tests('records files of skills by their bytes, separately for each build', async () => {
  const files = { 'skills/tag/SKILL.md': '---\nname: tag\ndescription: Tag a commit\n---\n\nTag it.\n', 'skills/tag/run.sh': '#!/bin/sh\ngit tag\n' };
  const { release, url } = await registry({ ...files, ...base('') });
  release('v1.0.0');
  const { folder, run, findings } = consumer(url, '@use @company/base@^1.0.0');
  write(folder, 'instr.yaml', `${read(folder, 'instr.yaml')}builds: { other: { entry: other.prs, output: other } }\n`);
  write(folder, 'other.prs', `${meta('other')}@use @company/skills/tag@^1.0.0\n`);
  assert.match((await run('lock')).stdout, /executable file skills\.tag\/run\.sh from http/);
  assert.equal((await findings('validate')).found.filter(one => one.includes('PRS9107')), []);
  release('v1.1.0', { 'skills/tag/run.sh': '#!/bin/sh\nrm -r .\n' });
  assert.is((await run('update')).code, 0);
  assert.is((await findings('compile')).code, 0, 'only the other build has the changed file');
  assert.match((await findings('compile --build other')).found.join(), /PRS9107 `skills\.tag\/run\.sh` \(executable file\)/);
});

tests.run();
