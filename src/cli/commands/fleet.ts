import { Command, Option } from 'clipanion';
import type { Recipe } from '../../project/fleet/apply-fleet.ts';
import type { FleetPlan, FleetRequest, RepositoryPlan } from '../../project/fleet/plan-fleet.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { groupBy } from '../../text/group.ts';
import { fewNames } from '../../text/names.ts';
import { flag, type Outcome, option, PrsCommand } from '../command.ts';
import { executableText } from '../report/lock.ts';
import { plural, table } from '../report/table.ts';
import { writeJson } from '../streams.ts';

export default class FleetCommand extends PrsCommand {
  static override paths = [['fleet']];
  static override usage = Command.Usage({
    category: 'Share',
    description: 'Show the effect of a change of shared instructions on many repositories.',
    details:
      '`plan` compiles every repository as if the change had been made, and writes to none. With --json it prints one line with an object for each repository. `apply` writes a recipe for multi-gitter, which opens the pull requests.',
    examples: [
      ['What a release would change', 'prs fleet plan --repos ~/clones --change @lumen@v1.3.0'],
      [
        'What a working copy would change, as JSON lines',
        'prs fleet plan --repos clones.txt --change @lumen@./instructions --json',
      ],
      ['Write the recipe', 'prs fleet apply --repos ~/clones --change @lumen@v1.3.0'],
    ],
  });

  action = Option.String({ name: 'action' });
  override choices = { action: ['plan', 'apply'] };
  repos = Option.String('--repos', '.', {
    description: 'A folder of clones, or a file with one path per line.',
  });
  change = option(
    '--change',
    '<source>@<commit, tag or folder>; without a version, the one that an update would choose.',
  );
  output = Option.String('--output', 'fleet', { description: 'apply: the folder for the recipe.' });
  force = flag('--force', 'apply: replace existing files.');

  async run(context: CompileContext): Promise<Outcome> {
    const request = { repos: this.repos, change: this.change };
    return this.action === 'plan' ? this.plan(request, context) : this.apply(request, context);
  }

  private async plan(request: FleetRequest, context: CompileContext): Promise<Outcome> {
    const { planFleet } = await import('../rest.ts');
    const show = (one: RepositoryPlan) => this.json && writeJson(repositoryData(one), 0);
    const plan = await planFleet(request, context, show);
    if (typeof plan === 'string') return { exitCode: 2, lines: true };
    return {
      ...(!isApplicable(plan) && { exitCode: 1 }),
      lines: true,
      data: fleetData(plan),
      text: width => fleetText(plan, width),
      paged: true,
    };
  }

  private async apply(request: FleetRequest, context: CompileContext): Promise<Outcome> {
    const { writeRecipe } = await import('../rest.ts');
    const recipe = await writeRecipe({ ...request, output: this.output, force: this.force }, context);
    if (typeof recipe !== 'object') return recipe;
    const { plan, repositories, files } = recipe;
    return {
      ...(!isApplicable(plan) && { exitCode: 1 }),
      data: { ...fleetData(plan), output: this.output, outputs: files, recipients: repositories },
      text: width => recipeText(recipe, this.output, width),
    };
  }
}

/** Whether a plan can be applied in every repository without breaking anything. */
const isApplicable = ({ repositories }: FleetPlan): boolean =>
  repositories.every(({ error, findings }) => error === undefined && findings.length === 0);

/** A repository as a line of JSON. */
const repositoryData = ({ root: _root, findings, ...plan }: RepositoryPlan): object => ({
  ...plan,
  findings: findings.length,
  ...(findings.length > 0 && { newFindings: findings }),
});

/** The members of the last JSON line. */
const fleetData = (plan: FleetPlan): Record<string, unknown> => ({
  repositories: plan.repositories.length,
  changed: changedIn(plan).length,
  seconds: plan.seconds,
});

const changedIn = ({ repositories }: FleetPlan) => repositories.filter(({ files }) => files.length > 0);

/** A plan as text: the repositories that change, then those that need attention. */
function fleetText(plan: FleetPlan, width: number): string {
  const { repositories, seconds } = plan;
  const changed = changedIn(plan);
  const files = changed.flatMap(one => one.files);
  const rows = changed.map(one => [one.repository, plural(one.files.length, 'file'), linesOf(one.files)]);
  const facts = [
    `${repositories.length} ${repositories.length === 1 ? 'repository' : 'repositories'}`,
    changed.length === 0
      ? 'none would change'
      : `${changed.length} would change (${plural(files.length, 'file')}, ${linesOf(files)})`,
    `${seconds} s`,
  ];
  return [
    changed.length > 0 ? table(rows, width) : '',
    section('Newly executable', repositories, ({ executable }) => executable.map(executableText)),
    section('Over a limit', repositories, ({ over }) => over),
    section('New findings', repositories, ({ findings }) =>
      findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`),
    ),
    section('Left as they are', repositories, ({ error }) => (error === undefined ? [] : [error])),
    `${facts.join(' \u00b7 ')}\n`,
  ].join('');
}

/** What was written, and how to run it. */
function recipeText(recipe: Recipe, output: string, width: number): string {
  const { plan, repositories, withoutServer, files } = recipe;
  const unreached =
    withoutServer.length > 0
      ? `No server is known for ${fewNames(withoutServer)}; run ${output}/update.sh there.\n`
      : '';
  return `${fleetText(plan, width)}${output}: ${files.join(', ')}, for ${repositories.length} of them.
${unreached}Run:
  cd ${output}
  multi-gitter run ./update.sh --config multi-gitter.yaml
`;
}

function linesOf(files: RepositoryPlan['files']): string {
  const sum = (key: 'added' | 'removed') => files.reduce((all, file) => all + file[key], 0);
  return `+${sum('added')} -${sum('removed')}`;
}

/** Groups repositories with the same text. */
function section(
  title: string,
  repositories: readonly RepositoryPlan[],
  textsOf: (plan: RepositoryPlan) => readonly string[],
): string {
  const all = repositories.flatMap(plan =>
    Array.from(new Set(textsOf(plan)), text => ({ text, repository: plan.repository })),
  );
  const lines = Array.from(
    groupBy(all, ({ text }) => text),
    ([text, group]) => {
      return `  ${text}\n    in ${fewNames(group.map(({ repository }) => repository))}\n`;
    },
  );
  return lines.length > 0 ? `${title}:\n${lines.join('')}` : '';
}
