import { Command, Option } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { type Outcome, PrsCommand, recursiveOption } from '../command.ts';

export default class StatusCommand extends PrsCommand {
  /** `prs` without a command is `status`. */
  static override paths = [['status'], Command.Default];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Show the state of the project, and the next step.',
    details:
      'Tools, files that differ from the sources, pinned sources and waivers. Nothing is written. --outdated contacts the registries: `wanted` is the version that `prs update` would choose; `latest` is the highest release, which may need another reference.',
    examples: [
      ['Show the state of the project', 'prs status'],
      ['Pinned sources that have a newer version', 'prs status --outdated'],
      ['For an inventory of many repositories', 'prs status --json'],
    ],
  });

  outdated = Option.Boolean('--outdated', false, {
    description: 'List the pinned sources with their newest versions.',
  });
  exitCode = Option.Boolean('--exit-code', false, {
    description: 'Exit with 1 when files, or with --outdated sources, are out of date.',
  });
  recursive = recursiveOption();

  async run(context: CompileContext): Promise<Outcome> {
    if (this.path.length === 0 && this.config === undefined) {
      const { projectRoot } = await import('../core.ts');
      if (projectRoot(context).config === undefined) return this.begin(context);
    }
    if (this.outdated) return this.listOutdated(context);
    const { findPackages, statusData, statusOf, statusPackages, statusText } = await import('../core.ts');
    const packages = await findPackages(context, this.recursive);
    if (packages) return statusPackages(packages, context);
    const status = await statusOf(context);
    if (typeof status === 'string') return status;
    return {
      ...(this.exitCode && status.drift.length > 0 && { exitCode: 1 }),
      root: status.root,
      data: statusData(status, context),
      text: width => statusText(status, width),
    };
  }

  /** Shows how to begin when there is no project. */
  private async begin(context: CompileContext): Promise<Outcome> {
    const { specsToChoose, suggestAnswers } = await import('../rest.ts');
    const { gettingStartedText } = await import('../core.ts');
    const known = await specsToChoose(context);
    const found = known && (await suggestAnswers(known, context));
    return { text: width => gettingStartedText(found, width) };
  }

  private async listOutdated(context: CompileContext): Promise<Outcome> {
    const { findOutdated, outdatedText } = await import('../rest.ts');
    const found = await findOutdated(context);
    if (typeof found === 'string') return found;
    const isOutdated = found.sources.some(({ state }) => state === 'outdated');
    return {
      ...(this.exitCode && isOutdated && { exitCode: 1 }),
      root: found.root,
      data: { outdated: found.sources },
      text: width => outdatedText(found.sources, width),
    };
  }
}
