import { Command, Option } from 'clipanion';
import { nodeDisk } from '../../host/disk.ts';
import type { CompileRequest } from '../../project/compile.ts';
import type { CompileContext } from '../../project/session/world.ts';
import {
  type Conflicts,
  flag,
  listOption,
  type Outcome,
  option,
  PrsCommand,
  recursiveOption,
  userOption,
} from '../command.ts';
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

  dryRun = flag('--dry-run', 'Report what would be written; write nothing.');
  check = flag('--check', 'Write nothing; exit with 1 when anything would change.');
  force = flag(
    '--force',
    'Overwrite files that this program did not write or that were edited; copies are kept.',
  );
  watch = flag('--watch', 'Compile again whenever a source changes.');
  absorb = flag(
    '--absorb',
    'Watch, and move edits of generated files into the sources if there is only one place for them.',
  );
  target = listOption('--target', 'Only this target, by id or label; may be repeated.');
  build = listOption('--build', 'Compile this build profile; may be repeated.');
  allBuilds = flag('--all-builds', 'Compile every build profile.');
  frozen = Option.Boolean('--frozen', {
    description: 'Fail if the lock file would change. Default if CI=true.',
  });
  recursive = recursiveOption();
  override user = userOption();
  override format = option('--format', 'Format of findings: text or github (annotations).');

  override get detailed(): boolean {
    return this.verbose || this.dryRun;
  }

  override conflicts: Conflicts = {
    '--watch': ['--check', '--recursive', '--dry-run', '--json'],
    '--absorb': ['--recursive', '--check', '--dry-run', '--json', '--force', '--target', '--all-builds'],
    '--check': ['--force'],
    '--build': ['--all-builds'],
  };

  async run(context: CompileContext, terminal: Terminal): Promise<Outcome> {
    const { absorb, allBuilds, build: builds, check, dryRun, force, frozen, target: targets, verbose } = this;
    const mode = dryRun || check ? 'plan' : 'write';
    const request: CompileRequest = { mode, force, frozen, targets, builds, allBuilds };
    const isWatching = this.watch || absorb;
    const { compileData, compilePackages, compileProject, compileText, findPackages, updateGitSetup } =
      await import('../core.ts');
    const packages = isWatching || this.user ? undefined : await findPackages(context, this.recursive);
    if (packages) return compilePackages(packages, request, context, { dryRun, check, verbose });
    if (isWatching) {
      const { watchCommand } = await import('../rest.ts');
      return watchCommand({ ...request, absorb }, this, context, terminal);
    }
    const asks = mode === 'write' && force && terminal.interactive && !this.silent;
    const { mayRemoveOriginals } = asks ? await import('../rest.ts') : {};
    const removeOriginals = force && ((await mayRemoveOriginals?.(request, context)) ?? true);
    const start = Date.now();
    const compiled = await compileProject({ ...request, removeOriginals }, context);
    if (typeof compiled === 'string') return compiled;
    if (compiled.written && !this.user) updateGitSetup(compiled, context, nodeDisk);
    const milliseconds = Date.now() - start;
    const view = { dryRun, check, brief: false, verbose, milliseconds, screen: terminal.stdout };
    return {
      ...(check && compiled.sharedWork && { exitCode: 1 }),
      root: compiled.root,
      settled: compiled.written && !compiled.work && !compiled.broken,
      get data() {
        return compileData(compiled, context);
      },
      summary: width => compileText(compiled, view, width),
    };
  }
}
