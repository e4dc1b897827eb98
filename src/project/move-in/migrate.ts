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
import { recognise } from '../../import/recognise.ts';
import { loadsPath, takesMain } from '../../load/load.ts';
import { configText } from '../../migrate/config-text.ts';
import { addUse } from '../../migrate/entry.ts';
import {
  type ImportedFile,
  type Migration,
  migratedReference,
  planMigration,
} from '../../migrate/migration.ts';
import { type MigrationPrompt, migrationPrompt, type PromptFile } from '../../migrate/prompt.ts';
import { takeoverSteps } from '../../migrate/takeover.ts';
import { textHash } from '../../plan/canonical.ts';
import type { Manifest } from '../../plan/manifest.ts';
import type { Compiling, WithDisk, WithReport } from '../../session/world.ts';
import { partOf } from '../../spec/spec.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { entryPath, localPath } from '../../text/places.ts';
import { newestSyntax } from '../../text/version.ts';
import { detectProject } from '../init/detect.ts';
import { addIgnored } from '../init/init.ts';
import { configuredTargets } from '../open/configured-targets.ts';
import { plannedPaths, tryFiles } from '../try-files.ts';
import { writeSources } from '../write/write-sources.ts';
import { type Beside, unreplaced } from './beside.ts';
import { isStructured, readAll } from './read-all.ts';
import { type FoundPaths, readersIn } from './readers.ts';

/** How a project is migrated into blocks. */
export interface MigrateOptions {
  readonly dryRun: boolean;
  /** Globs that narrow the files. */
  readonly files: readonly string[];
}

/** A source that a migration writes. */
export interface WrittenFile {
  readonly path: string;
  readonly state: 'new' | 'changed' | 'unchanged';
  readonly text: string;
}

/** The outcome of a migration into blocks. */
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
  const { root, config, found, specs, custom, links, inner, universalDir } = await readAll(options, context);
  if (found.length === 0) {
    report(migrateFoundNothing({}, {}));
    return undefined;
  }
  const targets =
    config === undefined
      ? targetsOf(found, links, specs, report)
      : (await configuredTargets({ specs, custom }, context))?.map(({ id }) => id);
  if (!targets) return undefined;
  const used = specs.filter(({ id }) => targets.includes(id));
  const readers = readersIn({ root, found, links }, used, context);
  const plan = (apart: ReadonlyMap<string, 'pinned' | 'stays'> = new Map()) =>
    planMigration(
      found.map(file => {
        const how = apart.get(file.path);
        return { ...file, ...readers(file), ...(how && { [how]: true }) };
      }),
      universalDir,
    );
  const project = { root, config, used, links };
  let migration = plan();
  let made = await makeFiles(migration, found, project, context);
  const mainsBeside = made.beside.filter(({ isMain }) => isMain);
  if (mainsBeside.length > 0) {
    const paths = new Set([...found.map(({ path }) => path), ...links]);
    const other = plan(new Map(mainsBeside.map(({ path }) => [path, placeOf(path, paths, used)])));
    const otherMade = await makeFiles(other, found, project, context);
    // Only what then comes out in its place is gained.
    if (otherMade.beside.length < made.beside.length) [migration, made] = [other, otherMade];
  }
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
  const { files, beside, taken } = made;
  if (made.hasOtherNotes) report(migrateNotesLeft({ path: localPath }, { file: localPath }));
  if (taken !== undefined) {
    report(migratedExists({ path: taken }, { file: taken }));
    return undefined;
  }
  const work = files.filter(({ state }) => state !== 'unchanged');
  const removable = new Set(made.originals.keys());
  const record = (manifest: Manifest): Manifest => ({
    ...manifest,
    originals: new Map([...manifest.originals, ...made.originals]),
  });
  if (!options.dryRun && !(await writeSources(root, work, context, record))) return undefined;
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
      beside.map(({ path, tools }) => ({ path, tools, removable: removable.has(path) })),
      { inner, staying: migration.staying },
    ),
  };
}

