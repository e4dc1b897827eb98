/**
 * The report about files in the way: short, grouped, with the solution once, and with every field that would be lost.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs } from '../cli/prs.ts';
import { hasTerminal, openScreen } from '../cli/screen.ts';

const test = suite('takeover without noise');

const agent = (name: string, body: string, extra = '') => `---\nname: ${name}\ndescription: Does ${name}\n${extra}---\n\n${body}\n`;

/** Five agents with another layout, twenty-five with other content, and a server with an unknown field. */
function inTheWay() {
  const files: Record<string, string> = {
    'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\n',
    '.instr/project.prs': '@meta { id: "sample" syntax: "1.5.0" }\n\n@mcpServers { docs: { command: "docs" } }\n',
    '.mcp.json': JSON.stringify({ mcpServers: { docs: { command: 'docs', trust: true } } }),
  };
  for (let n = 1; n <= 5; n++) {
    files[`.claude/agents/layout-${n}.md`] = agent(`layout-${n}`, 'Do _this_ in `src/__init__.py`:\n\n- one\n- two');
    files[`.instr/agents/layout-${n}.md`] = agent(`layout-${n}`, 'Do *this*\nin `src/__init__.py`:\n* one\n* two');
  }
  for (let n = 1; n <= 25; n++) {
    files[`.claude/agents/content-${n}.md`] = agent(`content-${n}`, 'Do this.', 'mode-of-work: slow\n');
    files[`.instr/agents/content-${n}.md`] = agent(`content-${n}`, 'Do that.');
  }
  return project(files);
}

const count = (text: string, part: string | RegExp) => text.split(part).length - 1;

test('files in the way are one finding in groups, with the solution once', () => {
  const folder = inTheWay();
  for (const args of [['compile'], ['compile', '--check']]) {
    const { status, stderr } = prs(folder, args);
    assert.is(status, 1);
    assert.match(stderr, 'error PRS8001: 26 files are in the way: 26 differ in content.\n');
    assert.is(count(stderr, /^ {4}\./m), 20);
    assert.match(stderr, '    … and 6 more\n');
    assert.is(count(stderr, /\bhelp: /), 1);
    assert.match(stderr, /^ {4}\.claude\/agents\/content-1\.md {2}from line 4 on; what would be written lacks `mode-of-work`$/m);
    assert.match(stderr, 'lacks: `mode-of-work` (25 files), `mcpServers.docs.trust` (1 file)\n');
    assert.not.match(stderr, 'layout-', 'equivalent files are kept');
    assert.ok(stderr.split('\n').length < 34, stderr);
  }
});

test('diff shows files with another meaning, and names equivalent ones that are kept', () => {
  const { stdout } = prs(inTheWay(), ['diff', '--all']);
  assert.is(count(stdout, /^\.claude\/agents\/layout-\d\.md \(says the same: compile keeps it as it is\)$/m), 5);
  assert.match(stdout, '\n-Do this.\n+Do that.\n');
  assert.match(stdout, 'It has fields that what would be written lacks: mode-of-work\n');
  assert.match(stdout, 'In the way: 26 differ in content.\n');
});

test('in JSON each file says how it differs, and the groups are counted', () => {
  const folder = inTheWay();
  for (const args of [['compile', '--check'], ['diff']]) {
    const { files, inTheWay: groups } = JSON.parse(prs(folder, [...args, '--json']).stdout);
    assert.equal(groups, { content: 26 });
    const about = (path: string) => {
      const { difference, lost } = files.find((file: { path: string }) => file.path === path);
      return { difference, lost };
    };
    assert.equal(about('.claude/agents/layout-1.md'), { difference: undefined, lost: undefined });
    assert.equal(about('.claude/agents/content-2.md'), { difference: 'content', lost: ['mode-of-work'] });
    assert.equal(about('.mcp.json'), { difference: 'content', lost: ['mcpServers.docs.trust'] });
  }
});

test('a takeover is one note, which names the removed fields and how to restore each file', () => {
  const folder = inTheWay();
  const { status, stderr } = prs(folder, ['compile', '--force']);
  assert.is(status, 0, stderr);
  assert.match(stderr, '26 files were taken over: 26 have a copy.\n');
  assert.match(stderr, '`mode-of-work` (25 files)');
  assert.is(count(stderr, /\bhelp: /), 1);
  const copy = /^ {4}\.claude\/agents\/content-1\.md {2}cp (\S+) /m.exec(stderr)![1]!;
  assert.ok(existsSync(join(folder, copy)));
  const again = prs(folder, ['compile', '--json']);
  assert.is(JSON.parse(again.stdout).inTheWay, undefined, 'nothing is in the way any more');
});

test('a single file in the way is described on its own', () => {
  const folder = project({
    'instr.yaml': 'id: sample\nsyntax: "1.5.0"\ntargets: [claude]\n',
    '.instr/project.md': '# Ours\n',
    'CLAUDE.md': '# Mine\n',
  });
  const { stderr } = prs(folder, ['compile']);
  assert.match(stderr, 'PRS8001: CLAUDE.md was not generated and differs from what would be written, from line 1 on.');
});

if (hasTerminal) {
  test('on a terminal of 80 columns lines break between words, and the groups are visible', async () => {
    const screen = await openScreen(inTheWay(), { columns: 80, rows: 60 });
    screen.type('prs compile', 'Enter');
    const shown = await screen.shows(/\[1\]/);
    assert.match(shown, '26 files are in the way: 26 differ in content.');
    assert.match(shown, /… and 6 more\n/);
    assert.match(shown, 'help: `prs diff --all` shows what differs.');
    for (const word of ['`mode-of-work`', '`mcpServers.docs.trust`', 'sources,', 'delete']) assert.match(shown, word);
    for (const line of shown.split('\n')) assert.ok(line.length <= 80, line);
    screen.close();
  });
}

test.run();
