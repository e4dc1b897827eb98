import { dirname, join } from 'node:path';
import {
  migratedExists,
  migrateFoundNothing,
  migrateRepetition,
  migrateSharedFile,
} from '../generated/diagnostics.ts';
import { languageSkill } from '../generated/language-skill.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import { importFile } from '../import/import.ts';
import { inOrder, recognise } from '../import/recognise.ts';
import { addUse } from '../migrate/entry.ts';
import { type Found, type Migration, migratedReference, planMigration } from '../migrate/migration.ts';
import { type MigrationPrompt, migrationPrompt, type PromptFile } from '../migrate/prompt.ts';
import { takeoverSteps } from '../migrate/takeover.ts';
import { builtinIds, builtinSpec } from '../spec/load.ts';
import { decodeSource } from '../syntax/decode.ts';
import { parseDocument } from '../syntax/parse.ts';
import type { Context } from './context.ts';
import { detectProject } from './detect.ts';
import { configText } from './init-texts.ts';
import { findInstructionFiles } from './instruction-files.ts';
import { projectRoot } from './root.ts';

export interface MigrateOptions {
  readonly dryRun: boolean;
  /** Globs that narrow the files. */
  readonly files: readonly string[];
}

export interface WrittenFile {
  readonly path: string;
  readonly state: 'new' | 'changed' | 'unchanged';
  readonly text: string;
}

export interface MigrateOutcome {
  readonly root: string;
  readonly found: readonly Found[];
  readonly migration: Migration;
  /** Sources, configuration and entry, written or to be written. */
  readonly files: readonly WrittenFile[];
  /** Ids of the tools whose files were found. */
  readonly targets: readonly string[];
  /** Text with the next steps. */
  readonly steps: string;
}

const entryPath = '.instr/project.prs';

interface Read {
  readonly root: string;
  readonly config?: string;
  readonly specs: readonly TargetSpec[];
  readonly found: readonly Found[];
  /** Paths of links to files that were read under another name. */
  readonly links: readonly string[];
}

/** Reads all instruction files of the project; what cannot be read is reported and left out. */
async function readAll(options: MigrateOptions, context: Context): Promise<Read> {
  const place = projectRoot(context);
  const specs = inOrder(builtinIds().map(id => builtinSpec(id)!.spec));
  const found: Found[] = [];
  const { files, links } = findInstructionFiles(place.root, specs, context, options.files);
  for (const path of files) {
    const bytes = context.disk.readBytes(join(place.root, path));
    if (!bytes) continue;
    // A settings file without anything of ours in it is no finding when a whole project is read.
    const structured = /\.(?:json|jsonc|toml|ya?ml)$/i.test(path);
    const imported = await importFile({ path, bytes, specs }, structured ? quietly(context) : context.report);
    if (imported) found.push({ path, imported });
  }
  // Shallow files speak first: they are about the whole project.
  found.sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
  return { ...place, specs, found, links };
}

const depth = ({ imported }: Found): number => (imported.scope === '' ? 0 : imported.scope.split('/').length);

const quietly =
  ({ report }: Context): Context['report'] =>
  diagnostic => {
    if (diagnostic.severity !== 'error') report(diagnostic);
  };

/**
 * Takes over the instruction files of a whole project: sources in `.instr/migrated/`, one `@use` in the entry, a
 * configuration when there is none. No existing instruction file is touched. `undefined` after reporting when there
 * is nothing to take over, or when an earlier migration would be replaced.
 */
