/** A run that is stopped while git waits for a server: git and its helpers end with it, and nothing stays behind. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { basename, dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gitOverHttp, serve } from '../registry/support/web.ts';
import { minimal, project, startPrs, tree, until } from './prs.ts';

const tests = suite('stopped');

const repository = project({ 'base.prs': '@meta { id: "base" syntax: "1.5.0" }\n' });
const git = (...args: string[]) => execFileSync('git', args, { cwd: repository, stdio: 'pipe' });
git('init', '-q', '-b', 'main');
git('add', '-A');
git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'first');

/** Serves the repository to the first `answered` git commands, and keeps the next one waiting for ever. */
async function stallingServer(answered: number) {
  let commands = 0;
  let ended: Promise<unknown> | undefined;
  const serving = gitOverHttp(dirname(repository), () => true);
  const listener: RequestListener = (request, response) => {
    // Every command begins with the list of refs.
    if (request.url!.includes('/info/refs')) commands += 1;
    if (commands > answered) ended = once(request.socket, 'close');
    else serving(request, response);
  };
  const web = await serve(listener);
  return { ...web, url: `${web.origin}/${basename(repository)}/.git`, waiting: () => ended };
}

const stages = [
  ['asks for the refs', 0],
  ['fetches a commit', 1],
] as const;

for (const [stage, answered] of stages) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    tests(`${signal} to the program alone while git ${stage}`, async () => {
      const server = await stallingServer(answered);
      const folder = project({
        ...minimal,
        'instr.yaml': `${minimal['instr.yaml']}registry: { git: { url: ${JSON.stringify(server.url)} } }\n`,
        '.instr/project.prs': '@meta { id: "x" syntax: "1.5.0" }\n@use @org/base\n',
      });
      const cache = project({});
      const before = tree(folder);
      const { child, ended, output } = startPrs(folder, ['compile'], { INSTR_CACHE_DIR: cache });
      try {
        await until(() => server.waiting() !== undefined, `git asks: ${output.stderr}`);
        child.kill(signal);
        assert.equal(await ended, { code: 130, signal: null });
        let closed = false;
        void server.waiting()!.then(() => {
          closed = true;
        });
        await until(() => closed, 'the last process of git has let go of the server', 10_000);
      } finally {
        await server.close();
      }
      assert.equal(output, { stdout: '', stderr: '' });
      assert.equal(tree(folder), before);
      const left = tree(cache).filter(path => !path.startsWith('code/') && basename(path) !== 'refs');
      assert.equal(left, []);
      assert.equal(readdirSync(join(cache, 'git')).filter(name => name.startsWith('work-')), []);
    });
  }
}

tests.run();
