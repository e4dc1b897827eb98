import type { Budget } from '../../emit/limits.ts';
import type { Compiled } from '../../project/compile.ts';
import type { WithClock } from '../../project/session/world.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { maxListedFiles } from '../../text/diagnostics/report.ts';
import type { Screen } from '../terminal.ts';
import {
  conflictCounts,
  countStates,
  fileData,
  fileList,
  omissionData,
  omissionList,
  paintState,
  stateWord,
  waiverData,
} from './files.ts';
import { plural, table } from './table.ts';

/** How much of a compile is shown. */
export interface CompileView {
  readonly dryRun: boolean;
  readonly check: boolean;
  readonly verbose: boolean;
  /** Whether it is one of several summaries, in which budgets are shown only when exceeded. */
  readonly brief: boolean;
  /** Absent in one of several summaries. */
  readonly milliseconds?: number;
  /** Set when the output is a terminal: changed files are listed, and unimportant lines left out. */
  readonly screen?: Pick<Screen, 'isTerminal'>;
  /** The time of day, in a watch. */
  readonly now?: string;
}

/** The JSON members of `compile`. */
export function compileData(compiled: Compiled, context: WithClock): Record<string, unknown> {
  const { entries, budgets } = compiled;
  return {
    files: entries.map(fileData),
    ...conflictCounts(entries),
    omissions: omissionData(compiled),
    budgets,
    ...waiverData(compiled.waivers, context),
  };
}

/** The summary, below the table of files if requested. */
export function compileText(compiled: Compiled, view: CompileView, width: number): string {
  const { entries, omissions } = compiled;
  const details = (view.dryRun || view.verbose) && !compiled.broken;
  const onScreen = view.screen?.isTerminal === true;
  const isBrief = view.brief || view.check || (compiled.work && !compiled.written);
  const isSmall = onScreen && !compiled.budgets.some(({ tokens }) => tokens >= largeBudget);
  return [
    ...(view.verbose ? [sourceLines(compiled)] : []),
    ...(details && entries.length > 0 ? [`${fileList(entries, width)}\n`] : []),
    ...(onScreen && !details && compiled.written ? [changedList(entries)] : []),
    ...(details && omissions.length > 0 ? [`${omissionList(compiled)}\n`] : []),
    budgetText(compiled.budgets, details ? 'all' : isBrief || isSmall ? 'near' : 'some', width),
    `${view.now === undefined ? '' : `${view.now} `}${styled.strong(summary(compiled, view))}\n`,
    ...(view.check && !compiled.broken && !details && !isUpToDate(compiled) ? [outdatedList(entries)] : []),
  ].join('');
}

/** The changes of a run, for a terminal. */
const changedList = (entries: Compiled['entries']): string =>
  shortList(
    entries
      .filter(({ action }) => action !== 'keep')
      .map(entry => [paintState(stateWord(entry)), entry.path]),
    '',
  );

/** The versioned files that a compile would change; files in conflict are reported as findings. */
function outdatedList(entries: Compiled['entries']): string {
  const outdated = entries.filter(isOutdated);
  if (outdated.length === 0 && entries.some(isInTheWay)) return '';
  if (outdated.length === 0) return '  .instr/manifest.json does not list what is there\n';
  return shortList(
    outdated.map(({ state, path }) => [state, path]),
    '; --verbose lists them',
  );
}

function shortList(rows: readonly (readonly [state: string, path: string])[], advice: string): string {
  const listed = rows.slice(0, maxListedFiles).map(([state, path]) => [`  ${state}`, path]);
  const more = rows.length - listed.length;
  const last = more > 0 ? `  … and ${plural(more, 'more file')}${advice}\n` : '';
  return table(listed, Number.POSITIVE_INFINITY) + last;
}

/** Private files differ between machines and are not checked. */
const isShared = ({ private: isPrivate }: Compiled['entries'][number]): boolean => !isPrivate;

const isOutdated = (entry: Compiled['entries'][number]): boolean =>
  isShared(entry) && !entry.modeOnly && (entry.action !== 'keep' || entry.state === 'adopted');

const isInTheWay = ({ state }: Compiled['entries'][number]): boolean =>
  state === 'conflict' || state === 'drifted';