/**
 * What becomes of a main file that no block comes out in the place of. A tool that reads another one for the whole
 * project too would get all that is sorted twice with it.
 */
function placeOf(path: string, paths: ReadonlySet<string>, used: readonly TargetSpec[]): 'pinned' | 'stays' {
  const isRoot = recognise(path, used)?.scope === '';
  const has = (other: string) => paths.has(other);
  const others = [...paths].filter(other => other !== path && recognise(other, used)?.scope === '');
  const twice = (spec: TargetSpec) =>
    takesMain(spec, path, has) && others.some(other => loadsPath(spec, other, has));
  return isRoot && used.some(twice) ? 'stays' : 'pinned';
}

interface MadeFiles {
  readonly files: readonly WrittenFile[];
  /** Files that nothing replaces. */
  readonly beside: readonly Beside[];
  /** Those of them whose whole text is in the sources, with the hash of what was read. */
  readonly originals: ReadonlyMap<string, string>;
  /** A source of an earlier migration that says something else. */
  readonly taken?: string;
  /** Private notes are there already and stay. */
  readonly hasOtherNotes: boolean;
}

/** Everything that a migration writes, and what a compile of it leaves beside. */
async function makeFiles(
  migration: Migration,
  found: readonly ImportedFile[],
  {
    root,
    config,
    used,
    links,
  }: {
    root: string;
    config: string | undefined;
    used: readonly TargetSpec[];
    links: readonly string[];
  },
  context: Compiling,
): Promise<MadeFiles> {
  const all = migration.files.map(file => compare(file.path, file.text, root, context));
  const notes = all.find(({ path, state }) => path === localPath && state !== 'changed');
  const sources = all.filter(file => file.path !== localPath || file === notes);
  const taken = sources.find(({ state }) => state === 'changed')?.path;
  const hasOtherNotes = sources.length < all.length;
  const apart = new Set([...migration.pointers, ...migration.staying, ...migration.sourcesInPlace]);
  const mains = found.map(({ path }) => path).filter(path => !apart.has(path));
  const files = [
    ...sources,
    ...(await projectFiles(root, config, { used, sources, mains }, context)),
    ...(notes ? [ignoreNotes(root, context)] : []),
  ];
  // In a structured file with entries all else is the user's; one of a single item is read like a text.
  const isOwn = (path: string) => !isStructured(path) || recognise(path, used)?.file?.kind === 'items';
  const others = found.filter(({ path }) => isOwn(path) && mains.includes(path));
  const { planned } = await tryOut(files, root, context);
  const beside = unreplaced(others, planned, used, root, context);
  const staying = links.filter(path => !planned.has(path));
  const originals = wholeOriginals(beside, { root, found, links: staying }, used, context);
  return { files, beside, originals, hasOtherNotes, ...(taken !== undefined && { taken }) };
}

/**
 * Files that may go once they are compiled, because all that they say is in the sources. Of skills that cannot be said:
 * their folders hold more, and are sources where they lie. A link to one would lead nowhere. Private notes are nobody's to record.
 */
function wholeOriginals(
  beside: readonly Beside[],
  { root, found, links }: FoundPaths,
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
  for (const { path } of beside) {
    const bytes = bytesOf(join(root, path), disk);
    const isRead = bytes && new TextDecoder().decode(bytes) === texts.get(path);
    const isLinked = linked.has(disk.realpath(join(root, path)));
    if (isRead && isWhole(path) && !isLinked) originals.set(path, textHash(bytes, sha256));
  }
  return originals;
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
  const documents = shared.filter(path =>
    specs.some(spec => recognise(path, [spec])?.file?.kind === 'document'),
  );
  for (const path of documents.length > 0 || used.size > 0 ? documents : shared.slice(0, 1)) {
    const owns = (spec: TargetSpec) => {
      const file = recognise(path, [spec])?.file;
      return file !== undefined && (file.versions?.includes(spec.defaultVersion) ?? true);
    };
    if (specs.some(spec => used.has(spec.id) && owns(spec))) continue;
    // The open format, else the one that writes least beside it: whoever reads the file, what is in it reaches them.
    const weight = ({ open, files }: TargetSpec) => (open ? 0 : Object.keys(files).length);
    const owners = specs.filter(owns);
    // Nobody writes a file of old any more; who still has a form for it is the next to ask.
    const knows = (spec: TargetSpec) => recognise(path, [spec])?.file?.kind === 'document';
    const [first] = (owners.length > 0 ? owners : specs.filter(knows)).sort((a, b) => weight(a) - weight(b));
    if (!first) continue;
    used.add(first.id);
    report(migrateSharedFile({ path, target: first.id }, { file: path }));
  }
  return specs.filter(({ id }) => used.has(id)).map(({ id }) => id);
}

