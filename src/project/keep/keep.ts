import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import {
  migrateExists,
  migrateFoundNothing,
  migrateWouldChange,
  migrateWouldGrow,
} from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import { configText } from '../../migrate/config-text.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { Compiling } from '../../session/world.ts';
import { entryPath, isMarkdownPath } from '../../text/places.ts';
import { compileProject } from '../compile.ts';
import { detectProject } from '../init/detect.ts';
import { configuredTargets } from '../open/configured-targets.ts';
import { knownSpecs } from '../open/known-specs.ts';
import { projectRoot } from '../open/root.ts';
import { type SourceFile, writeSources } from '../write/write-sources.ts';
import { type Checked, checkKeeping } from './check-keeping.ts';
import { allFiles, asOneText, differs, isThere } from './files.ts';
import type { FoundFiles } from './find-files.ts';
import { findProject } from './find-project.ts';
import type { Keeping, Kept } from './keeping.ts';
import { planKeeping } from './plan-keeping.ts';
import { configuredTools } from './texts.ts';
import { toolsInUse } from './tools.ts';

/** How a project moves in by keeping its texts. */
export interface KeepOptions {
  readonly dryRun: boolean;
  /** Globs that narrow the files. */
  readonly files: readonly string[];
  /** Id of the project; otherwise it is detected. */
  readonly name?: string;
  /** Ids of the tools to write for; otherwise those in use. */
  readonly targets?: readonly string[];
  /** Git address or folder of a registry for the configuration. */
  readonly registry?: string;
}

/** The outcome of moving in by keeping. */
export interface KeepOutcome {
  readonly root: string;
  readonly keeping: Keeping;
  readonly found: FoundFiles;
  /** What rules find wrong with the originals; it is a warning from now on, until it is mended. */
  readonly findings: readonly Diagnostic[];
  /** What is written, or would be. */
  readonly files: readonly SourceFile[];
  /** Everything is there already. */
  readonly done: boolean;
}

/** So often originals can be left out one after the other; each round leaves at least one out. */
const mostRounds = 50;

/**
 * Moves a project in by keeping: every text goes into a source as it is, and a compile finds each file that a tool
 * reads as it stands. That is tried before anything is written; originals that would come out otherwise stay where
 * they are. `undefined` after reporting when there is nothing to take, or when a file would change all the same.
 */
