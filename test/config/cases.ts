import { existsSync, readFileSync } from 'node:fs';
import { type ConfigReader, type LoadedConfig, loadConfig } from '../../src/project/config/load.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { casesBeside } from '../support/cases.ts';
import { collect } from '../support/collect.ts';

/** Files of this computer. */
export const disk: ConfigReader = {
  read: path => (existsSync(path) ? readFileSync(path) : undefined),
  exists: path => existsSync(path),
};

/** Files held in memory, by absolute path. */
export function memory(files: Readonly<Record<string, string>>): ConfigReader {
  const map = new Map(Object.entries(files));
  return {
    read: path => {
      const text = map.get(path);
      return text === undefined ? undefined : new TextEncoder().encode(text);
    },
    exists: path => map.has(path) || [...map.keys()].some(key => key.startsWith(`${path}/`)),
  };
}

export async function load(reader: ConfigReader, cwd: string, explicit?: string) {
  const { report, diagnostics } = collect();
  const loaded = await loadConfig({ cwd, explicit, reader }, report);
  return { loaded, diagnostics: diagnostics() };
}

/** What a case prints: its findings, and the configuration when there is one. The project may be a subfolder. */
export const cases = casesBeside(import.meta.url, ['expected.txt'], async root => {
  const project = `${root}/project`;
  const { loaded, diagnostics } = await load(disk, existsSync(project) ? project : root);
  const configuration = loaded ? shown(loaded, root) : 'no configuration';
  return { 'expected.txt': `${renderText(diagnostics)}\n${configuration}\n` };
});

function shown({ config, files }: LoadedConfig, root: string): string {
  const names = files.map(file => file.slice(root.length + 1)).join(', ');
  return `${names}\n${JSON.stringify(config, null, 2)}`;
}
