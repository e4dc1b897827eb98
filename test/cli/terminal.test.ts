/** The program in a real terminal: watch mode, the pager, colours. Without tmux, the tests are skipped with a message. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Files, minimal, project, read, until, write } from './prs.ts';
import { hasTerminal, openScreen, type Screen } from './screen.ts';

const test = suite('terminal');
if (!hasTerminal) console.log('  skipped: tmux is not installed');

async function inTerminal(files: Files, body: (terminal: Screen, folder: string) => Promise<void>): Promise<void> {
  if (!hasTerminal) return;
  const folder = project({ ...minimal, ...files });
  const terminal = await openScreen(folder, { columns: 100, rows: 30 });
  try {
    await body(terminal, folder);
  } finally {
    terminal.close();
  }
}

const entry = (...lines: string[]) => ['@meta { id: "x" syntax: "1.5.0" }', ...lines, ''].join('\n');
const watching = { 'instr.yaml': `${minimal['instr.yaml']}watch: { debounce: 20 }\n` };

test('watching: Ctrl-C exits with 130 and restores the terminal', () =>
  inTerminal(watching, async (terminal, folder) => {
    terminal.type('stty -a > before; prs compile --watch', 'Enter');
    await terminal.shows(/Watching for changes/);
    write(folder, '.instr/project.prs', entry('@context { a: "one" }'));
    await terminal.shows(/\d\d:\d\d:\d\d .*2 changed/);
    terminal.type('C-c');
    await terminal.shows(/^\[130\]/m);
    terminal.type('stty -a > after', 'Enter');
    await until(() => existsSync(join(folder, 'after')), 'the shell continues');
    await until(() => read(folder, 'after') === read(folder, 'before'), 'the terminal settings are restored');
    assert.is(terminal.visible().includes('\u001b'), false);
    terminal.type('echo still $((40 + 2))', 'Enter');
    await terminal.shows(/still 42/);
  }));

test('watching: errors show their location and disappear when they are fixed', () =>
  inTerminal({ 'instr.yaml': `${minimal['instr.yaml']}watch: { clearScreen: true }\n` }, async (terminal, folder) => {
    terminal.type('echo before it began; prs compile --watch', 'Enter');
    await terminal.shows(/Watching for changes/);
    assert.not.match(terminal.visible(), 'before it began', 'the screen must be cleared');
    write(folder, '.instr/project.prs', entry('@context {', '  a: "one"', '  b "two"', '}'));
    const screen = await terminal.shows(/error PRS1/);
    assert.match(screen, /\.instr\/project\.prs:4:\d+/);
    assert.match(screen, /^ *4 \| {3}b "two"\n.*\^/m);
    assert.match(terminal.visible(true), '\u001b[', 'the error must be in colour');
    // Replaces the file as some editors do: moves the old file away, then writes a new one under its name.
    const source = join(folder, '.instr/project.prs');
    renameSync(source, `${source}~`);
    writeFileSync(source, entry('@context { a: "mended" }'));
    rmSync(`${source}~`);
    await until(() => existsSync(join(folder, 'CLAUDE.md')) && read(folder, 'CLAUDE.md').includes('mended'), 'the corrected file is compiled');
    await until(() => !terminal.visible().includes('error PRS1'), 'the error disappears from the screen');
    terminal.type('C-c');
  }));

test('uses the pager for a diff on a terminal, but not for a pipe', () =>
  inTerminal({}, async (terminal, folder) => {
    const many = Array.from({ length: 100 }, (_, at) => `"Rule number ${at}"`).join(', ');
    write(folder, '.instr/project.prs', entry(`@standards { code: [${many}] }`));
    write(folder, 'pager.sh', '#!/bin/sh\ntouch paged\nhead -3\n');
    terminal.type('chmod +x pager.sh; PAGER=./pager.sh prs diff; echo "ended $?"', 'Enter');
    const screen = await terminal.shows(/ended 0/);
    assert.match(screen, 'CLAUDE.md (new file; claude)');
    assert.not.match(screen, 'Rule number 50');
    assert.ok(existsSync(join(folder, 'paged')));
    assert.match(terminal.visible(true), '\u001b[1m', 'headings must be bold in the pager too');
    rmSync(join(folder, 'paged'));
    terminal.type('clear; PAGER=./pager.sh prs diff > diff.txt; echo "piped $?"', 'Enter');
    await terminal.shows(/piped 0/);
    assert.match(read(folder, 'diff.txt'), '+- Rule number 99');
    assert.not.match(read(folder, 'diff.txt'), '\u001b');
  }));

test.run();