/** Lists the sources that were read, to find out why some content is missing. */
function sourceLines({ sources, patterns }: Compiled): string {
  const lines = [`Read ${plural(sources.length, 'source')}:`, ...sources.map(name => `  ${name}`)];
  if (patterns.length > 0) lines.push('Patterns of `input`:', ...patterns.map(pattern => `  ${pattern}`));
  return `${lines.join('\n')}\n\n`;
}

/** Budgets above this share of their limit are always shown. */
const budgetThreshold = 0.8;

/** The number of budgets shown without `--verbose`. */
const fewBudgets = 5;

/** The number of tokens from which a budget is shown in every run. */
const largeBudget = 1000;

/** What the tools load in every session: all of them, or a few and those near their limit. */
function budgetText(budgets: readonly Budget[], which: 'all' | 'some' | 'near', width: number): string {
  const isNear = (budget: Budget) => share(budget) >= budgetThreshold;
  const room = { all: budgets.length, some: fewBudgets - budgets.filter(isNear).length, near: 0 }[which];
  const others = new Set(budgets.filter(budget => !isNear(budget)).slice(0, Math.max(0, room)));
  const listed = budgets.filter(budget => isNear(budget) || others.has(budget));
  if (listed.length === 0) return '';
  const rows = listed.map(({ target, characters, tokens, limit }) => [
    `  ${target}`,
    `${characters} characters`,
    `about ${tokens} tokens`,
    limit ? limitShare(limit) : '',
  ]);
  const hidden = which === 'some' ? budgets.length - listed.length : 0;
  const more = hidden > 0 ? `  … and ${plural(hidden, 'more target')}; --verbose shows all\n` : '';
  return `Always loaded by the tools:\n${table(rows, width)}${more}\n`;
}

/** How much of a limit is used. */
export const limitShare = ({ used, max, unit }: NonNullable<Budget['limit']>): string =>
  `${Math.round((used / max) * 100)} % of ${max} ${unit}`;

const share = ({ limit }: Budget): number => (limit ? limit.used / limit.max : 0);

function summary(compiled: Compiled, { dryRun, check, verbose, milliseconds }: CompileView): string {
  const { entries, omissions, targets, written, broken } = compiled;
  const where = dryRun || verbose ? '' : ' (--verbose lists them)';
  const facts = [
    ...(broken ? [] : [filesOf(check ? entries.filter(isShared) : entries, written)]),
    plural(targets.length, 'target'),
    ...(omissions.length > 0 ? [omissionCount(omissions) + where] : []),
    ...(milliseconds === undefined ? [] : [`${Math.round(milliseconds)} ms`]),
  ].join(' · ');
  if (check && broken) return `Unknown until the errors are corrected: ${facts}`;
  if (check) return `${isUpToDate(compiled) ? 'Up to date' : 'Out of date'}: ${facts}`;
  if (dryRun) return `Nothing written (--dry-run): ${facts}`;
  if (broken) return `Nothing written, because of the errors: ${facts}`;
  return written ? facts : `Nothing written: ${facts}`;
}

/** The number of omissions listed in the summary. */
const namedOmissions = 3;

/** The number of omissions and the largest ones; a text that several tools omit counts once. */
function omissionCount(omissions: Compiled['omissions']): string {
  const sizes = new Map<string, number>();
  for (const { source, text } of omissions) sizes.set(source, Math.max(sizes.get(source) ?? 0, text.length));
  const largest = [...sizes].sort(([, a], [, b]) => b - a).map(([source]) => source);
  const named = largest.slice(0, namedOmissions).join(', ');
  const all = largest.length <= namedOmissions;
  return `${plural(omissions.length, 'omission')}${all ? '' : ', the largest'}: ${named}`;
}

/** Whether the plan changes nothing; a conflict or drift is not up to date. */
const isUpToDate = ({ sharedWork, entries }: Compiled): boolean => !sharedWork && !entries.some(isInTheWay);

/** Counts files by state; a file that was overwritten is no longer in conflict. */
function filesOf(entries: Compiled['entries'], written: boolean): string {
  if (entries.length === 0) return 'no files';
  const replaced = entries.filter(({ needsBackup, action }) => written && needsBackup && action === 'write');
  const counts = [
    countStates(entries.filter(entry => !replaced.includes(entry))),
    replaced.length > 0 ? `${replaced.length} taken over` : '',
  ];
  return `${plural(entries.length, 'file')} (${counts.filter(Boolean).join(', ')})`;
}
