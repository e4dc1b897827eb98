import { type AdoptOptions, type AdoptOutcome, adoptProject } from '../../project/adopt/adopt.ts';
import { type Compiled, compileProject } from '../../project/compile.ts';
import {
  type ConversionOptions,
  convertProject,
  type ForeignOutcome,
  foreignSourceOf,
} from '../../project/move-in/foreign.ts';
import type { CompileContext } from '../../project/session/world.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { fewLines, fewNames } from '../../text/names.ts';
import { startOf } from '../../text/source.ts';
import { conflictTexts } from './diff.ts';
import { createdData, createdFilesText } from './made.ts';
import { plural } from './table.ts';

/** The members of a result about existing instructions that became sources. */
interface MovedIn {
  readonly root: string;
  readonly data: Record<string, unknown>;
  readonly text: string;
}

/** Converts the sources of another compiler if there are any; else makes every existing text a source as it is. */
export async function moveIn(
  options: AdoptOptions & ConversionOptions,
  context: CompileContext,
): Promise<MovedIn | undefined> {
  const foreign = await foreignSourceOf(context);
  if (!foreign) {
    const adopted = await adoptProject(options, context);
    const text = adopted && adoptText(adopted, options.dryRun);
    return adopted && { root: adopted.root, data: adoptData(adopted), text: text! };
  }
  const converted = await convertProject(foreign.source, options, context);
  if (!converted) return undefined;
  const quiet = { ...context, report: () => {} };
  const planned = options.dryRun ? '' : await compileProject({ mode: 'plan', force: true }, quiet);
  const plan = typeof planned === 'string' || planned.broken ? undefined : planned;
  const text = await foreignText(converted, options.dryRun, plan);
  return { root: converted.root, data: foreignData(converted), text };
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
  const { adopted, left, targets } = adoption;
  const lines: string[] = [];
  const section = (title: string, rows: readonly string[]) =>
    lines.push(title, ...fewLines(rows, mostListed, rest => `  … and ${rest} more (\`--json\` lists all)`));
  section(
    `${plural(adopted.length, 'file')} for ${fewNames(targets.map(({ spec }) => spec.title))}:`,
    adopted.map(({ path, source }) =>
      path === source ? `  ${path} stays, and is a source there` : `  ${path} -> ${source}`,
    ),
  );
  if (left.length > 0) {
    const rows = left.map(({ path, specs, reason }) => {
      const titles = [...new Set(specs.map(({ title }) => title))];
      return `  ${path}${titles.length > 0 ? ` (read by ${fewNames(titles)})` : ''}: ${reason}`;
    });
    const they = left.length === 1 ? 'it stays' : 'they stay';
    section(`\n${plural(left.length, 'file')} not taken; ${they} as before:`, rows);
  }
  if (findings.length > 0)
    section(
      '\nTo mend in these texts; until then the rules are warnings in instr.yaml:',
      findings.map(finding => `  ${placeOf(finding)}${finding.message} [${finding.rule}]`),
    );
  if (accepted.length > 0) {
    const rules = [...new Set(accepted.map(({ rule }) => rule!))].sort();
    const warnings = `${plural(accepted.length, 'warning')} about these texts ${accepted.length === 1 ? 'is' : 'are'}`;
    lines.push(
      `\n${warnings} accepted: ${fewNames(rules)} ${rules.length === 1 ? 'is' : 'are'} \`off\` in instr.yaml.`,
    );
  }
  if (found.skippedFolders.size > 0)
    section(
      '\nPassed over, as other projects, tests and samples are (`--files` takes them all the same):',
      Array.from(found.skippedFolders, ([folder, count]) => {
        return `  ${folder}/: ${plural(count, 'instruction file')}`;
      }),
    );
  const created = done ? [] : files.map(({ path }) => ({ path, state: 'new' as const }));
  lines.push('', createdFilesText(created, dryRun) + lastLines(files.length, done, dryRun));
  return `${lines.join('\n')}\n`;
}

function placeOf({ span, file }: Diagnostic): string {
  if (!span) return file === undefined ? '' : `${file}: `;
  const { file: name, line } = startOf(span);
  return `${name}:${line}: `;
}

function lastLines(count: number, done: boolean, dryRun: boolean): string {
  if (done) return 'Ready: everything is in its place already.';
  return dryRun
    ? `Ready: ${plural(count, 'file')} would be written.\nNext: \`prs migrate\` writes them. No file that a tool reads changes.`
    : `Ready: ${plural(count, 'file')} written.\nNext: \`prs compile\`. It changes no file that a tool reads.`;
}

const mostListed = 40;

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
  const created = files.map(({ path }) => ({ path, state: 'new' as const }));
  const lines = [
    `${plural(converted.length, 'source')} of ${title} for ${targets.join(', ') || 'no tool'}.`,
    createdFilesText(created, dryRun).trimEnd(),
  ];
  const list = (heading: string, all: readonly string[]) => {
    if (all.length === 0) return;
    const listed = fewLines(all, mostListed, rest => `and ${rest} more (--json lists them)`);
    lines.push(heading, ...listed.map(line => `  ${line}`));
  };
  const readBy = (isOutput: boolean) =>
    stillRead
      .filter(file => file.isOutput === isOutput)
      .map(({ path, tools }) => [path, tools.join(', ')].filter(Boolean).join(': '));
  list(
    'Not taken:',
    left.map(({ path, reason }) => `${path}: ${reason}`),
  );
  list('Written by people, and sources as they are:', adopted);
  list(`Generated by ${title} and replaced by nothing; remove them, or tools read them twice:`, readBy(true));
  list('Written by people and not taken; tools read them as before:', readBy(false));
  list(
    `${plural(errors.length, 'error')} in the way of a compile; \`prs validate\` shows where:`,
    errors.map(({ message, file, span }) => `${span?.source.name ?? file ?? ''}: ${message}`),
  );
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
