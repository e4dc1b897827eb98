/**
 * Runs clients from npm on compiled output, without a network, and reports what they received:
 * `npm run prove -- [target…]`.
 *
 * `--parts features,versions,together,view,once` selects what is checked (default: `features`). `--record` writes the
 * results of `features` into the specs. `--latest` uses the newest client instead of the pinned version. `--keep <folder>`
 * keeps projects, homes and requests in that folder.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { root } from './generate.ts';
import { type Client, readClients } from './prove/client.ts';
import { readProven } from './prove/given.ts';
import { type Installed, installClient } from './prove/install.ts';
import { fence, isOffline, runAgain } from './prove/offline.ts';
import { countCopies } from './prove/once.ts';
import { proveFeatures, type Scenes, scenesOf } from './prove/prove.ts';
import { recordProof } from './prove/record.ts';
import { type Row, reportCopies, reportRows, reportViews, type ViewRow } from './prove/report.ts';
import { proveView, viewLayouts } from './prove/view.ts';
import { readSpecs } from './specs.ts';

const parts = ['features', 'versions', 'together', 'view', 'once'] as const;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parts: { type: 'string', default: 'features' },
    record: { type: 'boolean', default: false },
    latest: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});

const tell = (line: string) => process.stderr.write(`${line}\n`);

async function main(): Promise<number> {
  const known = readClients(join(root, 'targets/proof'));
  const unknown = positionals.find(id => !known.some(client => client.id === id));
  const chosen = values.parts.split(',');
  const wrong = chosen.find(part => !(parts as readonly string[]).includes(part));
  if (unknown !== undefined || wrong !== undefined) {
    tell(
      unknown !== undefined
        ? `There is no targets/proof/${unknown}.yaml.`
        : `There is no part ${wrong}. The parts are ${parts.join(', ')}.`,
    );
    return 2;
  }
  const clients = known.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  const ready = clients.flatMap(client => install(client));
  if (!isOffline()) {
    const wall = fence();
    if (wall) return await runAgain(wall);
    tell('This system has no network namespaces: the clients have access to the network.');
  }
  // Turns signals into an exit, because the `exit` listeners stop the clients.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => process.exit(130));
  const folder = values.keep === undefined ? mkdtempSync(join(tmpdir(), 'prs-prove-')) : resolve(values.keep);
  if (values.keep === undefined)
    process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return await prove(ready, chosen, folder);
}

/** Installs a client. If that fails, the error is printed and the other clients still run. */
function install(client: Client): { client: Client; installed: Installed }[] {
  try {
    return [{ client, installed: installClient(client, values.latest ? 'latest' : undefined, isOffline()) }];
  } catch (error) {
    tell((error as Error).message);
    process.exitCode = 1;
    return [];
  }
}

async function prove(
  ready: readonly { client: Client; installed: Installed }[],
  chosen: readonly string[],
  folder: string,
): Promise<number> {
  const specs = new Map(readSpecs(root).map(spec => [spec.id, spec]));
  const sets = parse(readFileSync(join(root, 'scripts/prove/sets.yaml'), 'utf8')) as Scenes;
  const rows: Row[] = [];
  const views: ViewRow[] = [];
  for (const { client, installed } of ready) {
    const spec = specs.get(client.id)!;
    const place = join(folder, client.id);
    for (const scene of scenesOf(client, spec, chosen, sets)) {
      const row = await attempt(() => proveFeatures(client, installed, scene, place));
      if (!row) continue;
      rows.push(row);
      tell(reportRows([row]).trimEnd());
      if (values.record && scene.name === 'alone') {
        const { text, files } = await readProven(join(root, 'targets'), client.id);
        const today = new Date().toISOString().slice(0, 10);
        writeFileSync(join(root, 'targets', `${client.id}.yaml`), recordProof(text, files, row, today));
      }
    }
    for (const layout of chosen.includes('view') ? viewLayouts(client, spec) : []) {
      const view = await attempt(() => proveView(client, installed, layout, place));
      if (!view) continue;
      views.push(view);
      tell(reportViews([view]).trimEnd());
    }
  }
  const copies = chosen.includes('once') ? await countCopies(sets.once, ready, folder, tell) : [];
  process.stdout.write(`${reportRows(rows)}${reportViews(views, true)}${reportCopies(copies)}`);
  return 0;
}

/** Runs one scene. If it fails, the error is printed and the other scenes still run. */
async function attempt<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    tell((error as Error).message);
    process.exitCode = 1;
    return undefined;
  }
}

process.exitCode = (await main()) || process.exitCode || 0;