export async function migrateProject(
  options: MigrateOptions,
  context: Context,
): Promise<MigrateOutcome | undefined> {
  const { disk, report } = context;
  const { root, config, found, specs, links } = await readAll(options, context);
  if (found.length === 0) {
    report(migrateFoundNothing({}, {}));
    return undefined;
  }
  const migration = planMigration(found, ['.agents/skills', '.instr/skills']);
  for (const { block, kind, files, startLines, only } of migration.repetitions) {
    if (kind === 'near')
      report(
        migrateRepetition(
          {
            block,
            first: `${files[0]}:${startLines[0]}`,
            second: `${files[1]}:${startLines[1]}`,
            count: only.length,
          },
          { file: files[1]! },
        ),
      );
  }
  const targets = targetsOf(found, links, specs, report);
  const sources = migration.files.map(file => compare(file.path, file.text, root, context));
  const changed = sources.filter(({ state }) => state === 'changed');
  if (changed.length > 0) {
    report(migratedExists({ path: changed[0]!.path }, { file: changed[0]!.path }));
    return undefined;
  }
  const files = [...sources, ...(await projectFiles(root, config, targets, context))];
  if (!options.dryRun) {
    for (const { path, state, text } of files) {
      if (state === 'unchanged') continue;
      disk.makeDirectory(dirname(join(root, path)));
      disk.writeBytes(join(root, path), new TextEncoder().encode(text), { exclusive: state === 'new' });
    }
  }
  return {
    root,
    found,
    migration,
    files,
    targets,
    steps: takeoverSteps(
      found.map(({ path }) => path),
      targets,
    ),
  };
}

/**
 * The tools whose own files were found, in the order of their labels. A file that many tools have adds one of them
 * only when no tool that was found by its own files has it too.
 */
function targetsOf(
  found: readonly Found[],
  links: readonly string[],
  specs: readonly TargetSpec[],
  report: Context['report'],
): string[] {
  const used = new Set<string>();
  const shared: string[] = [];
  const see = (path: string, target: string | undefined, isShared: boolean) => {
    if (target === undefined) return;
    if (isShared) shared.push(path);
    else used.add(target);
  };
  for (const { path, imported } of found) see(path, imported.target, imported.shared);
  for (const path of links) {
    const match = recognise(path, specs);
    see(path, match?.spec?.id, match?.shared ?? true);
  }
  // Skills in the shared directory need no target of their own; a document that nobody writes would be left behind.
  const documents = shared.filter(path => recognise(path, specs)?.file?.kind === 'document');
  for (const path of documents.length > 0 || used.size > 0 ? documents : shared.slice(0, 1)) {
    const owns = (spec: TargetSpec) => {
      const file = recognise(path, [spec])?.file;
      return file !== undefined && (file.versions?.includes(spec.defaultVersion) ?? true);
    };
    if (specs.some(spec => used.has(spec.id) && owns(spec))) continue;
    const first = specs.find(owns);
    if (!first) continue;
    used.add(first.id);
    report(migrateSharedFile({ path, target: first.id }, { file: path }));
  }
  return specs.filter(({ id }) => used.has(id)).map(({ id }) => id);
}

/** The entry with its `@use`, and a configuration when there is none. */
async function projectFiles(
  root: string,
  config: string | undefined,
  targets: readonly string[],
  context: Context,
): Promise<WrittenFile[]> {
  const { disk } = context;
  const { name, formatter } = await detectProject(disk, root);
  const files: WrittenFile[] = [];
  if (config === undefined) {
    files.push(compare('instr.yaml', configText({ name, targets, languages: [], formatter }), root, context));
  }
  const bytes = disk.readBytes(join(root, entryPath));
  const source = bytes && decodeSource(entryPath, bytes, context.report);
  if (bytes && !source) return files;
  const text = source
    ? addUse(parseDocument(source, context.report), migratedReference)
    : `@meta {\n  id: ${JSON.stringify(name)}\n  syntax: "1.5.0"\n}\n\n@use ${migratedReference}\n`;
  files.push(compare(entryPath, text, root, context));
  return files;
}

function compare(path: string, text: string, root: string, { disk }: Context): WrittenFile {
  const bytes = disk.readBytes(join(root, path));
  if (!bytes) return { path, state: 'new', text };
  return { path, text, state: new TextDecoder().decode(bytes) === text ? 'unchanged' : 'changed' };
}

/** A prompt for an assistant that writes the sources; nothing is written. */
export async function promptForMigration(
  options: MigrateOptions,
  context: Context,
): Promise<MigrationPrompt | undefined> {
  const { root, found } = await readAll(options, context);
  if (found.length === 0) {
    context.report(migrateFoundNothing({}, {}));
    return undefined;
  }
  const files: PromptFile[] = found.map(({ path, imported }) => ({
    path,
    blocks: imported.blocks,
    text: new TextDecoder().decode(context.disk.readBytes(join(root, path))),
  }));
  return migrationPrompt(files, languageSkill.text);
}
