import { existsSync } from 'node:fs';
import { nodeDisk } from '../../src/host/disk.ts';
import type { Disk, WritableDisk } from '../../src/host/host.ts';
import { memoryDisk } from '../../src/host/overlay.ts';
import { type LoadedConfig, loadConfig } from '../../src/project/config/load.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { casesBeside } from '../support/cases.ts';
import { collect } from '../support/collect.ts';

/** An in-memory disk with files by absolute path. */
export const memory = (files: Readonly<Record<string, string | Uint8Array>>): WritableDisk =>
  memoryDisk('/', new Map(Object.entries(files).map(([path, content]) => [path, { content }])));

export async function load(disk: Disk, cwd: string, explicit?: string) {
  const { report, diagnostics } = collect();
  const loaded = await loadConfig({ cwd, explicit, disk }, report);
  return { loaded, diagnostics: diagnostics() };
}

/** Renders the findings of a case, and its configuration if it can be loaded. The project may be in a subfolder. */
export const cases = casesBeside(import.meta.url, ['expected.txt'], async root => {
  const project = `${root}/project`;
  const { loaded, diagnostics } = await load(nodeDisk, existsSync(project) ? project : root);
  const configuration = loaded ? renderLoaded(loaded, root) : 'no configuration';
  return { 'expected.txt': `${renderText(diagnostics)}\n${configuration}\n` };
});

function renderLoaded({ config, files }: LoadedConfig, root: string): string {
  const names = files.map(file => file.slice(root.length + 1)).join(', ');
  return `${names}\n${JSON.stringify(config, null, 2)}`;
}
