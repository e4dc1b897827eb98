import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPolicies } from '../../src/check/policy/policy.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import { loadConfig } from '../../src/project/config/load.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { programOf } from '../check/cases.ts';
import { casesBeside } from '../support/cases.ts';
import { collect } from '../support/collect.ts';

/** The diagnostics of the policies in a case's `instr.yaml`. `@name/x.prs` represent files of registries. */
export const cases = casesBeside(import.meta.url, ['expected.txt'], async directory => {
  const file = (path: string) => join(directory, path);
  const { report, diagnostics } = collect();
  const loaded = await loadConfig({ cwd: file('.'), disk: nodeDisk }, report);
  if (!loaded) throw new Error(`${directory}: ${renderText(diagnostics())}`);
  const program = programOf(path => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : undefined), report);
  await checkPolicies(program, loaded.config.policies, loaded.spanOf, report, 'project.prs');
  return { 'expected.txt': renderText(diagnostics().filter(one => one.severity !== 'info' || one.code.startsWith('PRS5'))) };
});
