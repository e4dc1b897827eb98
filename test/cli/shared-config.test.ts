/** Configurations from registries, and policies that an extending project cannot bypass: real servers and the built program. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { waiversFor } from '../../src/check/policy/waivers.ts';
import { missingForSsh, startSsh } from '../registry/support/sshd.ts';
import { gitOverHttp, serve } from '../registry/support/web.ts';
import { type Files, minimal, project, prsBeside, read, write } from './prs.ts';

const tests = suite('shared configurations');
const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;
const servers: (() => Promise<void>)[] = [];
tests.after(async () => {
  await Promise.all(servers.map(close => close()));
});

const base = `${meta('base')}@standards { security: ["Validate input"] }\n`;

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
  release('v1.0.0');
  const web = await serve(gitOverHttp(dirname(folder), () => true));
  let isUp = true;
  const close = async () => {
    if (isUp) await web.close();
    isUp = false;
  };
  servers.push(close);
  return { folder, release, close, url: `${web.origin}/${basename(folder)}/.git` };
}

/** Returns codes and locations of findings, except advice. */
function namesIn(diagnostics: readonly { code: string; severity: string; file?: string; line?: number }[]) {
  const found = diagnostics.filter(({ severity }) => severity !== 'info');
  return { found: found.map(one => `${one.code} ${one.file ?? ''}:${one.line ?? ''}`) };
}

/** A cache for all projects. Each registry has its own address, and none changes after it was read, except for `update`. */
const cache = project({});

/** Creates a project. */
function consumer(lines: readonly string[], source = '', files: Files = {}) {
  const folder = project({
    ...minimal,
    'instr.yaml': ['id: sample', 'syntax: "1.5.0"', 'targets: [claude]', 'includeInstrSkill: false', ...lines, ''].join('\n'),
    '.instr/project.prs': `${meta('sample')}${source}\n`,
    ...files,
  });
  const run = async (args: string, more: NodeJS.ProcessEnv = {}) => {
    const { status: code, ...output } = await prsBeside(folder, args.split(' '), { INSTR_CACHE_DIR: cache, ...more });
    return { code, ...output };
  };
  const findings = async (args: string, more: NodeJS.ProcessEnv = {}) => {
    const { code, stdout, stderr } = await run(`${args} --json`, more);
    assert.ok(stdout.startsWith('{'), stdout + stderr);
    return { code, ...namesIn(JSON.parse(stdout).diagnostics) };
  };
  return { folder, run, findings };
}

const company = (url: string, ...policies: string[]) =>
  [`registries: { "@lumen": "${url}" }`, ...(policies.length > 0 ? ['policies:', ...policies.map(policy => `  - ${policy}`)] : []), ''].join('\n');
const required = '{ kind: required-source, name: base, source: "@lumen/base", severity: error }';
const allowed = '{ kind: registry-allowlist, name: sources, allowed: ["@lumen"], severity: error }';

tests('a configuration from a registry is read, locked, cached, and updated only on request', async () => {
  const { url, release, close } = await registry({ 'base.prs': base, 'conf/company.yaml': 'extends: ./more.yaml\n', 'conf/more.yaml': 'output: { header: First }\n' });
  const { folder, run, findings } = consumer([`registries: { "@lumen": "${url}" }`, 'extends: "@lumen/conf/company@^1.0.0"'], '@inherit @lumen/base@^1.0.0');
  assert.equal(await findings('compile'), { code: 0, found: [] });
  assert.match(read(folder, 'CLAUDE.md'), 'First');
  assert.is((await run('lock')).code, 0);
  const lock = read(folder, 'instr.lock');
  for (const path of ['base.prs', 'conf/company.yaml', 'conf/more.yaml']) assert.match(lock, `      ${path}: `);
  assert.equal(await findings('compile --frozen'), { code: 0, found: [] });

  release('v1.1.0', { 'conf/more.yaml': 'output: { header: Second }\n' });
  assert.equal(await findings('compile --frozen --check'), { code: 0, found: [] });
  assert.match((await run('update @lumen')).stdout, /v1\.0\.0 \w+ -> v1\.1\.0/);
  assert.is((await run('compile')).code, 0);
  assert.match(read(folder, 'CLAUDE.md'), 'Second');
  assert.is((read(folder, 'instr.lock').match(/ref: v1\.1\.0/g) ?? []).length, 1);

  await close();
  assert.equal(await findings('compile --frozen --check'), { code: 0, found: [] }, 'the files must come from the cache');
});

tests('a frozen run without a lock file fails at extends, and so does a missing file', async () => {
  const { url } = await registry({ 'company.yaml': 'output: { header: First }\n' });
  const frozen = consumer([`registries: { "@lumen": "${url}" }`, 'extends: "@lumen/company.yaml"']);
  const { code, found } = await frozen.findings('compile --frozen');
  assert.is(code, 2);
  assert.match(found.join(), / instr\.yaml:6$/);
  for (const [reference, expected] of [['@lumen/none.yaml', 'PRS3014'], ['@other/company.yaml', 'PRS9001'], ['@lumen/company@9.9.9', 'PRS9006']] as const) {
    const { code, found } = await consumer([`registries: { "@lumen": "${url}" }`, `extends: "${reference}"`]).findings('validate');
    assert.is(code, 2);
    assert.match(found.join(), /^PRS\d+ instr\.yaml:6$/, `${reference}: ${expected}`);
  }
});

