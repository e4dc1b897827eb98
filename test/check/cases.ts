/** A case is a program with a configuration of its rules. `expected.txt` holds the findings. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { checkProgram, checkRuleNames } from '../../src/check/check.ts';
import type { CheckOptions } from '../../src/check/rule.ts';
import { applyRuleSeverities } from '../../src/check/severities.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import { repositoryAt } from '../../src/project/repository.ts';
import type { Program, Unit } from '../../src/resolve/program.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import { referencesOf, writtenForm } from '../../src/resolve/written-at.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Report } from '../../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import type { Layer } from '../../src/text/layer.ts';
import { casesBeside } from '../support/cases.ts';
import { collect } from '../support/collect.ts';

/**
 * Reads and resolves the files that an entry reaches by `./` references. `@name/x` is read from `@name/x.prs` in the case
 * and treated as a source from a registry.
 */
export function programOf(read: (path: string) => string | undefined, report: Report): Program {
  const units = new Map<string, Unit>();
  const load = (path: string, layer: Layer): string | undefined => {
    const id = layer.remote ? `${layer.reference}.prs` : path;
    const text = read(id);
    if (text === undefined || units.has(id)) return text === undefined ? undefined : id;
    const references = new Map<string, string>();
    const document = parseDocument({ name: id, text }, report);
    units.set(id, { kind: 'source', id, layer, document, references });
    for (const reference of document.declarations.flatMap(referencesOf)) {
      const isRemote = reference.path.startsWith('@');
      const to = isRemote ? reference.path : posix.join(posix.dirname(id), reference.path);
      const found = load(`${to}.prs`, isRemote || layer.remote ? { reference: to, remote: true } : layer);
      if (found !== undefined) references.set(writtenForm(reference), found);
    }
    return id;
  };
  const entryId = load('project.prs', { reference: '@project', remote: false });
  return resolveProgram({ units, entryId, env: () => undefined }, report);
}

/** Options with which every file and tool exists. */
export const anything: CheckOptions = {
  guardRequiresDepth: 3,
  entry: 'project.prs',
  spanOf: () => undefined,
  targets: { names: [], isTarget: () => true },
  repository: { kindOf: () => 'file', scripts: () => undefined, makeTargets: () => undefined },
};

/** Returns the findings of the rules for a single text. */
export function findingsIn(text: string, options: Partial<CheckOptions> = {}) {
  const { report, diagnostics } = collect();
  checkProgram(programOf(path => (path === 'project.prs' ? text : undefined), report), { ...anything, ...options }, report);
  return diagnostics();
}

/** Renders the findings of a case. `options.json` stands for the configuration. */
export const cases = casesBeside(import.meta.url, ['expected.txt'], directory => {
  const file = (path: string) => join(directory, path);
  const read = (path: string) => (existsSync(file(path)) ? readFileSync(file(path), 'utf8') : undefined);
  const options = JSON.parse(read('options.json') ?? '{}') as CheckOptions;
  const { report, diagnostics } = collect();
  checkRuleNames(options.rules, () => undefined, report);
  const graded = applyRuleSeverities(report, options.rules);
  const program = programOf(read, graded);
  checkProgram(program, { ...anything, ...options, targets: { names: ['claude', 'github'], isTarget: name => ['claude', 'github', 't05'].includes(name) }, repository: repositoryAt(directory, nodeDisk) }, graded);
  return { 'expected.txt': renderText(diagnostics()) };
});
