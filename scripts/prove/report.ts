/** Formats the results of a proof as text. */
import type { Result, Results } from './features.ts';

/** The result of one client in one subset of targets. */
export interface Counted {
  readonly targets: readonly string[];
  readonly client: string;
  /** The smallest and the largest number of copies of a part of the main text. */
  readonly least: number;
  readonly most: number;
  /** Other features received more than once or without their condition; only checked where the model uses all features. */
  readonly repeated: readonly string[];
}

/** One run of a client: the scene, and the result of each feature. */
export interface Row {
  readonly client: string;
  readonly version: string;
  readonly scene: string;
  readonly results: Results;
}

/**
 * Merges the features of a group with the same result: `hooks` stands for `hooks.stop`, `hooks.setup` and so on. Features
 * with another result keep their own entry.
 */
export function groupResults(results: Results): Record<string, Result> {
  const groups = new Map<string, [string, Result][]>();
  for (const entry of Object.entries(results)) {
    const [group = ''] = entry[0].split('.');
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  const found: Record<string, Result> = {};
  for (const [group, members] of groups) {
    const shared = results[group] ?? commonest(members.map(([, result]) => result));
    found[group] = shared;
    for (const [name, result] of members) if (result !== shared) found[name] = result;
  }
  return found;
}

function commonest(results: readonly Result[]): Result {
  const count = (result: Result) => results.filter(other => other === result).length;
  return results.reduce((one, other) => (count(other) > count(one) ? other : one));
}

/** One line for each row. */
export function reportRows(rows: readonly Row[]): string {
  return rows
    .map(({ client, version, scene, results }) => {
      const words = Object.entries(groupResults(results)).map(([name, result]) => `${name} ${result}`);
      return `${client} ${version}, ${scene}: ${words.join(', ')}\n`;
    })
    .join('');
}

/** The comparison of a prediction in one layout. */
export interface ViewRow {
  readonly client: string;
  readonly layout: string;
  /** The differences; empty if the prediction was right. */
  readonly problems: readonly string[];
}

/** One line per layout and, with `share`, the share of right predictions. */
export function reportViews(rows: readonly ViewRow[], share = false): string {
  const lines = rows.map(
    ({ client, layout, problems }) =>
      `${client}, ${layout}: ${problems.length === 0 ? 'as predicted' : problems.join('; ')}\n`,
  );
  if (!share || rows.length === 0) return lines.join('');
  const held = rows.filter(({ problems }) => problems.length === 0).length;
  return `${lines.join('')}${held} of ${rows.length} as predicted (${Math.round((100 * held) / rows.length)} %)\n`;
}

/** One line for a client in a subset: the copies of the main text, and the other features received more than once. */
export function reportCounted({ client, targets, least, most, repeated }: Counted): string {
  const copies = least === most ? `${most}` : `${least} to ${most}`;
  const others = repeated.length === 0 ? '' : `; repeated: ${repeated.join(', ')}`;
  return `${client} in ${targets.join(', ')}: ${copies} of the main text${others}`;
}

/** The number of subsets in which a client was sent the text once, and a line for each result with repetitions. */
export function reportCopies(counted: readonly Counted[]): string {
  if (counted.length === 0) return '';
  const wrong = counted.filter(({ least, most }) => least !== 1 || most !== 1);
  const reported = counted.filter(entry => wrong.includes(entry) || entry.repeated.length > 0);
  const lines = reported.map(entry => `${reportCounted(entry)}\n`).join('');
  return `${lines}${counted.length - wrong.length} of ${counted.length} clients in subsets were sent the main text once\n`;
}
