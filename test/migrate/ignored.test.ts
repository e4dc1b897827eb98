/** Git and the built-in reader interpret `.gitignore` files in the same way. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { ignoredByGit } from '../../src/project/git/queries.ts';
import { ignoreRules, listProjectFiles } from '../../src/project/project-files.ts';

const scratch = mkdtempSync(join(tmpdir(), 'prs-ignored-'));
process.once('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** Maps a name to `.gitignore` files and the paths to check. */
const cases: Readonly<Record<string, readonly [files: Readonly<Record<string, string>>, paths: readonly string[]]>> = {
  names: [{ '.gitignore': 'AGENTS.md\nmade\n' }, ['AGENTS.md', 'a/AGENTS.md', 'agents.md', 'made/', 'a/made/x.md', 'mad']],
  folders: [{ '.gitignore': 'made/\n' }, ['made', 'made/', 'a/made/', 'a/made/x.md']],
  anchored: [{ '.gitignore': '/made\na/b.md\n' }, ['made', 'a/made', 'a/b.md', 'c/a/b.md']],
  stars: [{ '.gitignore': '*.local.md\na*/x?.md\n**/deep/**\nb/**/c.md\n' }, ['A.local.md', 'x/A.local.md', 'ab/x1.md', 'ab/c/x1.md', 'q/deep/r', 'b/c.md', 'b/d/e/c.md']],
  classes: [{ '.gitignore': '[Aa]gents.md\nx[!1]\n' }, ['Agents.md', 'agents.md', 'x1', 'x2']],
  negation: [{ '.gitignore': '*.md\n!KEEP.md\n' }, ['a.md', 'KEEP.md', 'b/KEEP.md']],
  'nothing comes back below an ignored folder': [
    { '.gitignore': 'made/\n!made/KEEP.md\n', 'made/.gitignore': '!KEEP.md\n' },
    ['made/KEEP.md', 'made/x.md'],
  ],
  'the deeper file has the last word': [
    { '.gitignore': '*.md\n', 'a/.gitignore': '!*.md\n', 'a/b/.gitignore': 'x.md\n' },
    ['x.md', 'a/x.md', 'a/b/x.md', 'a/b/y.md'],
  ],
  'comments, escapes and spaces': [
    { '.gitignore': '# x.md\n\\#y.md\n\\!z.md\nend.md   \nspace\\ \n\n' },
    ['x.md', '# x.md', '#y.md', '!z.md', 'end.md', 'space ', 'space'],
  ],
  'ends of lines and a byte order mark': [{ '.gitignore': '\uFEFFa.md\r\nb.md\r\n' }, ['a.md', 'b.md', 'c.md']],
  'braces and parentheses are letters': [{ '.gitignore': '{a,b}.md\n@(c).md\n' }, ['a.md', '{a,b}.md', 'c.md', '@(c).md']],
  'lines that mean nothing': [{ '.gitignore': '/\n[\n\\\n!\n' }, ['a.md', '[', 'a/']],
};

const tests = suite('ignored files');

for (const [name, [files, paths]] of Object.entries(cases)) {
  tests(name, () => {
    const plain = mkdtempSync(join(scratch, 'plain-'));
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(plain, path)), { recursive: true });
      writeFileSync(join(plain, path), text);
    }
    const repository = mkdtempSync(join(scratch, 'git-'));
    cpSync(plain, repository, { recursive: true });
    execFileSync('git', ['init', '-q'], { cwd: repository });
    const gits = ignoredByGit(repository, paths)!;
    assert.equal(paths.filter(ignoreRules(plain, nodeDisk)), paths.filter(path => gits.has(path)));
  });
}

tests('some paths are ignored', () => {
  const root = mkdtempSync(join(scratch, 'plain-'));
  writeFileSync(join(root, '.gitignore'), 'a.md\n');
  assert.equal(['a.md', 'b.md'].filter(ignoreRules(root, nodeDisk)), ['a.md']);
});

tests('lists tracked files even if a pattern ignores them, but no other ignored files', () => {
  const root = mkdtempSync(join(scratch, 'git-'));
  for (const path of ['made/CLAUDE.md', 'made/other.md', 'AGENTS.md', 'node_modules/x/AGENTS.md', 'nested/AGENTS.md']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'Text.\n');
  }
  writeFileSync(join(root, '.gitignore'), 'made/\n');
  for (const [folder, args] of [['', ['init', '-q']], ['nested', ['init', '-q']], ['', ['add', '--force', 'made/CLAUDE.md']]] as const)
    execFileSync('git', args, { cwd: join(root, folder) });
  assert.equal(
    listProjectFiles(root, nodeDisk).map(({ path }) => path),
    ['.gitignore', 'AGENTS.md', 'made/CLAUDE.md', 'nested/AGENTS.md'],
  );
});

tests.run();
