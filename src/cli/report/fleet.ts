import type { Recipe } from '../../project/fleet/apply-fleet.ts';
import type { FleetPlan, RepositoryPlan } from '../../project/fleet/plan-fleet.ts';
import { plural } from './files.ts';
import { table } from './table.ts';

/* The output of `prs fleet`. */

/** Whether a plan can be applied in every repository without breaking anything. */
export const isApplicable = ({ repositories }: FleetPlan): boolean =>
  repositories.every(({ error, findings }) => error === undefined && findings.length === 0);

/** A repository as a line of JSON. */
export const repositoryData = ({ root: _root, findings, ...plan }: RepositoryPlan): object => ({
  ...plan,
  findings: findings.length,
  ...(findings.length > 0 && { newFindings: findings }),
});

/** The members of the last JSON line. */
export const fleetData = (plan: FleetPlan): Record<string, unknown> => ({
  repositories: plan.repositories.length,
  changed: changedIn(plan).length,
  seconds: plan.seconds,
});

const changedIn = ({ repositories }: FleetPlan) => repositories.filter(({ files }) => files.length > 0);

/** A plan as text: the repositories that change, then those that need attention. */
export function fleetText(plan: FleetPlan, width: number): string {
  const { repositories, seconds } = plan;
  const changed = changedIn(plan);
  const rows = changed.map(({ repository, files }) => [
    repository,
    plural(files.length, 'file'),
    linesOf(files),
  ]);
  const files = changed.flatMap(one => one.files);
  return [
    changed.length > 0 ? table(rows, width) : '',
    section('Newly executable', repositories, ({ executable }) =>
      executable.map(({ word, name, from }) => `${word} ${name} from ${from}`),
    ),
    section('Over a limit', repositories, ({ over }) => over),
    section('New findings', repositories, ({ findings }) =>
      findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
    ),
    section('Left as they are', repositories, ({ error }) => (error === undefined ? [] : [error])),
    `${[
      `${repositories.length} ${repositories.length === 1 ? 'repository' : 'repositories'}`,
      changed.length === 0
        ? 'none would change'
        : `${changed.length} would change (${plural(files.length, 'file')}, ${linesOf(files)})`,
      `${seconds} s`,
    ].join(' \u00b7 ')}\n`,
  ].join('');
}

/** What was written, and how to run it. */
export function recipeText(
  { plan, repositories, withoutServer, files }: Recipe,
  output: string,
  width: number,
): string {
  const run = [`cd ${output}`, 'multi-gitter run ./update.sh --config multi-gitter.yaml'];
  return [
    fleetText(plan, width),
    `${output}: ${files.join(', ')}, for ${repositories.length} of them.\n`,
    withoutServer.length > 0
      ? `No server is known for ${withoutServer.slice(0, 5).join(', ')}${withoutServer.length > 5 ? ` and ${withoutServer.length - 5} more` : ''}; run ${output}/update.sh there.\n`
      : '',
    `Run:\n${run.map(line => `  ${line}\n`).join('')}`,
  ].join('');
}

const linesOf = (files: RepositoryPlan['files']): string => {
  const sum = (key: 'added' | 'removed') => files.reduce((all, file) => all + file[key], 0);
  return `+${sum('added')} -${sum('removed')}`;
};

/** Groups repositories with the same text. */
function section(
  title: string,
  repositories: readonly RepositoryPlan[],
  wordsOf: (plan: RepositoryPlan) => readonly string[],
): string {
  const said = new Map<string, string[]>();
  for (const plan of repositories)
    for (const words of new Set(wordsOf(plan)))
      said.set(words, [...(said.get(words) ?? []), plan.repository]);
  if (said.size === 0) return '';
  const lines = [...said].map(([words, names]) => {
    const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
    return `  ${words}\n    in ${names.slice(0, 3).join(', ')}${more}\n`;
  });
  return `${title}:\n${lines.join('')}`;
}
