import { Command } from 'clipanion';
import type { CompileContext } from '../../project/session/world.ts';
import { flag, type Outcome, PrsCommand, recursiveOption } from '../command.ts';

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

  outdated = flag('--outdated', 'List the pinned sources with their newest versions.');
  exitCode = flag('--exit-code', 'Exit with 1 when files, or with --outdated sources, are out of date.');
  recursive = recursiveOption();

  async run(context: CompileContext): Promise<Outcome> {
    const { findPackages, projectRoot, statusData, statusOf, statusPackages, statusText } = await import(
      '../core.ts'
    );
    const isBare = this.path.length === 0 && this.config === undefined;
    if (isBare && projectRoot(context).config === undefined) return this.begin(context);
    if (this.outdated) return this.listOutdated(context);
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
    const specs = await specsToChoose(context);
    const suggestion = specs && (await suggestAnswers(specs, context));
    return { text: width => gettingStartedText(suggestion, width) };
  }

  private async listOutdated(context: CompileContext): Promise<Outcome> {
    const { findOutdated, outdatedText } = await import('../rest.ts');
    const outdated = await findOutdated(context);
    if (typeof outdated === 'string') return outdated;
    const { root, sources } = outdated;
    return {
      ...(this.exitCode && sources.some(({ state }) => state === 'outdated') && { exitCode: 1 }),
      root,
      data: { outdated: sources },
      text: width => outdatedText(sources, width),
    };
  }
}