tests('a configuration from a registry cannot leave it and cannot set credentials', async () => {
  const { url } = await registry({
    'conf/out.yaml': 'extends: ../../secret.yaml\n',
    'conf/auth.yaml': 'registry: { git: { url: "https://git.example.com/x.git", auth: { type: token, tokenEnvVar: HOME } } }\n',
    'conf/url.yaml': 'registry: { url: "https://elsewhere.example.com" }\n',
  });
  const about = async (name: string, ...more: string[]) =>
    (await consumer([`registries: { "@lumen": "${url}" }`, `extends: "@lumen/conf/${name}"`, ...more]).findings('validate')).found.map(one => one.slice(0, 7));
  assert.equal(await about('out.yaml'), ['PRS3014']);
  assert.equal(await about('auth.yaml'), ['PRS3026']);
  assert.equal(await about('url.yaml', 'registry: { auth: { type: bearer, tokenEnvVar: HOME } }'), ['PRS3026']);
});

tests('an alias with another address, a longer alias or a fallback does not satisfy a required source', async () => {
  const real = await registry({ 'base.prs': base });
  const other = await registry({ 'base.prs': base.replace('Validate input', 'Trust the network') });
  const files = { 'company.yaml': company(real.url, required, allowed) };
  const judge = (aliases: string, source: string) => consumer(['extends: ./company.yaml', `registries: { ${aliases} }`], source, files).findings('validate');
  assert.equal(await judge('', '@inherit @lumen/base'), { code: 0, found: [] });
  const elsewhere = { code: 1, found: ['PRS5020 .instr/project.prs:2'] };
  assert.equal(await judge(`"@lumen": "${other.url}"`, '@inherit @lumen/base'), elsewhere);
  assert.equal(await judge(`"@lumen/base": "${other.url}"`, '@inherit @lumen/base/base'), elsewhere);
  assert.equal(await judge(`"@lumen": { url: "${real.url}", fallbackUrl: "${other.url}" }`, '@inherit @lumen/base'), elsewhere);
  assert.equal(await judge(`"@lumen": { url: "${real.url}", root: "sub" }`, '@inherit @lumen/base').then(({ code }) => code), 1);
  // The same source under another alias.
  assert.equal(await judge(`"@mine": "${real.url}"`, '@inherit @mine/base'), { code: 0, found: [] });

  const only = { 'company.yaml': company(real.url, required) };
  const judged = await consumer(['extends: ./company.yaml', `registries: { "@lumen": "${other.url}" }`], '@inherit @lumen/base', only).findings('validate');
  assert.equal(judged, { code: 1, found: ['PRS5024 .instr/project.prs:2'] });
});

tests('recognises protected values of a base by its address', async () => {
  const real = await registry({ 'base.prs': base });
  const files = { 'company.yaml': company(real.url, '{ kind: property-protection, name: stays, properties: [security], targetPattern: "@lumen/standards/*", severity: error }') };
  const override = '@override standards.security { ["Trust the network"] }';
  for (const alias of ['@lumen', '@mine']) {
    for (const source of [`@inherit ${alias}/base\n${override}`, `@standards { security: ["Mine"] }\n@inherit ${alias}/base\n${override}`]) {
      const { code, found } = await consumer(['extends: ./company.yaml', `registries: { "@mine": "${real.url}" }`], source, files).findings('validate');
      assert.is(code, 1, `${alias} ${source} ${found}`);
      assert.match(found.join(), 'PRS5010');
    }
  }
});

tests('external policies apply to a project that does not refer to them', async () => {
  const real = await registry({ 'base.prs': base, 'company.yaml': '' });
  real.release('v1.1.0', { 'company.yaml': company('https://git.example.com/lumen/instructions.git', required, allowed) });
  const gitconfig = { GIT_CONFIG_GLOBAL: join(project({ gitconfig: `[url "${real.url}"]\n\tinsteadOf = https://git.example.com/lumen/instructions.git\n[url "${real.url}"]\n\tinsteadOf = https://git.example.com/lumen/instructions\n` }), 'gitconfig') };
  const { folder, findings, run } = consumer([]);
  write(folder, '../company-outside.yaml', company('https://git.example.com/lumen/instructions.git', required));
  assert.equal(await findings('validate'), { code: 0, found: [] });
  assert.equal(await findings('validate --policy ../company-outside.yaml'), { code: 1, found: ['PRS5021 .instr/project.prs:1'] });
  assert.equal(await findings('validate --policy git.example.com/lumen/instructions/company.yaml', gitconfig), { code: 1, found: ['PRS5021 .instr/project.prs:1'] });
  assert.equal(await findings('validate --policy none.yaml'), { code: 2, found: ['PRS3002 none.yaml:'] });
  assert.equal(await findings('validate --policy @lumen/company.yaml'), { code: 2, found: ['PRS3027 :'] });
  // A project that complies, with another form of the address.
  write(folder, '.instr/project.prs', `${meta('sample')}@inherit git.example.com/lumen/instructions/base\n`);
  assert.equal(await findings('validate --policy git.example.com/lumen/instructions/company.yaml', gitconfig), { code: 0, found: [] });
  assert.is((await run('lock', gitconfig)).code, 0);
  assert.not.match(read(folder, 'instr.lock'), 'company.yaml');
});

