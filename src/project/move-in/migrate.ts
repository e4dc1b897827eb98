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
import { sha256 } from '../../host/hash.ts';
import { configText } from '../../migrate/config-text.ts';
import { recognise } from '../../migrate/import/recognise.ts';
import {
  type ImportedFile,
  type Migration,
  migratedReference,
  planMigration,
} from '../../migrate/migration.ts';
import { type MigrationPrompt, migrationPrompt } from '../../migrate/prompt.ts';
import { takeoverSteps } from '../../migrate/takeover.ts';
import { textHash } from '../../plan/canonical.ts';
import { loadsPath, readsOrReadMain } from '../../spec/loading/load.ts';
import { partOf } from '../../spec/spec.ts';
import { use } from '../../syntax/build.ts';
import { isDataPath, localConfigPath, localPath } from '../../text/places.ts';
import { detectProject } from '../init/detect.ts';
import { addIgnored } from '../init/init.ts';
import { configuredTargets } from '../open/known-specs.ts';
import { tryFiles } from '../preview-update.ts';
import type { CompileContext, WithDisk } from '../session/world.ts';
import { writeSources } from '../write/write-sources.ts';
import { bytesOfFile, configPath, entryWith, stateOf } from './planned-sources.ts';
import { audienceFinder, type ReadFiles, readAll } from './read-all.ts';
import { type StillRead, stillRead } from './readers.ts';

export interface MigrateOptions {
  readonly dryRun: boolean;
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
  readonly files: readonly WrittenFile[];
  readonly targets: readonly string[];
  readonly steps: string;
}

/**
 * Converts the instruction files of a whole project: sources in `.instr/migrated/`, one `@use` in the entry, and a
 * configuration when there is none. No existing instruction file is changed. Returns `undefined`, after reporting,
 * when there is nothing to convert, or when the result of an earlier migration would be replaced.
 */
export async function migrateProject(
  options: MigrateOptions,
  context: CompileContext,
): Promise<MigrateOutcome | undefined> {
  const { report } = context;
  const read = await readAll(options.files, context);
  const { root, config, found, specs, custom, links, inner, universalDir } = read;
  if (found.length === 0) {
    report(migrateFoundNothing({}, {}));
    return undefined;
  }
  const used =
    config === undefined ? usedTools(read, context) : await configuredTargets({ specs, custom }, context);
  if (!used) return undefined;
  const audience = audienceFinder(read, used, context);
  const plan = (fates: ReadonlyMap<string, 'pinned' | 'isKept'>) =>
    planMigration(
      found.map(file => {
        const fate = fates.get(file.path);
        return { ...file, ...audience(file), ...(fate && { [fate]: true }) };
      }),
      universalDir,
    );
  let migration = plan(new Map());
  let made = await makeFiles(migration, read, used, context);
  const mains = made?.stillRead.filter(({ isMain }) => isMain) ?? [];
  if (made && mains.length > 0) {
    const paths = new Set([...found.map(({ path }) => path), ...links]);
    const other = plan(new Map(mains.map(({ path }) => [path, fateOf(path, paths, used)])));
    const otherMade = await makeFiles(other, read, used, context);
    // Only content that a compile then writes to that place counts.
    if (otherMade && otherMade.stillRead.length < made.stillRead.length)
      [migration, made] = [other, otherMade];
  }
  if (!made) return undefined;
  reportMerged(migration, context);
  const { files, originals, conflictingSource } = made;
  if (made.hasOtherNotes) report(migrateNotesLeft({ path: localPath }, { file: localPath }));
  if (conflictingSource !== undefined) {
    report(migratedExists({ path: conflictingSource }, { file: conflictingSource }));
    return undefined;
  }
  const work = files.filter(({ state }) => state !== 'unchanged');
  const isWritten =
    options.dryRun ||
    (await writeSources(root, work, context, manifest => ({
      ...manifest,
      originals: new Map([...manifest.originals, ...originals]),
    })));
  if (!isWritten) return undefined;
  const targets = used.map(({ id }) => id);
  return {
    root,
    found,
    migration,
    files,
    targets,
    steps: takeoverSteps({
      paths: found.map(({ path }) => path),
      targets,
      withHooks: found.flatMap(({ path, imported }) =>
        isDataPath(path) && imported.parts.some(({ block }) => block === 'hooks') ? [path] : [],
      ),
      stillRead: made.stillRead.map(one => ({ ...one, removable: originals.has(one.path) })),
      inner,
      keptFiles: migration.keptFiles,
    }),
  };
}