export async function keepProject(
  options: KeepOptions,
  context: Compiling,
): Promise<KeepOutcome | undefined> {
  const { report, disk } = context;
  const place = projectRoot(context);
  const { root } = place;
  const known = await knownSpecs(context, report);
  const { specs, custom, universalDir } = known;
  const { found, used } = findProject(root, known, options.files, context);
  const chosen =
    place.config === undefined
      ? specs.filter(spec => options.targets?.includes(spec.id) ?? used.includes(spec))
      : await configuredTargets({ specs, custom }, context);
  if (!chosen) return undefined;
  if (found.files.length + found.skills.length === 0 || chosen.length === 0) {
    report(migrateFoundNothing({}, {}));
    return undefined;
  }
  // Tools that were asked for and read nothing of what is there: they get what the others have, in files of their own.
  const added = options.targets === undefined ? [] : chosen.filter(spec => !readsAny(spec, found));
  const name = options.name ?? (await detectProject(disk, root)).name;
  const before = place.config === undefined ? new Map() : await entriesNow(context);
  const refused = new Map<string, string>();
  const placed = new Set<string>();
  const apart = new Set<string>();
  const planned = new Map<string, string>();
  const dropped = new Map<TargetSpec, string>();
  const quiet = new Map<TargetSpec, string>();
  let tools: readonly TargetSpec[] = chosen;
  let shared = universalDir;
  let mayBeOne = true;
  const lenient = new Set<string>();
  const findings: Diagnostic[] = [];
  for (let round = 0; ; round++) {
    const input = {
      root,
      disk,
      found,
      specs: tools,
      added,
      universalDir: shared,
      dropped,
      quiet,
    };
    const all = await planKeeping(input, { refused, placed, apart, planned });
    const simple = mayBeOne ? asOneText(all, root, context) : undefined;
    const keeping = simple ?? all;
    const config =
      place.config === undefined
        ? configText({
            name,
            tools: configuredTools(keeping),
            // The tools have the skills that they had.
            languageSkill: false,
            discovers: shared === universalDir,
            registry: options.registry,
            lenient,
          })
        : undefined;
    const files = await allFiles(keeping, name, root, config, context);
    if (!files) return undefined;
    const taken = files.find(file => file.path !== entryPath && differs(file, root, context));
    if (taken) {
      report(migrateExists({ path: taken.path }, { file: taken.path }));
      return undefined;
    }
    context.progress('Checking that nothing would change');
    const checked = await checkKeeping({ keeping, files, root, before, added, found }, context);
    if (simple && isAboutText(checked, simple)) {
      // The usual places are not those in which the text stands: the entry has to name them.
      mayBeOne = false;
      refused.clear();
      placed.clear();
      continue;
    }
    if (checked.ruled.length > 0 && place.config === undefined && round < mostRounds) {
      findings.push(...checked.ruled);
      for (const { rule } of checked.ruled) lenient.add(rule!);
      continue;
    }
    const isFound = ({ path, source }: Kept) => path === source && checked.refused.has(path);
    if (shared !== undefined && round < mostRounds && keeping.kept.some(isFound)) {
      // What lies there has errors as a source. The tools that read it there go on doing so.
      shared = undefined;
      for (const learned of [refused, placed, apart, lenient, planned]) learned.clear();
      findings.length = 0;
      mayBeOne = true;
      continue;
    }
    const fresh = [...checked.refused].filter(([path]) => !refused.has(path));
    for (const [path, reason] of fresh) {
      const written = planned.has(path) ? undefined : checked.planned.get(path);
      if (keeping.united.has(path)) apart.add(path);
      else if (written !== undefined) planned.set(path, written);
      else if (keeping.free.has(path)) placed.add(path);
      else refused.set(path, reason);
    }
    if (fresh.length > 0 && round < mostRounds) {
      // What rules found may have been about what is left out now.
      lenient.clear();
      findings.length = 0;
      continue;
    }
    const [change] = checked.changed;
    if (change && place.config === undefined && round < mostRounds) {
      const alone = shared !== undefined && holdsCommands(join(root, shared), disk);
      const tool = options.targets === undefined && !alone ? toolOfAlone(checked, tools) : undefined;
      const option = tool && !quiet.has(tool.spec) ? switchOf(tool.spec, change.path) : undefined;
      if (tool && option !== undefined) quiet.set(tool.spec, option);
      else if (tool) dropped.set(tool.spec, tool.reason);
      const others = tool
        ? toolsInUse(
            found,
            specs.filter(spec => !dropped.has(spec)),
          )
        : tools;
      if ((alone || tool) && others.length > 0) {
        if (alone) shared = undefined;
        tools = others;
        for (const learned of [refused, placed, lenient, planned]) learned.clear();
        findings.length = 0;
        mayBeOne = true;
        continue;
      }
    }
    const wrong = new Set([...checked.errors, ...checked.ruled, ...checked.broken]);
    if (change || wrong.size > 0 || fresh.length > 0) {
      wrong.forEach(report);
      const { path, reason } = change ?? {
        path: fresh[0]?.[0] ?? 'The project',
        reason: 'its sources have errors',
      };
      report(migrateWouldChange({ path, reason }, change ? { file: path } : {}));
      return undefined;
    }
    if (checked.grown) {
      report(migrateWouldGrow(checked.grown, { file: checked.grown.path }));
      return undefined;
    }
    const work = files.filter(file => !isThere(file, root, context));
    if (!options.dryRun && !(await writeSources(root, work, context))) return undefined;
    return { root, keeping, found, findings, files: work, done: work.length === 0 };
  }
}

/** Whether what is wrong is about the one text that all tools get, or about nothing that can be named. */
const isAboutText = ({ refused, changed, errors, linked }: Checked, { documents }: Keeping): boolean =>
  changed.length + errors.length > 0 ||
  (linked && refused.size === 0) ||
  documents.some(({ places }) => places.some(path => refused.has(path)));

/** Commands in the shared folder are found there for every tool, and those that did not have them would get new files. */
const holdsCommands = (folder: string, { list }: Disk): boolean =>
  (list(join(folder, 'commands')) ?? []).some(({ name }) => isMarkdownPath(name));

/** An option of a tool by which it does without a settings file: what the owner has set there is enough. */
function switchOf({ files, options }: TargetSpec, path: string): string | undefined {
  const file = Object.values(files).find(one => one.kind === 'settings' && one.path === path);
  const name = file?.when?.option;
  const option = name === undefined ? undefined : options?.[name];
  return typeof option === 'object' && option.type === 'boolean' ? name : undefined;
}

/** A tool whose own file would change for no text of the project: settings that the owner made otherwise. */
function toolOfAlone(
  { changed }: Checked,
  specs: readonly TargetSpec[],
): { readonly spec: TargetSpec; readonly reason: string } | undefined {
  for (const { path, reason, targets } of changed) {
    const spec = targets.length === 1 ? specs.find(({ id }) => id === targets[0]) : undefined;
    if (spec) return { spec, reason: `${spec.title} is left out: ${path} would change (${reason})` };
  }
  return undefined;
}

const readsAny = (spec: TargetSpec, { files, skills }: FoundFiles): boolean =>
  [...files, ...skills].some(({ roles }) => roles.some(role => role.spec === spec));

/** What a compile would do now. */
async function entriesNow(context: Compiling): Promise<ReadonlyMap<string, PlanEntry>> {
  const compiled = await compileProject(
    { mode: 'plan' },
    { ...context, report: () => {}, progress: () => {} },
  );
  return new Map(typeof compiled === 'string' ? [] : compiled.entries.map(entry => [entry.path, entry]));
}
