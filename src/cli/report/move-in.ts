import { type AdoptOptions, type AdoptOutcome, adoptProject } from '../../project/adopt/adopt.ts';
import { type Compiled, compileProject } from '../../project/compile.ts';
import {
  type ConversionOptions,
  convertProject,
  type ForeignOutcome,
} from '../../project/move-in/foreign.ts';
import type { CompileContext } from '../../project/session/world.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { fewLines, fewNames } from '../../text/names.ts';
import { conflictTexts } from './diff.ts';
import { createdData, createdFilesText } from './made.ts';
import { plural } from './table.ts';

/** The members of a result about existing instructions that became sources. */
interface MovedIn {
  readonly root: string;
  readonly data: Record<string, unknown>;
  readonly text: string;
}

/** Converts the sources of another compiler. */
export async function convertForeign(
  source: Parameters<typeof convertProject>[0],
  options: ConversionOptions,
  context: CompileContext,
): Promise<MovedIn | undefined> {
  const outcome = await convertProject(source, options, context);
  if (!outcome) return undefined;
  const planned = options.dryRun ? undefined : await planNextCompile(context);
  const text = await foreignText(outcome, options.dryRun, planned);
  return { root: outcome.root, data: foreignData(outcome), text };
}

/** Makes every existing text a source as it is. */
export async function adoptExisting(
  options: AdoptOptions,
  context: CompileContext,
): Promise<MovedIn | undefined> {
  const outcome = await adoptProject(options, context);
  return (
    outcome && { root: outcome.root, data: adoptData(outcome), text: adoptText(outcome, options.dryRun) }
  );
}

/** The plan of the next compile; `undefined` while the sources have errors. */
async function planNextCompile(context: CompileContext): Promise<Compiled | undefined> {
  const compiled = await compileProject({ mode: 'plan', force: true }, { ...context, report: () => {} });
  return typeof compiled === 'string' || compiled.broken ? undefined : compiled;
}

/** The JSON members of a migration that keeps texts unchanged. */
function adoptData({ files, adoption, found }: AdoptOutcome): Record<string, unknown> {
  return {
    files: files.map(file => createdData({ ...file, state: 'new' })),
    moved: {
      targets: adoption.targets.map(({ spec }) => spec.id),
      kept: adoption.adopted.map(({ path, source }) => ({ path, source })),
      left: adoption.left.map(({ path, specs, reason }) => ({
        path,
        targets: specs.map(({ id }) => id),
        reason,
      })),
      skipped: [...found.skippedFolders].map(([folder, count]) => ({ folder, files: count })),
      ready: true,
    },
  };
}

/**
 * What was found, the sources created from it, what stays, and whether the project is
 * ready.
 */
export function adoptText(outcome: AdoptOutcome, dryRun: boolean): string {
  const { adoption, found, findings, accepted, files, done } = outcome;
  const lines: string[] = [];
  const titles = adoption.targets.map(({ spec }) => spec.title);
  lines.push(`${plural(adoption.adopted.length, 'file')} for ${fewNames(titles)}:`);
  const kept = adoption.adopted.map(({ path, source }) =>
    path === source ? `  ${path} stays, and is a source there` : `  ${path} -> ${source}`,
  );
  lines.push(...few(kept));
  if (adoption.left.length > 0) {
    lines.push(
      '',
      `${plural(adoption.left.length, 'file')} not taken; ${adoption.left.length === 1 ? 'it stays' : 'they stay'} as before:`,
    );
    const rows = adoption.left.map(({ path, specs, reason }) => {
      const titles = [...new Set(specs.map(({ title }) => title))];
      const readers = titles.length > 0 ? ` (read by ${fewNames(titles)})` : '';
      return `  ${path}${readers}: ${reason}`;
    });
    lines.push(...few(rows));
  }
  if (findings.length > 0) {
    lines.push('', 'To mend in these texts; until then the rules are warnings in instr.yaml:');
    lines.push(
      ...few(findings.map(finding => `  ${leadingPlace(finding)}${finding.message} [${finding.rule}]`)),
    );
  }
  if (accepted.length > 0) {
    const rules = [...new Set(accepted.map(({ rule }) => rule!))].sort();
    lines.push(
      '',
      `${plural(accepted.length, 'warning')} about these texts ${accepted.length === 1 ? 'is' : 'are'} accepted: ${fewNames(rules)} ${rules.length === 1 ? 'is' : 'are'} \`off\` in instr.yaml.`,
    );
  }
  if (found.skippedFolders.size > 0) {
    lines.push(
      '',
      'Passed over, as other projects, tests and samples are (`--files` takes them all the same):',
    );
    lines.push(
      ...few(
        [...found.skippedFolders].map(
          ([folder, count]) => `  ${folder}/: ${plural(count, 'instruction file')}`,
        ),
      ),
    );
  }
  const made = done ? [] : files.map(({ path }) => ({ path, state: 'new' as const }));
  lines.push('', createdFilesText(made, dryRun) + last(files.length, done, dryRun));
  return `${lines.join('\n')}\n`;
}