interface Configuring {
  /** The tools that are written for. */
  readonly used: readonly TargetSpec[];
  readonly sources: readonly WrittenFile[];
  /** Files with texts of their own: where no compile wrote them, a tool would go on reading them as they are. */
  readonly mains: readonly string[];
}

/** The entry with its `@use`, and a configuration when there is none. */
async function projectFiles(
  root: string,
  config: string | undefined,
  { used, sources, mains }: Configuring,
  context: Compiling,
): Promise<WrittenFile[]> {
  const { disk } = context;
  const { name } = await detectProject(disk, root);
  const files: WrittenFile[] = [];
  const bytes = bytesOf(join(root, entryPath), disk);
  const source = bytes && decodeSource(entryPath, bytes, context.report);
  if (!bytes || source) {
    const text = source
      ? addUse(parseDocument(source, context.report), migratedReference, { apart: true })
      : `@meta {\n  id: ${JSON.stringify(name)}\n  syntax: ${JSON.stringify(newestSyntax)}\n}\n\n@use ${migratedReference}\n`;
    files.push(compare(entryPath, text, root, context));
  }
  if (config !== undefined) return files;
  const optionsOf = (spec: TargetSpec, output?: string) => ({
    ...(output !== undefined && { output }),
    ...(!hasSkills(spec, root, disk) && { includeSkills: false }),
  });
  // Our own skill would go where the others cannot.
  const languageSkill = used.every(spec => hasSkills(spec, root, disk));
  const make = (outputs: ReadonlyMap<string, string>, lenient: ReadonlySet<string>) => {
    const tools = used.map(spec => ({ id: spec.id, options: optionsOf(spec, outputs.get(spec.id)) }));
    return compare('instr.yaml', configText({ name, tools, languageSkill, lenient }), root, context);
  };
  const none = new Set<string>();
  const tried = await tryOut([...sources, ...files, make(new Map(), none)], root, context);
  const outputs = new Map(
    used.flatMap(spec => {
      const own = mains.find(path => path === mainPath(spec) && !tried.planned.has(path));
      return own === undefined ? [] : [[spec.id, own] as const];
    }),
  );
  return [make(outputs, tried.rules), ...files];
}

/** The main file that a spec writes. */
const mainPath = ({ files }: TargetSpec): string | undefined =>
  Object.values(files).find(file => file.kind === 'document' && file.of === 'instructions')?.path;

/** What a compile would write, and the rules that texts which were there before do not keep. */
async function tryOut(
  files: readonly WrittenFile[],
  root: string,
  context: Compiling,
): Promise<{ readonly planned: ReadonlySet<string>; readonly rules: ReadonlySet<string> }> {
  const tried = await tryFiles(files, root, context);
  const rules = tried.findings.flatMap(({ severity, rule }) =>
    severity === 'error' && rule !== undefined ? [rule] : [],
  );
  return { planned: plannedPaths(tried), rules: new Set(rules) };
}

/** A tool gets no skills where something else lies in their place. */
function hasSkills({ files }: TargetSpec, root: string, disk: WithDisk['disk']): boolean {
  const dirs = Object.values(files).flatMap(file =>
    file.kind === 'items' && file.of === 'skills' ? [file.dir ?? ''] : [],
  );
  return dirs.every(dir => dir === '' || dir.includes('{') || disk.stat(join(root, dir))?.kind !== 'file');
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
