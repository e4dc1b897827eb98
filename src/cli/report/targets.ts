import { readerName, verbFor } from '../../emit/overlap.ts';
import type { Target } from '../../generated/types/report.ts';
import type { OptionSpec } from '../../generated/types/target.ts';
import type { AddedTarget } from '../../project/add-target.ts';
import type { Overlap } from '../../project/view/overlap.ts';
import { namesOf } from '../../spec/names.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import { allAdvice } from '../../spec/vocabulary.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { fewNames } from '../../text/names.ts';
import { wrapLines, wrapWords } from '../../text/wrap.ts';
import { changesText } from './lock.ts';
import { plural, table } from './table.ts';

/** The supported tools, two lines each: the table has more columns than a screen. */
export function targetList(targets: readonly Target[], width: number): string {
  const column = Math.max(...targets.map(({ id }) => id.length)) + 2;
  const indent = ' '.repeat(column);
  const entries = targets.map(({ id, title, main, capabilities }) => {
    const line = [title, main].filter(Boolean).join('  ');
    const isShort = column + line.length <= width;
    const named = isShort ? [line] : [...wrapWords(title, width - column), ...(main ? [main] : [])];
    const head = `${styled.strong(id)}${' '.repeat(column - id.length)}${named.join(`\n${indent}`)}`;
    const words = capabilities.length > 0 ? wrapWords(capabilities.join(' '), width - column) : [];
    return [head, ...words.map(word => indent + styled.dim(word))].join('\n');
  });
  const closing = `${plural(targets.length, 'tool')}; \`prs targets <id>\` shows the files, versions and limits of one.`;
  return `${entries.join('\n')}\n\n${wrapLines(closing, width, '')}\n`;
}

/** How often each tool loads the main text, now and under the layout `once`, and from which files. */
export function overlapTable(overlap: readonly Overlap[], width: number): string {
  const rows = overlap.map(({ target, copies, once, files }) => [
    target,
    String(copies),
    String(once),
    files.join(', '),
  ]);
  const sum = (key: 'copies' | 'once') => overlap.reduce((total, one) => total + one[key], 0);
  const [now, least] = [sum('copies'), sum('once')];
  const advice = least < now ? '; `output: { layout: once }` in instr.yaml makes the difference' : '';
  const elsewhere = overlap.flatMap(({ target, elsewhere = [] }) =>
    elsewhere.map(one => `${wrapLines(overlapLine(target, one), width, '  ')}\n`),
  );
  return [
    table([['tool', 'copies', 'once', 'from'], ...rows], width),
    `${plural(overlap.length, 'tool')} load the main text ${plural(now, 'time')}, ${least} under the layout \`once\`${advice}.\n`,
    ...elsewhere,
  ].join('');
}

/** What a tool loads from files of other tools, in addition to the main text. */
function overlapLine(
  target: string,
  { kind, how, clients, entries, own, files, by }: NonNullable<Overlap['elsewhere']>[number],
): string {
  const what = `${readerName(target, clients)} ${verbFor(kind)} ${plural(entries.length, kind.slice(0, -1))}`;
  const from = `${fewNames(files)} (for ${fewNames(by)})`;
  const names = fewNames(entries);
  return how === 'always'
    ? `${what} with every request because of ${from}: ${names}.`
    : `${what} twice, from ${fewNames(own)} and from ${from}: ${names}.`;
}

/** What tools do with content beyond a limit. */
const beyond = {
  cut: 'the rest is cut off',
  ignored: 'the rest is ignored',
  dropped: 'a file with more is dropped',
  unknown: 'as published; what happens beyond it is not said',
  advice: 'advice of the vendor',
} as const;

/** The values of an option, and its default. */
function valuesOf({ type, values, minimum, default: fallback, requires, buildOnly }: OptionSpec): string {
  const least = minimum === undefined ? '' : ` from ${minimum}`;
  const accepted = values?.map(value => JSON.stringify(value)).join(' | ') ?? `${type}${least}`;
  const needs = Object.entries(requires ?? {}).map(
    ([value, versions]) => `${value} needs version ${versions.join(' or ')}`,
  );
  const without = fallback === undefined ? [] : [`default ${JSON.stringify(fallback)}`];
  const builds = buildOnly ? [`${buildOnly.join(', ')} in build profiles only`] : [];
  return [accepted, ...without, ...needs, ...builds].join('; ');
}

/** The result of proving a feature. */
const received: Readonly<Record<string, string>> = {
  once: 'once',
  demand: 'listed, for the model to open',
  repeated: 'more than once',
  always: 'always, without its condition',
  missing: 'not received',
};

