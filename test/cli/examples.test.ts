/** Runs every example of every help text unchanged in a suitable project. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { describeCommands } from '../../src/cli/help.ts';
import { environment, program, project, prs, startPrs, until, write } from './prs.ts';

/** A shared repository with two source files and two skills. It also stands for a repository on GitHub. */
const source = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n@context { ${id}: "the company" }\n`;
const skill = (name: string) => `---\nname: ${name}\ndescription: How to ${name}\n---\n\nLook twice.\n`;
const company = project({
  'base.prs': source('base'),
  'typescript.prs': source('typescript'),
  'skills/review/SKILL.md': skill('review'),
  'skills/release/SKILL.md': skill('release'),
});
const git = (...args: string[]) => assert.is(spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-C', company, ...args]).status, 0);
git('init', '--quiet', '-b', 'main');
git('add', '.');
git('commit', '--quiet', '-m', 'base');
git('tag', 'v1.0.0');
git('commit', '--quiet', '--allow-empty', '-m', 'next');
git('tag', 'v1.3.0');

const rules = '# Rules\n\n## Style\n\n- Use tabs.\n- Small functions.\n';

function example(): string {
  const folder = project({
    'company.yaml': 'id: company\nsyntax: "1.5.0"\n',
    'sample/instr.yaml': `id: sample\nsyntax: "1.5.0"\ntargets:\n  - claude: { output: docs/RULES.md }\nregistries: { "@company": "${company}" }\n`,
    'sample/.instr/project.prs': [
      '@meta { id: "sample" syntax: "1.5.0" }',
      '@use @company/base',
      '@standards { code: ["Small functions", "No globals", "Names say what"] testing: ["Run the tests", "Write one first"] }',
      '@restrictions { - "Never commit secrets" }',
      '@shortcuts { "/review": "Review the changes" "/test": "Run the tests" }',
      '',
    ].join('\n'),
    'sample/docs/instructions.md': rules,
    'sample/node_modules/@lumen/instructions/skills/review/SKILL.md': skill('review'),
    'sample/rules.md': rules,
    'sample/clones.txt': join(home, 'clones/shop'),
    'sample/instructions/base.prs': source('base'),
    'sample/.cursorrules': rules,
  });
  return join(folder, 'sample');
}

/** Examples that end with another exit code than 0. */
const others: Readonly<Record<string, number>> = {
  // The project was never compiled, and its blocks are not formatted.
  'prs compile --check': 1,
  'prs diff --all --exit-code': 1,
  'prs format --check': 1,
  // The files of a merge exist only when Git runs the command.
  'prs merge-driver %O %A %B %P': 1,
  // The client ends without a shutdown request.
  'prs lsp --stdio': 1,
  'prs lsp --cwd .': 1,
};

const cache = project({});
const home = project({});
mkdirSync(join(home, '.config/fish/completions'), { recursive: true });
// Avoids network requests: Git maps the GitHub address to this folder.
write(home, '.gitconfig', `[url "${company}"]\n  insteadOf = https://github.com/octo/instructions.git\n`);
write(home, '.config/instr/instr.yaml', 'id: me\nsyntax: "1.6.0"\ntargets: [claude]\n');
write(home, '.config/instr/project.md', 'Answer briefly.\n');
write(home, 'bin/prs', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
chmodSync(join(home, 'bin/prs'), 0o755);
// Clones for the fleet examples: one project that uses the registry under another alias.
const clones = join(home, 'clones');
write(clones, 'shop/instr.yaml', `id: shop\nsyntax: "1.5.0"\ntargets: [claude]\nregistries: { "@lumen": "${company}" }\n`);
write(clones, 'shop/.instr/project.prs', '@meta { id: "shop" syntax: "1.5.0" }\n@use @lumen/base@^1.0.0\n');
const variables = { INSTR_CACHE_DIR: cache, HOME: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` };

/** Creates a Git repository in a folder, with one tagged commit. */
function commit(folder: string, tag: string): void {
  const author = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  for (const args of [['init', '-q'], ['add', '-A'], [...author, 'commit', '-qm', 'first'], ['tag', tag]])
    assert.is(spawnSync('git', args, { cwd: folder }).status, 0);
}

const tests = suite('examples of help');

for (const { name, examples } of (await describeCommands())) {
  tests(`${name} has three examples`, () => assert.is(examples.length, 3));
  for (const [label, line] of examples) {
    tests(line, async () => {
      assert.ok(label.length > 3);
      const folder = name === 'init' ? project({}) : example();
      if (line === 'prs compile --watch') {
        const { child, ended, output } = startPrs(folder, ['compile', '--watch']);
        await until(() => output.stderr.includes('Watching'), 'it is watching');
        child.kill('SIGINT');
        assert.is((await ended).signal, 'SIGINT');
        return;
      }
      if (name === 'fleet')
        for (const command of ['update', 'compile']) assert.is(prs(join(clones, 'shop'), [command], variables).status, 0);
      const before = [...(name === 'update' ? ['lock'] : []), ...(line === 'prs undo --user' ? ['compile --user'] : name === 'undo' || name === 'eject' || line.includes(':12') ? ['compile'] : []), ...(line.includes('--frozen') ? ['lock'] : [])];
      if (line.includes('--diff') || line.includes(' hook ')) commit(folder, 'v1.2.0');
      for (const command of before) assert.is(prs(folder, command.split(' '), variables).status, 0);
      // zsh and fish may not be installed. Then the script to source must at least exist.
      const run = line.startsWith('source ') && line.includes('zsh') ? 'prs completion zsh' : line;
      // Runs the program directly if no word is special to a shell.
      const words = /^prs( [\w@%:=^./-]+)*$/.test(run) ? run.split(' ').slice(1) : undefined;
      const { status, stderr } = words
        ? prs(folder, words, variables)
        : spawnSync('bash', ['-c', run], { cwd: folder, env: environment(variables), encoding: 'utf8' });
      assert.is(status, others[line] ?? 0, stderr);
      assert.not.match(stderr, /error PRS/);
    });
  }
}

tests.run();
