/** Tests registries that only allow signed tags, with real ssh keys, real tags, and the built program. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, prs, write } from '../cli/prs.ts';

const tests = suite('signed tags');
const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;
const keys = project({});
function key(name: string): string {
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(keys, name)]);
  return readFileSync(join(keys, `${name}.pub`), 'utf8').trim();
}
const hasKeys = (() => {
  try {
    key('probe');
    return true;
  } catch {
    return false;
  }
})();

const registry = project({ 'base.prs': `${meta('base')}@standards { code: ["First"] }\n` });
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'gpg.format=ssh', ...args], { cwd: registry, stdio: 'pipe' });
const sign = (who: string, tag: string, ...more: string[]) => git('-c', `user.signingkey=${join(keys, who)}`, 'tag', '-s', '-m', tag, tag, ...more);

const cache = project({});
const url = pathToFileURL(registry).href;
/** Validates a project that reads a version, with these allowed signers. */
function read(version: string, signers: readonly string[], command = ['validate', '--json']) {
  const folder = project({
    ...minimal,
    'instr.yaml': `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nregistries: { "@lumen": { url: "${url}", signers: ${JSON.stringify(signers)} } }\n`,
    '.instr/project.prs': `${meta('sample')}@inherit @lumen/base${version}\n`,
  });
  const { status, stdout, stderr } = prs(folder, command, { INSTR_CACHE_DIR: cache });
  const found = JSON.parse(stdout).diagnostics.filter((one: { severity: string }) => one.severity === 'error');
  return { folder, status, stderr, errors: found.map(({ code, message }: { code: string; message: string }) => `${code} ${message}`) as string[] };
}

if (hasKeys) {
  const platform = `platform@example.com ${key('platform')}`;
  const other = `other@example.com ${key('other')}`;
  tests.before(() => {
    git('init', '-q', '-b', 'main');
    git('add', '-A');
    git('commit', '-q', '-m', 'first');
    git('tag', 'v0.9.0');
    git('tag', '-a', '-m', 'annotated', 'v0.9.1');
    sign('platform', 'v1.0.0');
    sign('other', 'v1.1.0');
    // Moves a signed tag to the name of a newer version.
    git('update-ref', 'refs/tags/v2.0.0', 'refs/tags/v1.0.0');
  });

  tests('reads a tag that an allowed signer has signed, by its name and by a range', () => {
    assert.equal(read('@1.0.0', [platform]).errors, []);
    assert.equal(read('@~1.0.0', [platform]).errors, []);
    assert.equal(read('@1.1.0', [platform, other]).errors, []);
    assert.equal(read('@1.1.0', []).status, 2, 'an empty list is an error');
  });

  tests('refuses all other tags, with a reason', () => {
    const refused = (version: string, reason: string) => {
      const { status, errors } = read(version, [platform]);
      assert.is(status, 1, version);
      assert.is(errors.length, 1);
      assert.match(errors[0]!, /^PRS9050 /);
      assert.match(errors[0]!, reason);
    };
    refused('@1.1.0', 'is not signed by anybody whom `signers` names');
    refused('@^1.0.0', 'is not signed by anybody');
    refused('@0.9.0', 'is a tag without a signature of ssh');
    refused('@0.9.1', 'is a tag without a signature of ssh');
    refused('@2.0.0', 'is a tag that was signed under another name');
    refused('@main', 'is no tag');
    refused('', 'is no tag');
    refused(`@${git('rev-parse', 'HEAD').toString().trim()}`, 'is no tag');
  });

  tests('also checks commits from the cache and the lock file', () => {
    const shared = project({
      ...minimal,
      'instr.yaml': `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nregistries: { "@lumen": "${url}" }\n`,
      '.instr/project.prs': `${meta('sample')}@inherit @lumen/base@1.1.0\n`,
    });
    assert.is(prs(shared, ['lock'], { INSTR_CACHE_DIR: cache }).status, 0);
    write(shared, 'instr.yaml', `id: sample\nsyntax: "1.5.0"\ntargets: [claude]\nregistries: { "@lumen": { url: "${url}", signers: ${JSON.stringify([platform])} } }\n`);
    const { status, stderr } = prs(shared, ['compile'], { INSTR_CACHE_DIR: cache });
    assert.is(status, 1);
    assert.match(stderr, /PRS9050[\s\S]*help: Name a tag that one of `signers`/);
  });
} else tests.skip('reports a missing ssh-keygen', () => {});

tests.run();