/** The page of a tool: what is written per version, options, limits, evidence, and omissions. */
export function targetPage({ spec }: LoadedSpec, target: Target, width: number): string {
  const files = (version: string) =>
    (target.files ?? [])
      .filter(({ versions }) => !versions || versions.includes(version))
      .map(({ of, path }) => [`    ${of}`, path]);
  const names = namesOf(spec).filter(name => name !== spec.id && name !== spec.label);
  const parts = [
    `${spec.title} (${spec.id}${spec.label === undefined ? '' : `, ${spec.label}`})\n${spec.homepage}\n`,
    ...(names.length > 0 ? [`${wrapLines(`Also found as ${names.join(', ')}.`, width, '')}\n`] : []),
    ...(spec.status ? [`${wrapLines(spec.status.note, width, '')}\n`] : []),
    ...Object.entries(spec.versions).map(
      ([version, help]) =>
        `${wrapLines(`  version ${version}${version === spec.defaultVersion ? ' (default)' : ''}: ${help}`, width, '    ')}\n${table(files(version), width)}`,
    ),
  ];
  const list = (title: string, rows: readonly (readonly string[])[]) => {
    if (rows.length > 0) parts.push(`${wrapLines(`  ${title}`, width, '    ')}\n${table(rows, width)}`);
  };
  list(
    'options',
    Object.entries(spec.options ?? {}).map(([name, option]) => [
      `    ${name}`,
      valuesOf(option),
      option.help,
    ]),
  );
  list(
    'limits',
    (spec.limits ?? []).map(({ file, field, max, unit, then }) => [
      `    ${file}${field === undefined ? '' : `.${field}`}`,
      `${max} ${unit}`,
      beyond[then],
    ]),
  );
  list(
    'no place for',
    Object.entries(allAdvice(spec)).map(([what, advice]) => [`    ${what}`, advice]),
  );
  if (spec.proof) {
    const { client, version, date, features } = spec.proof;
    list(
      `received by ${client} ${version} on ${date}`,
      Object.entries(features).map(([name, result]) => [`    ${name}`, received[result] ?? result]),
    );
  }
  list('how it is known', evidenceRows(target));
  return parts.join('\n');
}

/** Each piece of evidence with the capabilities that rest on it; a capability without any comes last. */
function evidenceRows({ confidences = [], evidence = [] }: Target): string[][] {
  const keyOf = (url: string | undefined, checked: string | undefined) => url && `${url} ${checked}`;
  const sources = [
    ...confidences.map(({ source, checked }) => [source, checked] as const),
    ...evidence.map(({ url, checked }) => [url, checked] as const),
  ];
  const restingOn = (key: string | undefined) => {
    const resting = confidences.filter(({ source, checked }) => keyOf(source, checked) === key);
    return (['proved', 'documented', 'assumed'] as const).flatMap(how => {
      const names = resting.flatMap(({ of, confidence }) => (confidence === how ? of : []));
      return names.length > 0 ? [`${how}: ${names.join(', ')}`] : [];
    });
  };
  const rows = Array.from(new Map(sources.map(one => [keyOf(...one), one])), ([key, [url, checked]]) => {
    if (url === undefined) return [];
    const notes = evidence.flatMap(one => (keyOf(one.url, one.checked) === key ? (one.note ?? []) : []));
    return [`    ${url}`, checked!, [...restingOn(key), ...notes].join('; ')];
  });
  const unproven = restingOn(undefined);
  const all = unproven.length > 0 ? [...rows, ['    no evidence yet', '', unproven.join('; ')]] : rows;
  return all.filter(row => row.length > 0);
}

/** What was enabled, which entries were changed to allow the tool, and what a compile would write. */
export function addedTargetText(added: AddedTarget, dryRun: boolean, width: number): string {
  const { id, wasEnabled, like, opened, withSkills, closed, servers, mains, relinked, lostLinks, files } =
    added;
  const [is, are] = dryRun ? ['would be', 'would be'] : ['is', opened.length === 1 ? 'is' : 'are'];
  const lines: string[] = [];
  const list = (start: string, names: readonly string[]) => {
    if (names.length > 0) lines.push(`${start}: ${fewNames(names)}`);
  };
  if (!wasEnabled) lines.push(`${id} ${is} enabled.`);
  if (opened.length > 0) {
    const whose =
      like === undefined
        ? `with the texts of other tools ${are} for them, too`
        : `of ${like} ${are} for ${id}, too`;
    lines.push(`${plural(opened.length, 'source')} ${whose}:`, ...opened.map(path => `  ${path}`));
  }
  if (withSkills)
    lines.push(`${id} ${dryRun ? 'would get' : 'gets'} the skills: \`includeSkills: false\` is removed.`);
  if (wasEnabled && opened.length === 0 && !withSkills)
    lines.push(`${id} is enabled, and no source is closed to it.`);
  list(`Left to the other tools, because ${id} cannot be given as little`, closed);
  list(`Left to the other tools, because ${id} fills in no variables where these servers have them`, servers);
  list(`Left to the tools that read them, because ${id} has a main file of its own`, mains);
  const rewritten = `Relative links ${dryRun ? 'would be' : 'are'} rewritten`;
  list(`${rewritten}, because the text is now written into another folder`, relinked);
  if (lostLinks.length > 0)
    lines.push(
      'These links lead nowhere from a new file, because their text is written into several folders. Write such paths from the root, without a link:',
      ...lostLinks.map(({ output, link }) => `  ${output}: ${link}`),
    );
  const next = dryRun ? 'Nothing was written.' : 'Next: `prs compile`; `prs undo` takes this back.';
  return `${lines.join('\n')}\n${changesText(files, width)}${next}\n`;
}
