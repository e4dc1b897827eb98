import type { AdoptOutcome } from '../../project/adopt/adopt.ts';
import type { Compiled } from '../../project/compile.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { groupBy } from '../../text/group.ts';
import { fewLines, fewNames } from '../../text/names.ts';
import { plural } from './files.ts';
import { createdData, createdFilesText } from './made.ts';

/** The JSON members of a migration that keeps texts unchanged. */
export function adoptData({ files, adoption, found }: AdoptOutcome): Record<string, unknown> {
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
 * What was found, the sources created from it, what stays, what each tool gets, and whether the project is
 * ready.
 */
export function adoptText(outcome: AdoptOutcome, dryRun: boolean, planned?: Compiled): string {
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
    const rows = groupBy(adoption.left, ({ specs, reason }) => {
      const titles = [...new Set(specs.map(({ title }) => title))];
      const readers = titles.length > 0 ? ` (read by ${fewNames(titles)})` : '';
      return `${readers}: ${reason}`;
    });
    const named = [...rows].flatMap(([text, files]) => {
      const paths = files.map(({ path }) => path);
      return paths.length > mostOfOneReason
        ? [`  ${fewNames(paths)}${text}`]
        : paths.map(path => `  ${path}${text}`);
    });
    lines.push(...few(named));
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
  lines.push('', createdFilesText(made, dryRun, planned) + last(files.length, done, dryRun));
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

/** More files with the same reason share a line. */
const mostOfOneReason = 5;

const shown = 40;

const few = (lines: readonly string[]): readonly string[] =>
  fewLines(lines, shown, rest => `  … and ${rest} more (\`--json\` lists all)`);
