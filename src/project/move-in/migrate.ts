import { join } from 'node:path';
import {
  migratedExists,
  migrateFoundNothing,
  migrateNotesLeft,
  migrateOtherSkill,
  migrateRepetition,
  migrateSharedFile,
} from '../../generated/diagnostics.ts';
import { languageSkill } from '../../generated/language-skill.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { importFile } from '../../import/import.ts';
import { recognise } from '../../import/recognise.ts';
import { addUse } from '../../migrate/entry.ts';
import {
  type ImportedFile,
  type Migration,
  migratedReference,
  planMigration,
} from '../../migrate/migration.ts';
import { type MigrationPrompt, migrationPrompt, type PromptFile } from '../../migrate/prompt.ts';
import { takeoverSteps } from '../../migrate/takeover.ts';
import type { Compiling, WithDisk, WithReport } from '../../session/world.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { entryPath, localPath } from '../../text/places.ts';
import { detectProject } from '../init/detect.ts';
import { addIgnored } from '../init/init.ts';
import { configText } from '../init/init-texts.ts';
import { knownSpecs } from '../open/known-specs.ts';
import { projectRoot } from '../open/root.ts';
import { writeSources } from '../write/write-sources.ts';
import { findInstructionFiles } from './instruction-files.ts';

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
  readonly found: readonly ImportedFile[];
  readonly migration: Migration;
  /** Sources, configuration and entry, written or to be written. */
  readonly files: readonly WrittenFile[];
  /** Ids of the tools whose files were found. */
  readonly targets: readonly string[];
  /** Text with the next steps. */
  readonly steps: string;
}

interface Read {
  readonly root: string;
  readonly config?: string;
  readonly specs: readonly TargetSpec[];
  readonly found: readonly ImportedFile[];
  /** Paths of links to files that were read under another name. */
  readonly links: readonly string[];
  /** Skills and commands in it are found without being named. */
  readonly universalDir: string | undefined;
}

/** Reads all instruction files of the project; what cannot be read is reported and left out. */
async function readAll(options: MigrateOptions, context: Compiling): Promise<Read> {
  const place = projectRoot(context);
  const { specs, universalDir } = await knownSpecs(context);
  const found: ImportedFile[] = [];
  const wanted = { specs, universalDir: universalDir ?? '.agents', only: options.files };
  const { files, links } = findInstructionFiles(place.root, wanted, context);
  for (const path of files) {
    const bytes = context.disk.readBytes(join(place.root, path));
    if (!bytes) continue;
    // A settings file without anything of ours in it is no finding when a whole project is read.
    const imported = await importFile(
      { path, bytes, specs, universalDir: wanted.universalDir },
      isStructured(path) ? quietly(context) : context.report,
    );
    if (imported) found.push({ path, imported });
  }
  // Shallow files speak first: they are about the whole project.
  found.sort((a, b) => depth(a) - depth(b) || (a.path < b.path ? -1 : 1));
  return { ...place, specs, found, links, universalDir };
}

const isStructured = (path: string): boolean => /\.(?:json|jsonc|toml|ya?ml)$/i.test(path);

const depth = ({ imported }: ImportedFile): number =>
  imported.scope === '' ? 0 : imported.scope.split('/').length;

const quietly =
  ({ report }: WithReport): WithReport['report'] =>
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
  context: Compiling,
): Promise<MigrateOutcome | undefined> {
  const { report } = context;
  const { root, config, found, specs, links, universalDir } = await readAll(options, context);
  if (found.length === 0) {
    report(migrateFoundNothing({}, {}));
    return undefined;
  }
  const migration = planMigration(found, universalDir);
  for (const { kept, left } of migration.otherSkills)
    report(migrateOtherSkill({ kept, left }, { file: left }));
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
  const all = migration.files.map(file => compare(file.path, file.text, root, context));
  const notes = all.find(({ path, state }) => path === localPath && state !== 'changed');
  const sources = all.filter(file => file.path !== localPath || file === notes);
  if (sources.length < all.length) report(migrateNotesLeft({ path: localPath }, { file: localPath }));
  const changed = sources.filter(({ state }) => state === 'changed');
  if (changed.length > 0) {
    report(migratedExists({ path: changed[0]!.path }, { file: changed[0]!.path }));
    return undefined;
  }
  const files = [
    ...sources,
    ...(await projectFiles(root, config, targets, context)),
    ...(notes ? [ignoreNotes(root, context)] : []),
  ];
  const work = files.filter(({ state }) => state !== 'unchanged');
  if (!options.dryRun && !(await writeSources(root, work, context))) return undefined;
  return {
    root,
    found,
    migration,
    files,
    targets,
    steps: takeoverSteps(
      found.map(({ path }) => path),
      targets,
      found.flatMap(({ path, imported }) =>
        isStructured(path) && imported.parts.some(({ block }) => block === 'hooks') ? [path] : [],
      ),
    ),
  };
}

/**
 * The tools whose own files were found, in the order in which tools are proposed. A file that many tools have adds one of them
 * only when no tool that was found by its own files has it too.
 */
function targetsOf(
  found: readonly ImportedFile[],
  links: readonly string[],
  specs: readonly TargetSpec[],
  report: WithReport['report'],
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
    // The open format, else the one that writes least beside it: whoever reads the file, what is in it reaches them.
    const weight = ({ open, files }: TargetSpec) => (open ? 0 : Object.keys(files).length);
    const [first] = specs.filter(owns).sort((a, b) => weight(a) - weight(b));
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
  context: Compiling,
): Promise<WrittenFile[]> {
  const { disk } = context;
  const { name, formatter } = await detectProject(disk, root);
  const files: WrittenFile[] = [];
  if (config === undefined) {
    const answers = { name, targets, languages: [], formatter: formatter && ('found' as const) };
    files.push(compare('instr.yaml', configText(answers), root, context));
  }
  const bytes = bytesOf(join(root, entryPath), disk);
  const source = bytes && decodeSource(entryPath, bytes, context.report);
  if (bytes && !source) return files;
  const text = source
    ? addUse(parseDocument(source, context.report), migratedReference)
    : `@meta {\n  id: ${JSON.stringify(name)}\n  syntax: "1.5.0"\n}\n\n@use ${migratedReference}\n`;
  files.push(compare(entryPath, text, root, context));
  return files;
}

/** Private notes stay out of version control. */
function ignoreNotes(root: string, context: Compiling): WrittenFile {
  const path = '.gitignore';
  const bytes = bytesOf(join(root, path), context.disk);
  return compare(path, addIgnored(bytes && new TextDecoder().decode(bytes), [localPath]), root, context);
}

function compare(path: string, text: string, root: string, { disk }: WithDisk): WrittenFile {
  const bytes = bytesOf(join(root, path), disk);
  if (!bytes) return { path, state: 'new', text };
  return { path, text, state: new TextDecoder().decode(bytes) === text ? 'unchanged' : 'changed' };
}

/** The content of a file; anything else that may be in its place is found when it is written. */
const bytesOf = (path: string, disk: WithDisk['disk']): Uint8Array | undefined =>
  disk.stat(path)?.kind === 'file' ? disk.readBytes(path) : undefined;

/** A prompt for an assistant that writes the sources; nothing is written. */
export async function promptForMigration(
  options: MigrateOptions,
  context: Compiling,
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