function leadingPlace({ span, file }: Diagnostic): string {
  if (!span) return file === undefined ? '' : `${file}: `;
  const line = span.source.text.slice(0, span.start).split('\n').length;
  return `${span.source.name}:${line}: `;
}

function last(count: number, done: boolean, dryRun: boolean): string {
  if (done) return 'Ready: everything is in its place already.';
  const would = dryRun ? `${plural(count, 'file')} would be written` : `${plural(count, 'file')} written`;
  const next = dryRun
    ? '`prs migrate` writes them. No file that a tool reads changes.'
    : '`prs compile`. It changes no file that a tool reads.';
  return `Ready: ${would}.\nNext: ${next}`;
}

const shown = 40;

const few = (lines: readonly string[]): readonly string[] =>
  fewLines(lines, shown, rest => `  … and ${rest} more (\`--json\` lists all)`);

/** The JSON members of a conversion of another compiler's sources. */
const foreignData = ({ title, files, targets, left, stillRead, adopted, errors }: ForeignOutcome) => ({
  converted: {
    from: title,
    files: files.map(({ path }) => path),
    targets,
    left,
    stillRead: stillRead.map(({ path, tools, isOutput }) => ({ path, tools, generated: isOutput })),
    adopted,
    errors: errors.map(({ code, message }) => ({ code, message })),
  },
});

/** What was converted, what was not, and what to do next. */
async function foreignText(
  { title, files, targets, left, stillRead, adopted, converted, errors }: ForeignOutcome,
  dryRun: boolean,
  planned: Compiled | undefined,
): Promise<string> {
  const lines = [
    `${plural(converted.length, 'source')} of ${title} for ${targets.join(', ') || 'no tool'}.`,
    createdFilesText(
      files.map(({ path }) => ({ path, state: 'new' })),
      dryRun,
    ).trimEnd(),
  ];
  if (left.length > 0) {
    lines.push('Not taken:', ...left.map(({ path, reason }) => `  ${path}: ${reason}`));
  }
  const list = (heading: string, all: readonly string[]) => {
    if (all.length === 0) return;
    const told = fewLines(all, shown, rest => `and ${rest} more (--json lists them)`);
    lines.push(heading, ...told.map(line => `  ${line}`));
  };
  const readBy = (isOutput: boolean) =>
    stillRead.flatMap(({ path, tools, isOutput: found }) =>
      found === isOutput ? [tools.length > 0 ? `${path}: ${tools.join(', ')}` : path] : [],
    );
  list('Written by people, and sources as they are:', adopted);
  list(`Generated by ${title} and replaced by nothing; remove them, or tools read them twice:`, readBy(true));
  list('Written by people and not taken; tools read them as before:', readBy(false));
  if (errors.length > 0) {
    const told = errors.map(({ message, file, span }) => `  ${span?.source.name ?? file ?? ''}: ${message}`);
    lines.push(
      `${plural(errors.length, 'error')} in the way of a compile; \`prs validate\` shows where:`,
      ...told,
    );
  }
  const count = (planned?.entries ?? []).filter(({ state }) => state === 'conflict').length;
  if (count > 0)
    lines.push(
      `${plural(count, 'file')} that ${title} generated ${count === 1 ? 'means' : 'mean'} something else than what \`prs compile\` would write; the other files stay as they are:`,
      ...(await conflictTexts(planned!)).map(text => text.trimEnd()),
      `Move what you need into the sources. \`prs compile --force\` then writes ${count === 1 ? 'the file' : 'these files'} and keeps copies.`,
    );
  lines.push(
    `What ${title} generated is output from now on. Its own sources can be removed after the first compile.`,
    `Next: \`prs compile --dry-run\` shows what changes.`,
  );
  return `${lines.join('\n')}\n`;
}
