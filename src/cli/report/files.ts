import type { Waiver } from '../../check/policy/waivers.ts';
import { type Difference, differenceWords, type PlanEntry, type PlanState } from '../../plan/plan.ts';
import type { Compiled } from '../../project/compile.ts';
import { dayOf, type WithClock } from '../../project/session/world.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { groupBy } from '../../text/group.ts';
import { columnsOf } from '../../text/style.ts';
import { wrapWords } from '../../text/wrap.ts';
import { plural } from './table.ts';

/** A planned file in the JSON object. */
export function fileData(entry: PlanEntry): object {
  const { path, targets, build, state, mode, bytes, sha256, reason, difference } = entry;
  return {
    path,
    targets,
    ...(build !== undefined && { build }),
    state,
    mode: octalMode(mode),
    bytes,
    sha256,
    ...(reason !== undefined && { reason }),
    ...(difference && { difference: difference.kind }),
    ...(difference?.lostFields.length && { lost: difference.lostFields }),
  };
}

/** The number of files in conflict, by how they differ from the plan; `undefined` when there are none. */
export function conflictCounts(entries: readonly PlanEntry[]): {
  readonly inTheWay?: Readonly<Partial<Record<Difference['kind'], number>>>;
} {
  const kinds = Object.keys(differenceWords) as Difference['kind'][];
  const counts = kinds.flatMap(kind => {
    const count = entries.filter(({ difference }) => difference?.kind === kind).length;
    return count > 0 ? [[kind, count] as const] : [];
  });
  return counts.length > 0 ? { inTheWay: Object.fromEntries(counts) } : {};
}

/** The same in words: `70 differ only in layout`. */
export function conflictText(entries: readonly PlanEntry[]): string {
  const counts = Object.entries(conflictCounts(entries).inTheWay ?? {});
  return counts.map(([kind, count]) => `${count} ${differenceWords[kind as Difference['kind']]}`).join(', ');
}

/** A mode as four octal digits. */
export const octalMode = (mode: number): string => mode.toString(8).padStart(4, '0');

/** Planned files, one on each line: state, mode, path and targets; the reason of a conflict is below. */
export function fileList(entries: readonly PlanEntry[], width: number): string {
  return entries
    .map(entry => {
      const { path, targets, build, mode, reason } = entry;
      const readers = targets.length > 3 ? [plural(targets.length, 'target')] : [...targets];
      const notes = [...readers, ...(build === undefined ? [] : [`build ${build}`])].join(', ');
      const line = `${paintState(stateWord(entry).padEnd(9))}  ${octalMode(mode)}  ${path}`;
      const isShort = columnsOf(line) + notes.length + 4 <= width;
      const below = reason === undefined ? [] : wrapWords(reason, width - 17);
      if (!isShort) below.unshift(`(${notes})`);
      const first = isShort ? `${line}  (${notes})` : line;
      return [first, ...below.map(words => ' '.repeat(17) + words)].map(one => `${one}\n`).join('');
    })
    .join('');
}

/** The severity of each state; states are counted in this order. */
const tones: Readonly<Record<StateWord, keyof typeof styled>> = {
  new: 'help',
  changed: 'help',
  adopted: 'dim',
  unchanged: 'dim',
  source: 'dim',
  removed: 'warning',
  kept: 'warning',
  conflict: 'error',
  drifted: 'error',
};

/** Colours a state by its severity; it may be padded. */
export const paintState = (word: string): string => styled[tones[word.trimEnd() as StateWord]](word);

/** Omissions by target, with advice. */
export function omissionList({ omissions, locate }: Pick<Compiled, 'omissions' | 'locate'>): string {
  const byTarget = groupBy(omissions, ({ target, version }) => `Left out for ${target} (${version}):\n`);
  const lines = Array.from(byTarget, ([heading, group]) => [
    heading,
    ...group.map(omission => {
      const { source, text, advice } = omission;
      const place = locate(omission);
      const where = place ? ` (${place.file}:${place.line})` : '';
      return `  ${source}: ${shorten(text)}${where}\n    ${advice}\n`;
    }),
  ]);
  return lines.flat().join('');
}

/** Omissions with the positions of their texts. */
export const omissionData = ({ omissions, locate }: Pick<Compiled, 'omissions' | 'locate'>): object[] =>
  omissions.map(omission => ({ ...omission, ...locate(omission) }));

/** One line of at most sixty characters. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > 60 ? `"${characters.slice(0, 59).join('')}…"` : `"${line}"`;
}

type StateWord = PlanState | 'kept';

/** The state of a file for people. A file that would be removed but was edited is `kept`. */
export const stateWord = ({
  state,
  action,
  reason,
}: Pick<PlanEntry, 'state' | 'action' | 'reason'>): StateWord =>
  state === 'removed' && action === 'keep' && reason !== undefined ? 'kept' : state;

/** `2 new, 1 changed, 40 unchanged`. */
export function countStates(entries: readonly PlanEntry[]): string {
  const byState = groupBy(entries, stateWord);
  const words = Object.keys(tones) as StateWord[];
  return words
    .flatMap(word => (byState.has(word) ? [`${byState.get(word)!.length} ${word}`] : []))
    .join(', ');
}

/** The JSON members about policy waivers; empty when there are none. */
export function waiverData(waivers: readonly Waiver[], context: WithClock): Record<string, unknown> {
  if (waivers.length === 0) return {};
  return { today: dayOf(context), waivers: waivers.map(({ at: _at, ...waiver }) => waiver) };
}

const paints = { '+': styled.added, '-': styled.error, '@': styled.help } as const;

/** Colours a line of a hunk. */
export const hunkLine = (line: string): string => paints[line[0] as keyof typeof paints]?.(line) ?? line;

/** Colours a patch of one or several files as Git does. */
export const patchText = (patch: string): string =>
  patch
    .trimEnd()
    .split('\n')
    .map(line => (/^(?:---|\+\+\+) /.test(line) ? styled.strong(line) : hunkLine(line)))
    .join('\n');