tests('a waiver excuses the named finding until its date, and is an error afterwards', async () => {
  const real = await registry({ 'base.prs': base });
  const waiver = (until: string, more = '') => `{ kind: required-source, name: base, source: "@lumen/base", severity: error, waivers: [{ owner: platform, reason: "It moves", until: "${until}"${more} }] }`;
  const judge = async (policy: string, source = '', lines: readonly string[] = []) => {
    const one = consumer(['extends: ./company.yaml', ...lines], source, { 'company.yaml': company(real.url, policy) });
    const report = JSON.parse((await one.run('compile --json')).stdout);
    return { ...namesIn(report.diagnostics), report };
  };
  const active = await judge(waiver('9999-12-31'));
  assert.equal(active.found, []);
  assert.is(active.report.today, new Date().toISOString().slice(0, 10));
  assert.equal(active.report.waivers, [{ owner: 'platform', reason: 'It moves', until: '9999-12-31', policy: 'base', state: 'active' }]);
  assert.match(active.report.diagnostics.find((one: { code: string }) => one.code === 'PRS5030').message, 'Waived until 9999-12-31 by platform: It moves');
  assert.equal((await judge(waiver('2024-01-01'))).found, ['PRS5031 company.yaml:3', 'PRS5021 .instr/project.prs:1'].sort());
  assert.equal((await judge(waiver('2024-01-01'), '@inherit @lumen/base')).found, ['PRS5031 company.yaml:3']);
  // A waiver for another project or other files does not apply, nor does one that the project grants itself.
  assert.equal((await judge(waiver('9999-12-31', ', project: other'))).found, ['PRS5021 .instr/project.prs:1']);
  assert.equal((await judge(waiver('9999-12-31', ', files: ["legacy/**"]'))).found, ['PRS5021 .instr/project.prs:1']);
  const own = await judge(required, '', ['policies: [{ kind: required-source, name: base, waivers: [{ owner: me, reason: "No", until: "9999-12-31" }] }]']);
  assert.equal(own.found, ['PRS3025 instr.yaml:6']);
  // A source that is not allowed is fetched if a waiver excuses it.
  const allowlist = (until: string) => `{ kind: registry-allowlist, name: sources, allowed: ["git.example.com/other"], severity: error, waivers: [{ owner: platform, reason: "It moves", until: "${until}" }] }`;
  assert.equal((await judge(allowlist('9999-12-31'), '@inherit @lumen/base')).found, []);
  assert.equal((await judge(allowlist('2024-01-01'), '@inherit @lumen/base')).found.map(one => one.slice(0, 7)).sort(), ['PRS5020', 'PRS5031']);
});

tests('a waiver is valid on its last day', () => {
  const policy = { kind: 'registry-allowlist', name: 'p', severity: 'error', allowed: [], waivers: [{ owner: 'o', reason: 'r', until: '2026-03-31' }] } as const;
  const stateOn = (today: string) => waiversFor([policy as never], { project: 'x', today })[0]!.state;
  assert.equal(['2026-03-30', '2026-03-31', '2026-04-01'].map(stateOn), ['active', 'active', 'expired']);
});

if (missingForSsh().length === 0) {
  tests('reads a configuration over ssh', async () => {
    const ssh = await startSsh();
    servers.push(async () => ssh.close());
    ssh.remember('real');
    const { folder: repo } = await registry({ 'base.prs': base });
    execFileSync('git', ['-C', repo, 'tag', 'v2.0.0']);
    write(repo, 'company.yaml', company(`${ssh.base}${repo}`, required));
    execFileSync('git', ['-C', repo, 'add', '-A']);
    execFileSync('git', ['-C', repo, '-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'more']);
    const key = join(project({}), 'key');
    copyFileSync(ssh.key, key);
    chmodSync(key, 0o600);
    const command = `${process.env.GIT_SSH_COMMAND} -i ${key}`;
    const { findings } = consumer([`registries: { "@lumen": "${ssh.base}${repo}" }`, 'extends: "@lumen/company.yaml"'], '@inherit @lumen/base');
    assert.equal(await findings('validate', { GIT_SSH_COMMAND: command }), { code: 0, found: [] });
  });
}

tests.run();
