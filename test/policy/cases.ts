import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../src/config/load.ts';
import { renderText } from '../../src/diagnostics/render-text.ts';
import { collect } from '../support/collect.ts';
import { checkPolicies } from '../../src/policy/policy.ts';
import { programOf } from '../check/cases.ts';

export const folder = join(dirname(fileURLToPath(import.meta.url)), 'cases');

export const cases = (): string[] => readdirSync(folder).sort();

/** What the policies of a case's `instr.yaml` say about its sources; `@name/x.prs` stand for files of registries. */
export async function runCase(name: string): Promise<string> {
  const file = (path: string) => join(folder, name, path);
  const { report, diagnostics } = collect();
  const reader = {
    read: (path: string) => (existsSync(path) ? readFileSync(path) : undefined),
    exists: (path: string) => existsSync(path),
  };
  const loaded = await loadConfig({ cwd: file('.'), reader }, report);
  if (!loaded) throw new Error(`${name}: ${renderText(diagnostics())}`);
  const program = programOf(path => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : undefined), report);
  await checkPolicies(program, loaded.config.policies, loaded.spanOf, report);
  return renderText(diagnostics().filter(one => one.severity !== 'info'));
}
