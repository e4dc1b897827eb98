import { exceedsLimit } from '../../emit/limits.ts';
import type { ChangedFile, NewlyExecutable, SourceVersion } from '../../generated/types/report.ts';
import type { Changed } from '../../project/add.ts';
import { executableFacts } from '../../project/executables.ts';
import type { Locked } from '../../project/lock.ts';
import type { OpenFailure } from '../../project/open/open.ts';
import type { UpdatePreview } from '../../project/preview-update.ts';
import type { Outcome } from '../command.ts';
import { limitShare } from './compile.ts';
import { plural, table } from './table.ts';

/** The changes of the lock file, one line per source, and new executable content. */
function lockChanges({ changes, newlyExecutable }: Locked): string {
  const lines = changes.map(({ source, before, after }) => {
    if (before === undefined) return `  added   ${source}: ${after}\n`;
    if (after === undefined) return `  dropped ${source}\n`;
    return `  moved   ${source}: ${before === after ? 'other files' : `${before} -> ${after}`}\n`;
  });
  const fresh = newlyExecutable.map(one => `  ${executableText(one)}\n`);
  return lines.join('') + (fresh.length > 0 ? `Newly executable:\n${fresh.join('')}` : '');
}

/** New executable content, and where it is from. */
export const executableText = ({ name, word, from }: Omit<NewlyExecutable, 'sha256'>): string =>
  `${word} ${name} from ${from}`;

/** The same, and the state of the lock file. */
export function lockText(locked: Locked): string {
  const open =
    locked.newlyExecutable.length > 0 && !locked.accepted
      ? 'None of this is recorded, and nothing compiles with it: read what it does, then run `prs lock` yourself.\n'
      : '';
  const state =
    locked.changes.length > 0
      ? `instr.lock: ${plural(locked.changes.length, 'source')} changed.\n`
      : locked.rewritten
        ? 'instr.lock was written; the versions of the sources did not change.\n'
        : 'instr.lock is up to date.\n';
  return `${lockChanges(locked)}${state}${open}`;
}

/** A table of the files that a compile would change. */
const changesTable = (files: readonly ChangedFile[], width: number): string =>
  table(
    files.map(({ path, state, added, removed }) => [`  ${state}`, path, `+${added} -${removed}`]),
    width,
  );

/** The same after a heading; empty when a compile would change nothing. */
export const changesText = (files: readonly ChangedFile[], width: number): string =>
  files.length > 0 ? `A compile would now change:\n${changesTable(files, width)}` : '';

/** A table of the locked sources. */
export function outdatedText(sources: readonly SourceVersion[], width: number): string {
  if (sources.length === 0) return 'The lock has no sources.\n';
  const rows = sources.map(({ source, current, wanted, latest, state }) => [
    source,
    current,
    wanted?.name ?? '',
    latest ?? '',
    state,
  ]);
  const versions = table([['source', 'current', 'wanted', 'latest', 'state'], ...rows], width);
  return sources.every(({ state }) => state === 'current') ? `${versions}\nNothing is newer.\n` : versions;
}

/** The JSON members of `update --dry-run`. */
export function updateData({ locked, files, budgets, findings }: UpdatePreview): Record<string, unknown> {
  return {
    moves: locked.changes.map(({ source, before, after }) => ({
      source,
      ...(before !== undefined && { from: before }),
      ...(after !== undefined && { to: after }),
    })),
    changedFiles: files,
    newlyExecutable: locked.newlyExecutable.map(executableFacts),
    budgets,
    findings: findings.length,
  };
}

/** Whether errors would stop a compile after the update. */
const isStopped = (findings: UpdatePreview['findings']): boolean =>
  findings.some(({ severity }) => severity === 'error');

/** The effect of an update, as text. */
export function previewText({ locked, files, budgets, findings }: UpdatePreview, width: number): string {
  const over = budgets.filter(exceedsLimit).map(({ target }) => target);
  const effect =
    isStopped(findings) && files.length === 0
      ? 'and nothing would compile'
      : `${plural(files.length, 'file')} would change`;
  return [
    lockChanges(locked),
    files.length > 0 ? changesTable(files, width) : '',
    over.length > 0 ? `Over the limit: ${over.join(', ')}.\n` : '',
    findings.length > 0
      ? `${plural(findings.length, 'finding')} after the update; \`prs update\` and \`prs validate\` show them.\n`
      : '',
    locked.changes.length === 0
      ? 'Nothing to update.\n'
      : `${plural(locked.changes.length, 'source')} would move, ${effect}. Nothing was written.\n`,
  ].join('');
}

/** The same as Markdown, for the description of a pull request. */
export function previewMarkdown({ locked, files, budgets, findings }: UpdatePreview): string {
  const { changes, newlyExecutable } = locked;
  if (changes.length === 0) return 'The shared instructions are up to date.\n';
  const row = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replace(/\|/g, '\\|')).join(' | ')} |\n`;
  const asTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
    [head, head.map(() => '---'), ...rows].map(row).join('');
  const list = (items: readonly string[]) => items.map(item => `- ${item}\n`).join('');
  const parts = [
    `## Shared instructions\n\n${asTable(
      ['Source', 'From', 'To'],
      changes.map(({ source, before = '', after = '' }) => [`\`${source}\``, before, after]),
    )}`,
  ];
  if (newlyExecutable.length > 0)
    parts.push(
      `### Newly executable\n\nThis can run on the machine of whoever uses the project. Read what it does, then run \`prs lock\` on this branch.\n\n${list(
        newlyExecutable.map(({ name, word, from }) => `${word} \`${name}\` from ${from}`),
      )}`,
    );
  const over = budgets.flatMap(({ target, limit }) =>
    limit && limit.used > limit.max ? `${target}: ${limitShare(limit)}` : [],
  );
  if (over.length > 0) parts.push(`### Over the limit\n\n${list(over)}`);
  if (findings.length > 0)
    parts.push(
      `### Findings\n\n${list(findings.map(({ code, severity, message }) => `${severity} ${code}: ${message}`))}`,
    );
  const rows = files.map(({ path, state, added, removed }) => [
    `\`${path}\``,
    state,
    `+${added} −${removed}`,
  ]);
  if (rows.length > 0) parts.push(`### Generated files\n\n${asTable(['File', 'State', 'Lines'], rows)}`);
  else if (isStopped(findings))
    parts.push(
      'Nothing is compiled as long as there are errors; which files would change is not known before.\n',
    );
  else parts.push('No generated file changes.\n');
  return parts.join('\n');
}

/** The result of a command that changes the imports of the entry file; `word` says what it did. */
export function changedResult(changed: Changed | OpenFailure | undefined, word: string): Outcome {
  if (typeof changed !== 'object') return changed;
  const { root, entry, line, locked, files = [], imported } = changed;
  if (!locked) return { root };
  const entryNote =
    imported === undefined ? '' : `${entry} is the entry now, and brings ${imported} in as it is.\n`;
  return {
    root,
    data: {
      output: entry,
      source: line,
      ...(imported !== undefined && { imported }),
      changedFiles: files,
      newlyExecutable: locked.newlyExecutable.map(executableFacts),
    },
    summary: width =>
      `${word} \`${line}\` in ${entry}.\n${entryNote}${changesText(files, width)}${lockText(locked)}`,
  };
}
