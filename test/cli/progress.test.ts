/** Progress of long operations on a terminal, and how to cancel them. A pipe gets no progress output. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { minimal, project, startPrs, tree, until } from './prs.ts';
import { hasTerminal, openScreen } from './screen.ts';

/** A registry that answers when the test tells it to. */
async function slowRegistry() {
  const waiting: (() => void)[] = [];
  const server = createServer((_request, response) => void waiting.push(() => response.end('@meta { id: "base" syntax: "1.5.0" }\n')));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  // A failed test must not wait for the registry.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const config = `${minimal['instr.yaml']}registry: { url: "http://127.0.0.1:${port}/", cache: { enabled: false } }\n`;
  return {
    folder: project({ 'instr.yaml': config, '.instr/project.prs': `${minimal['.instr/project.prs']}@use @acme/base\n` }),
    port,
    hasRequest: () => waiting.length > 0,
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

inTerminal('shows a wait in one line, and removes the line when there is a result', async () => {
  const registry = await slowRegistry();
  const screen = await openScreen(registry.folder);
  screen.type('prs compile', 'Enter');
  await screen.shows(new RegExp(`^Asking http://127\\.0\\.0\\.1:${registry.port}`, 'm'));
  registry.answer();
  assert.not.match(await screen.shows(/\d+ files[\s\S]*^\[0\]$/m), /Asking/);
  screen.close();
  registry.close();
});

inTerminal('Ctrl-C during a wait ends the run at once and leaves no files', async () => {
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

tests('writes no progress to a pipe', async () => {
  const registry = await slowRegistry();
  const { ended, output } = startPrs(registry.folder, ['compile']);
  await until(registry.hasRequest, 'a request arrives');
  // Longer than the delay before progress is shown.
  await new Promise(resolve => setTimeout(resolve, 1500));
  registry.answer();
  assert.is((await ended).code, 0);
  assert.not.match(output.stderr + output.stdout, /Asking|\r|\x1b/);
  registry.close();
});

inTerminal('Ctrl-C in a pager goes to the pager, and the terminal works afterwards', async () => {
  const folder = project(minimal);
  const screen = await openScreen(folder, { rows: 10 });
  screen.type('PAGER=less LESS=R prs diff --all --full', 'Enter');
  await screen.shows(/^:$/m);
  screen.type('C-c');
  // The pager may discard keys that arrive together with an interrupt, so the key is sent again.
  while (!/would change[\s\S]*\(END\)/.test(screen.read())) {
    screen.type('G');
    await new Promise(resolve => setTimeout(resolve, 300));
  }
  screen.type('q');
  await screen.shows(/^\[0\]$/m);
  screen.type("PAGER='sleep 60' prs diff --all", 'Enter');
  await until(() => /sleep 60/.test(screen.read()), 'the command is typed');
  await new Promise(resolve => setTimeout(resolve, 500));
  screen.type('C-c');
  await screen.shows(/\[130\]$/m);
  screen.close();
});

inTerminal('breaks no word on a narrow screen', async () => {
  const folder = project({ ...minimal, '.instr/project.prs': `${minimal['.instr/project.prs']}@contxt { a: "b" }\n` });
  const screen = await openScreen(folder, { columns: 40 });
  for (const args of ['validate', 'targets claude', 'explain --rules', 'compile --help', 'compile --dry-run']) {
    screen.type(`clear; prs ${args}`, 'Enter');
    const output = await screen.shows(/^\[0\]$/m);
    // tmux joins the lines that it has wrapped, so a longer line is valid only if it contains a word longer than the screen.
    const broken = output.split('\n').filter(line => line.length > 40 && line.trim().split(' ').every(word => word.length < 30));
    assert.equal(broken, [], args);
  }
  screen.close();
});

tests.run();
