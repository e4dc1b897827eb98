import { Command, Option } from 'clipanion';
import { conflictingOptions } from '../../generated/diagnostics.ts';
import { nodeDisk } from '../../host/disk.ts';
import type { CompileRequest } from '../../project/compile.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { type CommandResult, PrsCommand } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { contextInScope, userOption } from '../user-scope.ts';
import { recursiveOption, selectPackages } from '../which-packages.ts';

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
  user = userOption();
  format = Option.String('--format', {
    description: 'Format of findings: text or github (annotations).',
  });

  override get detailed(): boolean {
    return this.verbose || this.dryRun;
  }

  override get diagnosticsFormat(): string | undefined {
    return this.format;
  }

  async run(invocation: Invocation): Promise<CommandResult> {
    const { verbose, terminal, silent } = invocation;
    const wrong = this.contradiction();
    if (wrong) {
      invocation.context.report(wrong);
      return { exitCode: 2 };
    }
    const context = await contextInScope(this, invocation.context);
    if (!context) return { exitCode: 2 };
    const request: CompileRequest = {
      mode: this.dryRun || this.check ? 'plan' : 'write',
      force: this.force,
      frozen: this.frozen,
      targets: this.target,
      builds: this.build,
      allBuilds: this.allBuilds,
    };
    const isWatching = this.watch || this.absorb;
    const packages = isWatching || this.user ? undefined : await selectPackages(context, this.recursive);
    if (packages) {
      const { compilePackages } = await import('../core.ts');
      return compilePackages(packages, request, context, { dryRun: this.dryRun, check: this.check, verbose });
    }
    if (isWatching) {
      const { watchCommand } = await import('../rest.ts');
      return watchCommand({ ...request, absorb: this.absorb }, this, invocation);
    }
    const {
      compileProject,
      compileData,
      compileText,
      attributesList,
      gitFolders,
      mayContainMark,
      updateGitSetup,
    } = await import('../core.ts');
    const asks = request.mode === 'write' && this.force && terminal.interactive && !silent;
    const { mayRemoveOriginals } = asks ? await import('../rest.ts') : {};
    const removeOriginals = this.force && ((await mayRemoveOriginals?.(request, context)) ?? true);
    const start = Date.now();
    const compiled = await compileProject({ ...request, removeOriginals }, context);
    if (typeof compiled === 'string') return { exitCode: 2 };
    if (compiled.written && !this.user) {
      const { disk, environment } = context;
      const folders = gitFolders(compiled.root, disk, environment, nodeDisk);
      if (mayContainMark(attributesList, folders)) {
        updateGitSetup(compiled, folders, context);
      }
    }
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

  private contradiction(): Diagnostic | undefined {
    const pairs: readonly (readonly [first: string, second: string, both: unknown])[] = [
      ['--watch', '--check', this.watch && this.check],
      ['--watch', '--recursive', this.watch && this.recursive],
      ['--absorb', '--recursive', this.absorb && this.recursive],
      ['--absorb', '--check', this.absorb && this.check],
      ['--absorb', '--dry-run', this.absorb && this.dryRun],
      ['--absorb', '--json', this.absorb && this.json],
      ['--absorb', '--force', this.absorb && this.force],
      ['--absorb', '--target', this.absorb && this.target],
      ['--absorb', '--all-builds', this.absorb && this.allBuilds],
      ['--watch', '--dry-run', this.watch && this.dryRun],
      ['--watch', '--json', this.watch && this.json],
      ['--check', '--force', this.check && this.force],
      ['--build', '--all-builds', this.build && this.allBuilds],
    ];
    const pair = pairs.find(([, , both]) => both);
    return pair && conflictingOptions({ first: pair[0], second: pair[1] });
  }
}