function reportMerged({ otherSkills, repetitions }: Migration, { report }: CompileContext): void {
  for (const { kept, left } of otherSkills) report(migrateOtherSkill({ kept, left }, { file: left }));
  for (const { block, files, startLines, only } of repetitions) {
    const [first, second] = files.map((file, index) => `${file}:${startLines[index]}`);
    const holes = { block, first: first!, second: second!, count: only.length };
    report(migrateRepetition(holes, { file: files[1] }));
  }
}

/**
 * What happens to a main file that no block replaces. A tool that also reads another main file for the whole project
 * would get the converted content twice.
 */
function fateOf(path: string, paths: ReadonlySet<string>, used: readonly TargetSpec[]): 'pinned' | 'isKept' {
  const isRoot = recognise(path, used)?.scope === '';
  const has = (other: string) => paths.has(other);
  const others = [...paths].filter(other => other !== path && recognise(other, used)?.scope === '');
  const twice = (spec: TargetSpec) =>
    readsOrReadMain(spec, path, has) && others.some(other => loadsPath(spec, other, has));
  return isRoot && used.some(twice) ? 'isKept' : 'pinned';
}

/**
 * Everything that a migration writes, and the files that tools continue to read. Returns `undefined` after a report
 * about the entry. `hasOtherNotes`: private notes exist already and are not changed.
 */
async function makeFiles(
  migration: Migration,
  { root, config, found, links }: ReadFiles,
  used: readonly TargetSpec[],
  context: CompileContext,
) {
  const { name } = await detectProject(context.disk, root);
  const entry = entryWith([use(migratedReference)], name, root, context);
  if (!entry) return undefined;
  const written = (file: { readonly path: string; readonly text: string | Uint8Array }): WrittenFile => ({
    path: file.path,
    text: String(file.text),
    state: stateOf(file, root, context),
  });
  const all = migration.files.map(written);
  const hasOtherNotes = all.some(({ path, state }) => path === localPath && state === 'changed');
  const sources = all.filter(({ path }) => path !== localPath || !hasOtherNotes);
  // A source of an earlier migration with different content.
  const conflictingSource = sources.find(({ state }) => state === 'changed')?.path;
  const ignore = sources.some(({ path }) => path === localPath)
    ? [written(ignoringNotes(root, context))]
    : [];
  const apart = new Set([...migration.pointers, ...migration.keptFiles, ...migration.sourcesInPlace]);
  const mains = found.map(({ path }) => path).filter(path => !apart.has(path));

  const filesWith = (configs: readonly string[]) => [
    ...sources,
    ...configs.map(text => written({ path: configPath, text })),
    written(entry),
    ...ignore,
  ];
  const tools = config === undefined ? configFor(used, name, root, context) : undefined;
  let files = filesWith(tools ? [tools(new Map(), new Set())] : []);
  let tried = await tryFiles(files, root, context);
  if (tools) {
    // Main files that a compile does not write are still read by their tools.
    const outputs = used.flatMap(spec => {
      const own = mains.find(path => path === mainPath(spec) && !tried.planned.has(path));
      return own === undefined ? [] : [[spec.id, own] as const];
    });
    const broken = tried.findings.filter(({ severity, rule }) => severity === 'error' && rule !== undefined);
    if (outputs.length + broken.length > 0) {
      files = filesWith([tools(new Map(outputs), new Set(broken.map(({ rule }) => rule!)))]);
      tried = await tryFiles(files, root, context);
    }
  }
  const { planned } = tried;
  // In a structured file with entries, the remaining content is the user's; a file of a single item is read as a
  // text.
  const isOwn = (path: string) => !isDataPath(path) || recognise(path, used)?.file?.kind === 'items';
  const left = stillRead(mains.filter(isOwn), planned, used, root, context);
  const staying = links.filter(path => !planned.has(path));
  const originals = wholeOriginals(left, { root, found, links: staying }, used, context);
  return { files, stillRead: left, originals, hasOtherNotes, conflictingSource };
}

/**
 * Files that can be deleted after a compile, because the sources contain all their content. Skills are left out:
 * their folders contain more, and they are sources in place. Files with links to them are left out, because a link
 * would be broken; and private notes, which are not recorded.
 */
