import { Command, Option } from 'clipanion';
import { badOptionValue } from '../../generated/diagnostics.ts';
import type { FleetRequest, RepositoryPlan } from '../../project/fleet/plan-fleet.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { joinWithOr } from '../../text/names.ts';
import { didYouMean } from '../../text/similar.ts';
import { type Outcome, PrsCommand, refuse } from '../command.ts';
import { writeJson } from '../streams.ts';

const actions: readonly string[] = ['plan', 'apply'];

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
  repos = Option.String('--repos', '.', {
    description: 'A folder of clones, or a file with one path per line.',
  });
  change = Option.String('--change', {
    description: '<source>@<commit, tag or folder>; without a version, the one that an update would choose.',
  });
  output = Option.String('--output', 'fleet', { description: 'apply: the folder for the recipe.' });
  force = Option.Boolean('--force', false, { description: 'apply: replace existing files.' });

  async run(context: CompileContext): Promise<Outcome> {
    if (!actions.includes(this.action)) {
      const hint = didYouMean(this.action, actions) || undefined;
      const allowed = joinWithOr(actions);
      return refuse(context, badOptionValue({ option: '<action>', value: this.action, allowed }, { hint }));
    }
    const request = { repos: this.repos, change: this.change };
    return this.action === 'plan' ? this.plan(request, context) : this.apply(request, context);
  }

  private async plan(request: FleetRequest, context: CompileContext): Promise<Outcome> {
    const { fleetData, fleetText, isApplicable, planFleet, repositoryData } = await import('../rest.ts');
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
    const { fleetData, isApplicable, recipeText, writeRecipe } = await import('../rest.ts');
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
