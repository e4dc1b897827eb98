/** Git is used in untrusted working copies, and never runs programs that they configure. */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, prs, write } from '../cli/prs.ts';

const tests = suite('git in a hostile working copy');

const machine = project({
  gitconfig: '[user]\n\tname = t\n\temail = t@example.com\n[init]\n\tdefaultBranch = main\n',
});
const settings = { GIT_CONFIG_GLOBAL: join(machine, 'gitconfig'), GIT_CONFIG_NOSYSTEM: '1' };
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...settings } });

/** Settings that would run a command if Git were called without precautions. */
const commands = [
  ['compile', '--dry-run'],
  ['diff'],
  ['status'],
  ['doctor'],
  ['view'],
  ['explain', 'CLAUDE.md'],
  ['absorb', '--dry-run'],
  ['migrate', '--dry-run'],
  ['init', '--dry-run', '--yes'],
  ['hook', 'install'],
  ['compile'],
  ['undo'],
];

/** Every repository setting that names a program. */
const hostile = (marker: string) => {
  const run = `touch ${marker}`;
  return [
    `[core]\n\tfsmonitor = ${run};\n\tsshCommand = ${run}\n\tpager = ${run}\n\teditor = ${run}\n\taskPass = ${run}`,
    `[diff]\n\texternal = ${run}`,
    `[diff "x"]\n\ttextconv = ${run};\n\tcommand = ${run}`,
    `[filter "x"]\n\tclean = ${run}; cat\n\tsmudge = ${run}; cat\n\trequired = true`,
    `[merge "x"]\n\tdriver = ${run}`,
    `[gpg]\n\tprogram = ${run}\n[log]\n\tshowSignature = true`,
    `[credential]\n\thelper = "!${run}"`,
    `[pager]\n\tlog = ${run}\n\tshow = ${run}\n\tconfig = ${run}\n\tls-files = ${run}`,
    `[alias]\n\tls-files = "!${run}"`,
    `[protocol "ext"]\n\tallow = always`,
  ].join('\n');
};

/** A repository with a compiled and committed project. */
function working(): { readonly folder: string; readonly marker: string } {
  const folder = project({ ...minimal, '.gitattributes': '* filter=x diff=x merge=x\n' });
  assert.is(prs(folder, ['compile']).status, 0);
  git(folder, 'init', '-q');
  git(folder, 'add', '-A');
  git(folder, 'commit', '-qm', '1');
  return { folder, marker: join(project({}), 'marker') };
}

function attack(folder: string, marker: string, env: NodeJS.ProcessEnv = settings): void {
  for (const args of commands) {
    const { status, stderr } = prs(folder, args, env);
    assert.ok(status !== null && status < 70, `${args}: ${stderr}`);
    assert.not.ok(existsSync(marker), args.join(' '));
  }
}

tests('does not run programs configured in a working copy', () => {
  const { folder, marker } = working();
  mkdirSync(join(folder, '.git/hooks'), { recursive: true });
  for (const name of ['post-index-change', 'reference-transaction', 'post-checkout'])
    writeFileSync(join(folder, '.git/hooks', name), `#!/bin/sh\ntouch ${marker}\n`, { mode: 0o755 });
  writeFileSync(join(folder, '.git/config'), `[core]\n\tbare = false\n${hostile(marker)}\n`);
  // After an edit, the content of the last commit is read.
  write(folder, 'CLAUDE.md', 'Edited.\n');
  attack(folder, marker);
});

tests('does not fetch missing objects', () => {
  const { folder, marker } = working();
  const blob = git(folder, 'rev-parse', 'HEAD:CLAUDE.md').trim();
  rmSync(join(folder, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  writeFileSync(
    join(folder, '.git/config'),
    `[core]\n\tbare = false\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = origin\n[remote "origin"]\n\turl = ${folder}\n\tpromisor = true\n\tuploadpack = touch ${marker};\n`,
  );
  write(folder, 'CLAUDE.md', 'Edited.\n');
  write(folder, '.instr/project.prs', `${minimal['.instr/project.prs']}@context { project: "Changed" }\n`);
  attack(folder, marker);
});

tests('ignores a bare repository among the files of a clone', () => {
  const { folder, marker } = working();
  const inner = join(folder, 'app');
  cpSync(join(folder, '.git'), inner, { recursive: true });
  for (const [path, text] of Object.entries(minimal)) write(inner, path, text);
  writeFileSync(join(inner, 'config'), `[core]\n\tbare = false\n\tworktree = .\n${hostile(marker)}\n`);
  rmSync(join(folder, '.git'), { recursive: true });
  attack(inner, marker);
  assert.not.ok(existsSync(join(inner, 'info/attributes')), 'nothing was installed in it');
});

tests('ignores a file .git that leads to a folder of the clone', () => {
  const { folder, marker } = working();
  cpSync(join(folder, '.git'), join(folder, 'data'), { recursive: true });
  rmSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, 'data/config'), `[core]\n\tbare = false\n${hostile(marker)}\n`);
  writeFileSync(join(folder, '.git'), 'gitdir: ./data\n');
  attack(folder, marker);
});

tests('does not search programs in the project', () => {
  const { folder, marker } = working();
  for (const name of ['git', 'less', 'ssh', 'tools/git'])
    write(folder, name, `#!/bin/sh\ntouch ${marker}\nexit 1\n`);
  for (const name of ['git', 'less', 'ssh', 'tools/git']) chmodSync(join(folder, name), 0o755);
  const PATH = ['.', '', 'tools', './tools', process.env.PATH].join(delimiter);
  attack(folder, marker, { ...settings, PATH });
  // Nor does Git, when it starts another program.
  write(folder, 'instr.yaml', `${minimal['instr.yaml']}registries: { "@acme": "ssh://git@127.0.0.1:1/x.git" }\n`);
  write(folder, '.instr/project.prs', `${minimal['.instr/project.prs']}@use @acme/base\n`);
  const { stderr } = prs(folder, ['compile', '--dry-run'], { ...settings, PATH });
  assert.match(stderr, /PRS9\d+/);
  assert.not.ok(existsSync(marker));
});

tests('ignores a link named .git', () => {
  const { folder, marker } = working();
  cpSync(join(folder, '.git'), join(folder, 'data'), { recursive: true });
  rmSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, 'data/config'), `[core]\n\tbare = false\n${hostile(marker)}\n`);
  symlinkSync('data', join(folder, '.git'));
  attack(folder, marker);
});

tests.run();