function wholeOriginals(
  left: readonly StillRead[],
  { root, found, links }: Pick<ReadFiles, 'root' | 'found' | 'links'>,
  used: readonly TargetSpec[],
  { disk }: WithDisk,
): Map<string, string> {
  const texts = new Map(found.map(({ path, text }) => [path, text]));
  const isWhole = (path: string) => {
    const file = recognise(path, used)?.file;
    return !/(?:^|\/)SKILL\.md$/.test(path) && (file === undefined || partOf(file) !== 'local');
  };
  const linked = new Set(links.map(path => disk.realpath(join(root, path))));
  const originals = new Map<string, string>();
  for (const { path } of left) {
    const bytes = bytesOfFile(join(root, path), { disk });
    const isRead = bytes && new TextDecoder().decode(bytes) === texts.get(path);
    const isLinked = linked.has(disk.realpath(join(root, path)));
    if (isRead && isWhole(path) && !isLinked) originals.set(path, textHash(bytes, sha256));
  }
  return originals;
}

/**
 * The tools with files of their own, in the order in which tools are proposed. A file that many tools share adds one
 * of them only when no tool with files of its own writes it.
 */
function usedTools({ found, links, specs }: ReadFiles, { report }: CompileContext): readonly TargetSpec[] {
  const matches = [...found.map(({ path }) => path), ...links].flatMap(path => {
    const match = recognise(path, specs);
    return match?.spec ? [{ path, spec: match.spec, isShared: match.shared }] : [];
  });
  const used = new Set(matches.flatMap(({ spec, isShared }) => (isShared ? [] : [spec])));
  const shared = matches.flatMap(({ path, isShared }) => (isShared ? [path] : []));
  const formOf = (path: string, spec: TargetSpec) => recognise(path, [spec])?.file;
  // Skills in the shared folder need no target of their own; a document that no target writes would be lost.
  const documents = shared.filter(path => specs.some(spec => formOf(path, spec)?.kind === 'document'));
  // The open format, otherwise the tool that writes the fewest other files: the content reaches every tool that reads
  // the file.
  const weight = ({ open, files }: TargetSpec) => (open ? 0 : Object.keys(files).length);
  for (const path of documents.length > 0 || used.size > 0 ? documents : shared.slice(0, 1)) {
    const owners = specs.filter(spec => {
      const file = formOf(path, spec);
      return file !== undefined && (file.versions?.includes(spec.defaultVersion) ?? true);
    });
    if (owners.some(spec => used.has(spec))) continue;
    // If no tool writes this old file any more, a tool that still describes it is chosen.
    const knowing = () => specs.filter(spec => formOf(path, spec)?.kind === 'document');
    const [first] = (owners.length > 0 ? owners : knowing()).sort((a, b) => weight(a) - weight(b));
    if (!first) continue;
    used.add(first);
    report(migrateSharedFile({ path, target: first.id }, { file: path }));
  }
  return specs.filter(spec => used.has(spec));
}

function configFor(used: readonly TargetSpec[], name: string, root: string, { disk }: WithDisk) {
  // A tool gets no skills when other files block their place.
  const hasSkills = ({ files }: TargetSpec) =>
    Object.values(files).every(file => {
      const dir = file.kind === 'items' && file.of === 'skills' ? (file.dir ?? '') : '';
      return dir === '' || dir.includes('{') || disk.stat(join(root, dir))?.kind !== 'file';
    });
  // Our own skill would be written to the place that is blocked for the others.
  const languageSkill = used.every(hasSkills);
  return (outputs: ReadonlyMap<string, string>, lenient: ReadonlySet<string>): string => {
    const tools = used.map(spec => {
      const output = outputs.get(spec.id);
      const options = {
        ...(output !== undefined && { output }),
        ...(!hasSkills(spec) && { includeSkills: false }),
      };
      return { id: spec.id, options };
    });
    return configText({ name, tools, languageSkill, lenient });
  };
}

const mainPath = ({ files }: TargetSpec): string | undefined =>
  Object.values(files).find(file => file.kind === 'document' && file.of === 'instructions')?.path;

function ignoringNotes(root: string, { disk }: WithDisk) {
  const path = '.gitignore';
  const bytes = bytesOfFile(join(root, path), { disk });
  const before = bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return { path, text: addIgnored(before, [localPath, localConfigPath]) };
}

/** A prompt for an assistant that writes the sources; nothing is written. */
export async function promptForMigration(
  options: MigrateOptions,
  context: CompileContext,
): Promise<MigrationPrompt | undefined> {
  const { found } = await readAll(options.files, context);
  if (found.length === 0) {
    context.report(migrateFoundNothing({}, {}));
    return undefined;
  }
  return migrationPrompt(found, languageSkill.text);
}
