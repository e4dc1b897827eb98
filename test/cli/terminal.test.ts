/** The program in a real terminal: watching, the pager, colours. Needs tmux; without it nothing is run, and that is said. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, minimal, program, project, read, until, write } from './prs.ts';

const test = suite('terminal');
const available = spawnSync('tmux', ['-V']).status === 0;
if (!available) console.log('  skipped: there is no tmux here');

/** A shell in a terminal of its own, with a server of its own. */
class Terminal {
  private readonly socket: string;
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    this.socket = join(folder, '.tmux');
    const { PAGER, LESS, TMUX, ...rest } = environment();
    const env = { ...rest, TERM: 'xterm-256color', PS1: '$ ', prs: `${process.execPath} ${program}` };
    execFileSync('tmux', ['-S', this.socket, '-f', '/dev/null', 'new-session', '-d', '-x', '100', '-y', '30', '-c', folder, 'sh'], { env });
  }

  private tmux(...args: string[]): string {
    return execFileSync('tmux', ['-S', this.socket, ...args], { encoding: 'utf8' });
  }

  type(line: string): void {
    this.tmux('send-keys', '-l', line);
    this.key('Enter');
  }

  key(name: string): void {
    this.tmux('send-keys', name);
  }

  /** What is on the screen; with colours when asked for. */
  screen(colors = false): string {
    return this.tmux('capture-pane', '-p', '-J', ...(colors ? ['-e'] : []));
  }

  async shows(text: string | RegExp): Promise<string> {
    const seen = () => (typeof text === 'string' ? this.screen().includes(text) : text.test(this.screen()));
    await until(seen, `the terminal shows ${text}, but it shows\n${this.screen()}`).catch(error => {
      throw new Error(`${(error as Error).message}\nat last:\n${this.screen()}`);
    });
    return this.screen();
  }

  close(): void {
    spawnSync('tmux', ['-S', this.socket, 'kill-server']);
  }
}

async function inTerminal(files: Record<string, string | Uint8Array>, body: (terminal: Terminal) => Promise<void>): Promise<void> {
  if (!available) return;
  const terminal = new Terminal(project({ ...minimal, ...files }));
  try {
    await body(terminal);
  } finally {
    terminal.close();
  }
}

const entry = (...lines: string[]) => ['@meta { id: "x" syntax: "1.5.0" }', ...lines, ''].join('\n');
const watching = { 'instr.yaml': `${minimal['instr.yaml']}watch: { debounce: 20 }\n` };

test('watching: Ctrl-C ends it with 130 and leaves the terminal as it was', () =>
  inTerminal(watching, async terminal => {
    terminal.type('stty -a > before; $prs compile --watch; echo "ended $?"; stty -a > after');
    await terminal.shows('Watching for changes');
    write(terminal.folder, '.instr/project.prs', entry('@context { a: "one" }'));
    await terminal.shows(/\d\d:\d\d:\d\d .*2 changed/);
    terminal.key('C-c');
    await terminal.shows('ended 130');
    await until(() => existsSync(join(terminal.folder, 'after')), 'the shell goes on');
    await until(() => read(terminal.folder, 'after') === read(terminal.folder, 'before'), 'settings are as before');
    assert.is(terminal.screen().includes('\u001b'), false);
    terminal.type('echo still $((40 + 2))');
    await terminal.shows('still 42');
  }));

test('watching: errors show the place, and go when they are mended', () =>
  inTerminal({ 'instr.yaml': `${minimal['instr.yaml']}watch: { clearScreen: true }\n` }, async terminal => {
    terminal.type('echo before it began; $prs compile --watch');
    await terminal.shows('Watching for changes');
    assert.not.match(terminal.screen(), 'before it began', 'the screen was cleared');
    write(terminal.folder, '.instr/project.prs', entry('@context {', '  a: "one"', '  b "two"', '}'));
    const screen = await terminal.shows('error PRS1');
    assert.match(screen, /\.instr\/project\.prs:4:\d+/);
    assert.match(screen, /^ *4 \| {3}b "two"\n.*\^/m);
    assert.match(terminal.screen(true), '\u001b[', 'in colour');
    // An editor that replaces files: the old one is moved away, the new one comes under its name.
    const source = join(terminal.folder, '.instr/project.prs');
    renameSync(source, `${source}~`);
    writeFileSync(source, entry('@context { a: "mended" }'));
    rmSync(`${source}~`);
    await until(() => existsSync(join(terminal.folder, 'CLAUDE.md')) && read(terminal.folder, 'CLAUDE.md').includes('mended'), 'it is written');
    await until(() => !terminal.screen().includes('error PRS1'), 'the error is gone from the screen');
    terminal.key('C-c');
  }));

test('a long difference goes through the pager, a short one and one into a pipe do not', () =>
  inTerminal({}, async terminal => {
    const many = Array.from({ length: 100 }, (_, at) => `"Rule number ${at}"`).join(', ');
    write(terminal.folder, '.instr/project.prs', entry(`@standards { code: [${many}] }`));
    write(terminal.folder, 'pager.sh', '#!/bin/sh\ntouch paged\nhead -3\n');
    terminal.type('chmod +x pager.sh; PAGER=./pager.sh $prs diff; echo "ended $?"');
    const screen = await terminal.shows('ended 0');
    assert.match(screen, 'SKILL.md (new file; claude)');
    assert.not.match(screen, 'Rule number 50');
    assert.ok(existsSync(join(terminal.folder, 'paged')));
    assert.match(terminal.screen(true), '\u001b[1m', 'headings are bold in the pager too');
    rmSync(join(terminal.folder, 'paged'));
    terminal.type('clear; PAGER=./pager.sh $prs diff > diff.txt; echo "piped $?"');
    await terminal.shows('piped 0');
    assert.match(read(terminal.folder, 'diff.txt'), '+- Rule number 99');
    assert.not.match(read(terminal.folder, 'diff.txt'), '\u001b');
    terminal.type('clear; $prs compile --quiet; PAGER=./pager.sh $prs diff; echo "short $?"');
    await terminal.shows('short 0');
    assert.match(terminal.screen(), 'No differences');
    assert.not.ok(existsSync(join(terminal.folder, 'paged')));
  }));

test.run();
