import { exceedsLimit } from '../../emit/limits.ts';
import type { SourceVersion } from '../../project/outdated.ts';
import type { UpdatePreview } from '../../project/preview-update.ts';
import { changesTable, executableData } from './changes.ts';
import { plural } from './files.ts';
import { lockChanges } from './lock.ts';
import { table } from './table.ts';

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
  const shown = table([['source', 'current', 'wanted', 'latest', 'state'], ...rows], width);
  return sources.every(({ state }) => state === 'current') ? `${shown}\nNothing is newer.\n` : shown;
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
    newlyExecutable: executableData(locked),
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
  return [
    lockChanges(locked),
    files.length > 0 ? changesTable(files, width) : '',
    over.length > 0 ? `Over the limit: ${over.join(', ')}.\n` : '',
    findings.length > 0
      ? `${plural(findings.length, 'finding')} after the update; \`prs update\` and \`prs validate\` show them.\n`
      : '',
    locked.changes.length === 0
      ? 'Nothing to update.\n'
      : `${plural(locked.changes.length, 'source')} would move, ${isStopped(findings) && files.length === 0 ? 'and nothing would compile' : `${plural(files.length, 'file')} would change`}. Nothing was written.\n`,
  ].join('');
}

/** The same as Markdown, for the description of a pull request. */
export function previewMarkdown({ locked, files, budgets, findings }: UpdatePreview): string {
  const { changes, newlyExecutable } = locked;
  if (changes.length === 0) return 'The shared instructions are up to date.\n';
  const row = (...cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replace(/\|/g, '\\|')).join(' | ')} |\n`;
  const parts = [
    `## Shared instructions\n\n${row('Source', 'From', 'To')}${row('---', '---', '---')}${changes
      .map(({ source, before = '', after = '' }) => row(`\`${source}\``, before, after))
      .join('')}`,
  ];
  if (newlyExecutable.length > 0) {
    const items = newlyExecutable
      .map(({ name, word, from }) => `- ${word} \`${name}\` from ${from}\n`)
      .join('');
    parts.push(
      `### Newly executable\n\nThis can run on the machine of whoever uses the project. Read what it does, then run \`prs lock\` on this branch.\n\n${items}`,
    );
  }
  const over = budgets.filter(exceedsLimit);
  if (over.length > 0) {
    const items = over.map(
      ({ target, limit }) =>
        `- ${target}: ${Math.round((limit!.used / limit!.max) * 100)} % of ${limit!.max} ${limit!.unit}\n`,
    );
    parts.push(`### Over the limit\n\n${items.join('')}`);
  }
  if (findings.length > 0) {
    const items = findings
      .map(({ code, severity, message }) => `- ${severity} ${code}: ${message}\n`)
      .join('');
    parts.push(`### Findings\n\n${items}`);
  }
  const list = files
    .map(({ path, state, added, removed }) => row(`\`${path}\``, state, `+${added} −${removed}`))
    .join('');
  parts.push(
    files.length === 0
      ? isStopped(findings)
        ? 'Nothing is compiled as long as there are errors; which files would change is not known before.\n'
        : 'No generated file changes.\n'
      : `### Generated files\n\n${row('File', 'State', 'Lines')}${row('---', '---', '---')}${list}`,
  );
  return parts.join('\n');
}
