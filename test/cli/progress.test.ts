/** What a person sees of long work, and how they end it; nothing of it is seen by a pipe. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, startPrs, tree, until } from './prs.ts';
import { hasTerminal, openScreen } from './screen.ts';

/** A registry that answers when the test says so. */
async function slowRegistry() {
  const waiting: (() => void)[] = [];
  const server = createServer((_request, response) => void waiting.push(() => response.end('@meta { id: "base" syntax: "1.5.0" }\n')));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A test that failed half-way is not kept waiting for its registry.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const config = `${minimal['instr.yaml']}registry: { url: "http://127.0.0.1:${port}/", cache: { enabled: false } }\n`;
  return {
    folder: project({ 'instr.yaml': config, '.instr/project.prs': `${minimal['.instr/project.prs']}@use @acme/base\n` }),
    port,
    asked: () => waiting.length > 0,
    answer: () => {
      for (const go of waiting.splice(0)) go();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const tests = suite('progress');
const inTerminal = hasTerminal ? tests : tests.skip;

inTerminal('a wait is told in one line, which goes when there is a result', async () => {
  const registry = await slowRegistry();
  const screen = await openScreen(registry.folder);
  screen.type('prs compile', 'Enter');
  await screen.shows(new RegExp(`^Asking http://127\\.0\\.0\\.1:${registry.port}`, 'm'));
  registry.answer();
  assert.not.match(await screen.shows(/\d+ files[\s\S]*^\[0\]$/m), /Asking/);
  screen.close();
  registry.close();
});

inTerminal('Ctrl-C during a wait ends the run at once and leaves nothing behind', async () => {
  const registry = await slowRegistry();
  const before = tree(registry.folder);
  const screen = await openScreen(registry.folder);
  screen.type('prs compile', 'Enter');
  await screen.shows(/^Asking/m);
  screen.type('C-c');
  await screen.shows(/^\[130\]$/m);
  assert.equal(tree(registry.folder), before);
  screen.close();
  registry.close();
});

tests('a pipe sees no progress', async () => {
  const registry = await slowRegistry();
  const { ended, output } = startPrs(registry.folder, ['compile']);
  await until(registry.asked, 'it asks');
  // Longer than a person would be left waiting.
  await new Promise(resolve => setTimeout(resolve, 1500));
  registry.answer();
  assert.is((await ended).code, 0);
  assert.not.match(output.stderr + output.stdout, /Asking|\r|\x1b/);
  registry.close();
});

inTerminal('Ctrl-C in a pager is for the pager; the terminal is whole afterwards', async () => {
  const folder = project(minimal);
  const screen = await openScreen(folder, { rows: 10 });
  screen.type('PAGER=less LESS=R prs diff --all --full', 'Enter');
  await screen.shows(/^:$/m);
  screen.type('C-c');
  // Keys that come with an interrupt may go with it: a person types again.
  while (!/would change[\s\S]*\(END\)/.test(screen.read())) {
    screen.type('G');
    await new Promise(resolve => setTimeout(resolve, 300));
  }
  screen.type('q');
  await screen.shows(/^\[0\]$/m);
  screen.type("PAGER='sleep 60' prs diff --all", 'Enter');
  await until(() => /sleep 60/.test(screen.read()), 'it was typed');
  await new Promise(resolve => setTimeout(resolve, 500));
  screen.type('C-c');
  await screen.shows(/\[130\]$/m);
  screen.close();
});

inTerminal('on a narrow screen nothing is broken within a word', async () => {
  const folder = project({ ...minimal, '.instr/project.prs': `${minimal['.instr/project.prs']}@contxt { a: "b" }\n` });
  const screen = await openScreen(folder, { columns: 40 });
  for (const args of ['validate', 'targets claude', 'explain --rules', 'compile --help', 'compile --dry-run']) {
    screen.type(`clear; prs ${args}`, 'Enter');
    const shown = await screen.shows(/^\[0\]$/m);
    // tmux joins the lines that it had to break itself: only a word longer than the screen may be one of these.
    const broken = shown.split('\n').filter(line => line.length > 40 && line.trim().split(' ').every(word => word.length < 30));
    assert.equal(broken, [], args);
  }
  screen.close();
});

tests.run();
