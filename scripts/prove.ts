/**
 * Runs clients of npm over our own output, offline, and reports what they received: `npm run prove -- [client…]`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './generate.ts';
import { readClients } from './prove/client.ts';
import { commandScene, judge, wholeScene } from './prove/features.ts';
import { installClient } from './prove/install.ts';
import { fence, isOffline, runAgain } from './prove/offline.ts';
import { runScene } from './prove/scene.ts';

const ids = process.argv.slice(2).filter(arg => !arg.startsWith('--'));
const debug = process.argv.includes('--debug');
const clients = readClients(join(root, 'targets/proof')).filter(({ id }) => ids.length === 0 || ids.includes(id));
if (!isOffline()) {
  for (const client of clients) installClient(client);
  const wall = fence();
  if (wall) process.exit(runAgain(wall));
}
const folder = process.env.PROVE_FOLDER ?? mkdtempSync(join(tmpdir(), 'prs-prove-'));
for (const client of clients) {
  const installed = installClient(client);
  const seen = await runScene(client, installed, wholeScene(client), join(folder, client.id, 'alone'));
  const scene = commandScene(client);
  const command = scene && (await runScene(client, installed, scene, join(folder, client.id, 'command')));
  console.log(client.client, installed.version, judge(client, seen, command));
  if (debug) {
    if (command) console.log('COMMAND', command.status, command.printed.slice(-300), command.captured.length);
    console.log(seen.status, seen.printed, seen.done, seen.hooks, seen.servers);
    console.log(seen.captured.map(({ method, path, asked }) => `${method} ${path} ${asked ? `${asked.calls} ${asked.tools.length} ${asked.texts.join('').length}` : ''}`).join('\n'));
    console.log(seen.main[0]?.asked?.tools.map(({ name }) => name).join(' '));
    (await import('node:fs')).writeFileSync(join(folder, client.id, 'captured.json'), JSON.stringify(seen.captured, null, 1));
    if (command) (await import('node:fs')).writeFileSync(join(folder, client.id, 'command.json'), JSON.stringify(command.captured, null, 1));
  }
}
if (!process.env.PROVE_FOLDER) rmSync(folder, { recursive: true, force: true });
