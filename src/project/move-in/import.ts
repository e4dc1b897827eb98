import { dirname, join, resolve } from 'node:path';
import {
  importedFileOutside,
  importIsFolder,
  importMissing,
  importOutputExists,
  importOutputOutside,
  importResources,
  sourceTooLarge,
} from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { pathBelow, placeInProject } from '../../host/relative-path.ts';
import { type Imported, importFile } from '../../migrate/import/import.ts';
import { findSpec } from '../../spec/load.ts';
import { leavesRoot } from '../../text/paths.ts';
import { megabyte, sourceLimit } from '../../text/sizes.ts';
import { type Known, knownSpecs } from '../open/known-specs.ts';
import type { OpenFailure } from '../open/open.ts';
import { projectRoot } from '../open/root.ts';
import type { CompileContext, WithDisk, WithReport } from '../session/world.ts';
import { writeSources } from '../write/write-sources.ts';
import { stateOf } from './planned-sources.ts';

export interface ImportOptions {
  /** As given by the user, relative to the working directory. */
  readonly file: string;
  readonly format?: string | undefined;
  /** Where to write; default `.instr/imported/<name>.prs`. */
  readonly output?: string | undefined;
  readonly dryRun: boolean;
  readonly force: boolean;
}

export interface ImportOutcome {
  readonly root: string;
  readonly file: string;
  readonly imported: Imported;
  /** The path of the source, relative to the project; it may not exist yet. */
  readonly output: string;
  readonly state: 'new' | 'changed' | 'unchanged';
  readonly written: boolean;
}

const outputFolder = '.instr/imported';

/**
 * Imports one instruction file of any tool. If the result is `undefined`, or a word for the command line, everything
 * that blocks the import has been reported and nothing was written.
 */
export async function importInstructions(
  options: ImportOptions,
  context: CompileContext,
): Promise<ImportOutcome | OpenFailure | undefined> {
  const { disk, cwd, report } = context;
  const { root } = projectRoot(context);
  const known = await knownSpecs(context);
  const specs = chosenSpecs(options.format, known, context);
  if (!specs) return 'wrong-request';
  const path = resolve(cwd, options.file);
  const file = pathBelow(root, path);
  const real = disk.realpath(path);
  const stat = real === undefined ? undefined : disk.stat(real);
  if (
    file === undefined ||
    (real !== undefined && placeInProject(disk.realpath(root) ?? root, real) === undefined)
  ) {
    report(importedFileOutside({ path: options.file }, { file: options.file }));
    return undefined;
  }
  if (!stat) {
    report(importMissing({ path: options.file }, { file }));
    return undefined;
  }
  if (stat.kind !== 'file') {
    report(importIsFolder({ path: options.file }, { file }));
    return undefined;
  }
  if (stat.size > sourceLimit) {
    const size = (stat.size / megabyte).toFixed(1);
    report(sourceTooLarge({ file, size, limit: sourceLimit / megabyte }, { file }));
    return undefined;
  }
  const imported = await importFile(
    {
      path: file,
      bytes: disk.readBytes(path)!,
      specs,
      named: options.format !== undefined,
      bundled: true,
      ...(known.universalDir !== undefined && { universalDir: known.universalDir }),
    },
    report,
  );
  if (!imported) return undefined;
  reportResources(file, imported, join(root, file), context);
  return writeImport(options, { root, file, imported }, context);
}

function chosenSpecs(
  format: string | undefined,
  { specs, custom }: Known,
  { report }: WithReport,
): readonly TargetSpec[] | undefined {
  if (format === undefined) return specs;
  const found = findSpec(format, custom, report);
  return found && [found.spec];
}

/** A skill may have other files; only an import of the folder includes them. */
function reportResources(
  file: string,
  { parts }: Imported,
  path: string,
  { disk, report }: WithDisk & WithReport,
): void {
  if (!parts.some(part => part.block === 'skills') || !/(?:^|\/)SKILL\.md$/.test(file)) return;
  const others = (disk.list(dirname(path)) ?? []).length - 1;
  if (others > 0) report(importResources({ path: file, count: others, folder: dirname(file) }, { file }));
}

async function writeImport(
  { output: wanted, dryRun, force }: ImportOptions,
  { root, file, imported }: Pick<ImportOutcome, 'root' | 'file' | 'imported'>,
  context: CompileContext,
): Promise<ImportOutcome | undefined> {
  const { disk, cwd, report } = context;
  const output =
    wanted === undefined ? `${outputFolder}/${imported.name}.prs` : pathBelow(root, resolve(cwd, wanted));
  if (output === undefined || leavesRoot(output)) {
    report(importOutputOutside({ path: wanted ?? '' }, {}));
    return undefined;
  }
  const source = { path: output, text: imported.text };
  const state = stateOf(source, root, context);
  const outcome = { root, file, imported, output, state } as const;
  if (dryRun || state === 'unchanged') return { ...outcome, written: false };
  if (state === 'changed' && (!force || disk.lstat(join(root, output))?.kind !== 'file')) {
    report(importOutputExists({ path: output }, { file: output }));
    return undefined;
  }
  const written = await writeSources(root, [source], context);
  return written ? { ...outcome, written } : undefined;
}
