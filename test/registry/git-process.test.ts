/** Tests a single git command: its output, and that its processes end after a timeout. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { runGit } from '../../src/host/repository.ts';
import { folder } from './support/setup.ts';
import { serve } from './support/web.ts';

const test = suite('git process');

/** The settings that the registry passes for each server. */
const lowSpeed = [
  ['http.lowSpeedLimit', '1'],
  ['http.lowSpeedTime', '1'],
] as const;

const patience = { silence: 20_000, limit: 40_000 };

for (const [name, short] of [
  ['is silent', { silence: 300, limit: 40_000 }],
  ['does not end', { silence: 40_000, limit: 300 }],
] as const) {
  test(`stops a git that ${name}; the network program that it started ends by its own time limit`, async () => {
    let closed: Promise<unknown> | undefined;
    let open = false;
    const stalling: RequestListener = request => {
      open = true;
      closed = once(request.socket, 'close').then(() => {
        open = false;
      });
    };
    const web = await serve(stalling);
    try {
      // On a busy machine the first attempt may be stopped before it sends a request.
      for (let factor = 1; !closed; factor *= 4) {
        const limits = { silence: short.silence * factor, limit: short.limit * factor };
        const result = await runGit({ folder: folder(), args: ['ls-remote', web.origin], environment: { GIT_ALLOW_PROTOCOL: 'http' }, config: lowSpeed, ...limits });
        assert.equal(result, { kind: 'timeout' });
      }
      for (const end = Date.now() + 10_000; open && Date.now() < end; )
        await new Promise(resolve => setTimeout(resolve, 10));
      assert.not(open, 'the connection is closed');
    } finally {
      await web.close();
    }
  });
}

test('returns output as bytes, error messages without the output, and a separate result if git is missing', async () => {
  const cwd = folder();
  const input = Buffer.from([0x66, 0xff, 0x00, 0x0a]);
  const made = await runGit({ folder: cwd, args: ['init', '--quiet', '--bare'], ...patience });
  assert.equal(made, { kind: 'done', output: Buffer.alloc(0) });
  const oid = String(spawnSync('git', ['hash-object', '-w', '--stdin'], { cwd, input }).stdout).trim();
  const read = await runGit({ folder: cwd, args: ['cat-file', '--batch'], input: `${oid}\nnone\n`, ...patience });
  const expected = Buffer.concat([Buffer.from(`${oid} blob 4\n`), input, Buffer.from('\nnone missing\n')]);
  assert.equal(read, { kind: 'done', output: expected });
  const failed = await runGit({ folder: cwd, args: ['cat-file', '--batch', '--batch-check'], ...patience });
  assert.is(failed.kind, 'failed');
  assert.match(failed.kind === 'failed' ? failed.message : '', /^(?:error|fatal): /);
  const { PATH } = process.env;
  try {
    process.env.PATH = cwd;
    assert.equal(await runGit({ folder: cwd, args: ['version'], ...patience }), { kind: 'missing' });
    if (process.platform !== 'win32') {
      writeFileSync(join(cwd, 'git'), 'no program', { mode: 0o644 });
      const unstarted = await runGit({ folder: cwd, args: ['version'], ...patience });
      assert.match(unstarted.kind === 'failed' ? unstarted.message : '', 'EACCES');
    }
  } finally {
    process.env.PATH = PATH;
  }
});

test.run();
