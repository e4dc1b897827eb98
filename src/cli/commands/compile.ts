import { Command, Option } from 'clipanion';
import { nodeDisk } from '../../host/disk.ts';
import type { CompileRequest } from '../../project/compile.ts';
import type { CompileContext } from '../../project/session/world.ts';
import { type Conflict, type Outcome, PrsCommand, recursiveOption, userOption } from '../command.ts';
import type { Terminal } from '../terminal.ts';

export default class CompileCommand extends PrsCommand {
  static override paths = [['compile']];
  static override listed = true;
  static override usage = Command.Usage({
    category: 'Every day',
    description: 'Write the instruction files of every enabled target.',
    details:
      'Files that this program did not write, or that were edited since, are overwritten only with --force. A copy is kept, and `prs undo` reverts the run.',
    examples: [
      ['Write all files', 'prs compile'],
      ['Show what would be written, and every conflict', 'prs compile --dry-run'],
      ['Check in continuous integration that the files are up to date', 'prs compile --check'],
    ],
  });

  dryRun = Option.Boolean('--dry-run', false, {
    description: 'Report what would be written; write nothing.',
  });
  check = Option.Boolean('--check', false, {
    description: 'Write nothing; exit with 1 when anything would change.',
  });
  force = Option.Boolean('--force', false, {
    description: 'Overwrite files that this program did not write or that were edited; copies are kept.',
  });
  watch = Option.Boolean('--watch', false, { description: 'Compile again whenever a source changes.' });
  absorb = Option.Boolean('--absorb', false, {
    description:
      'Watch, and move edits of generated files into the sources if there is only one place for them.',
  });
  target = Option.Array('--target', {
    description: 'Only this target, by id or label; may be repeated.',
  });
  build = Option.Array('--build', { description: 'Compile this build profile; may be repeated.' });
  allBuilds = Option.Boolean('--all-builds', false, { description: 'Compile every build profile.' });
  frozen = Option.Boolean('--frozen', {
    description: 'Fail if the lock file would change. Default if CI=true.',
  });
  recursive = recursiveOption();
  override user = userOption();
  override format = Option.String('--format', {
    description: 'Format of findings: text or github (annotations).',
  });

  override get detailed(): boolean {
    return this.verbose || this.dryRun;
  }

  override conflicts: readonly Conflict[] = [
    ['--watch', '--check'],
    ['--watch', '--recursive'],
    ['--absorb', '--recursive'],
    ['--absorb', '--check'],
    ['--absorb', '--dry-run'],
    ['--absorb', '--json'],
    ['--absorb', '--force'],
    ['--absorb', '--target'],
    ['--absorb', '--all-builds'],
    ['--watch', '--dry-run'],
    ['--watch', '--json'],
    ['--check', '--force'],
    ['--build', '--all-builds'],
  ];

  async run(context: CompileContext, terminal: Terminal): Promise<Outcome> {
    const { verbose } = this;
    const request: CompileRequest = {
      mode: this.dryRun || this.check ? 'plan' : 'write',
      force: this.force,
      frozen: this.frozen,
      targets: this.target,
      builds: this.build,
      allBuilds: this.allBuilds,
    };
    const isWatching = this.watch || this.absorb;
    const { compileData, compilePackages, compileProject, compileText, findPackages, updateGitSetup } =
      await import('../core.ts');
    const packages = isWatching || this.user ? undefined : await findPackages(context, this.recursive);
    if (packages)
      return compilePackages(packages, request, context, { dryRun: this.dryRun, check: this.check, verbose });
    if (isWatching) {
      const { watchCommand } = await import('../rest.ts');
      return watchCommand({ ...request, absorb: this.absorb }, this, context, terminal);
    }
    const asks = request.mode === 'write' && this.force && terminal.interactive && !this.silent;
    const { mayRemoveOriginals } = asks ? await import('../rest.ts') : {};
    const removeOriginals = this.force && ((await mayRemoveOriginals?.(request, context)) ?? true);
    const start = Date.now();
    const compiled = await compileProject({ ...request, removeOriginals }, context);
    if (typeof compiled === 'string') return compiled;
    if (compiled.written && !this.user) updateGitSetup(compiled, context, nodeDisk);
    const milliseconds = Date.now() - start;
    const screen = terminal.stdout;
    const view = { dryRun: this.dryRun, check: this.check, brief: false, verbose, milliseconds, screen };
    return {
      ...(this.check && compiled.sharedWork && { exitCode: 1 }),
      root: compiled.root,
      settled: compiled.written && !compiled.work && !compiled.broken,
      get data() {
        return compileData(compiled, context);
      },
      summary: width => compileText(compiled, view, width),
    };
  }
}
