/** What a proof found, as rows for people. */
import type { Result, Results } from './features.ts';
import type { Counted } from './once.ts';

/** One run of a client: the scene, and what became of each feature. */
export interface Row {
  readonly client: string;
  readonly version: string;
  readonly scene: string;
  readonly results: Results;
}

/**
 * Features of one group that fare alike are one word: `hooks` for all of `hooks.stop`, `hooks.setup` …; those that do
 * not stand beside it.
 */
export function groupResults(results: Results): Record<string, Result> {
  const groups = new Map<string, [string, Result][]>();
  for (const entry of Object.entries(results)) {
    const [group = ''] = entry[0].split('.');
    groups.set(group, [...(groups.get(group) ?? []), entry]);
  }
  const found: Record<string, Result> = {};
  for (const [group, members] of groups) {
    const whole = results[group] ?? commonest(members.map(([, result]) => result));
    found[group] = whole;
    for (const [name, result] of members) if (result !== whole) found[name] = result;
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

/** One layout in which a prediction was compared. */
export interface ViewRow {
  readonly client: string;
  readonly layout: string;
  /** What differed; empty when the prediction held. */
  readonly problems: readonly string[];
}

/** One line for each layout, and with `share` how many held. */
export function reportViews(rows: readonly ViewRow[], share = false): string {
  const lines = rows.map(
    ({ client, layout, problems }) =>
      `${client}, ${layout}: ${problems.length === 0 ? 'as predicted' : problems.join('; ')}\n`,
  );
  if (!share || rows.length === 0) return lines.join('');
  const held = rows.filter(({ problems }) => problems.length === 0).length;
  return `${lines.join('')}${held} of ${rows.length} as predicted (${Math.round((100 * held) / rows.length)} %)\n`;
}

/** A client in a subset, in words: how many copies of the main text, and what else came more than once. */
export function reportCounted({ client, targets, least, most, repeated }: Counted): string {
  const copies = least === most ? `${most}` : `${least} to ${most}`;
  const others = repeated.length === 0 ? '' : `; repeated: ${repeated.join(', ')}`;
  return `${client} in ${targets.join(', ')}: ${copies} of the main text${others}`;
}

/** How many subsets gave a client the text once, and those that did not. */
export function reportCopies(counted: readonly Counted[]): string {
  if (counted.length === 0) return '';
  const wrong = counted.filter(({ least, most }) => least !== 1 || most !== 1);
  const told = counted.filter(entry => wrong.includes(entry) || entry.repeated.length > 0);
  const lines = told.map(entry => `${reportCounted(entry)}\n`).join('');
  return `${lines}${counted.length - wrong.length} of ${counted.length} clients in subsets were sent the main text once\n`;
}
