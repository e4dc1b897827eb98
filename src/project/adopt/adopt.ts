import { join } from 'node:path';
import {
  migrateExists,
  migrateFoundNothing,
  migrateWouldChange,
  migrateWouldGrow,
} from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { configText } from '../../migrate/config-text.ts';
import { useOf } from '../../migrate/foreign/entry.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { UseDeclaration } from '../../syntax/ast.ts';
import { use } from '../../syntax/build.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { entryPath, markdownEntryPath } from '../../text/places.ts';
import { compileProject } from '../compile.ts';
import { detectProject } from '../init/detect.ts';
import { configPath, entryWith, stateOf } from '../move-in/planned-sources.ts';
import { configuredTargets, knownSpecs } from '../open/known-specs.ts';
import { projectRoot } from '../open/root.ts';
import type { ProjectFile } from '../project-files.ts';
import type { CompileContext, WithDisk, WithReport } from '../session/world.ts';
import { withTextLinks } from '../text-links.ts';
import { type SourceFile, writeSources } from '../write/write-sources.ts';
import type { Adoption, AdoptionAttempt, Setting } from './adoption.ts';
import { firstAttempt, nextAttempt } from './attempt.ts';
import { type Checked, checkAdoption } from './check.ts';
import { planAdoption } from './plan.ts';
import { type FoundFiles, scanProject } from './scan.ts';
import { toolsInUse } from './tools.ts';

export interface AdoptOptions {
  readonly dryRun: boolean;
  readonly files: readonly string[];
  /** Id of the project; default: detected. */
  readonly name?: string;
  /** Ids of the tools to write for; default: those in use. */
  readonly targets?: readonly string[];
  /** Git address or folder of a registry for the configuration. */
  readonly registry?: string;
  /** Errors that a compile has already are accepted. */
  readonly conflictsStay?: boolean;
}

export interface AdoptOutcome {
  readonly root: string;
  readonly adoption: Adoption;
  readonly found: FoundFiles;
  /** Errors of rules in the originals: the configuration makes them warnings. */
  readonly findings: readonly Diagnostic[];
  /** Warnings of rules about the originals. The configuration disables these rules. */
  readonly accepted: readonly Diagnostic[];
  readonly files: readonly SourceFile[];
  readonly done: boolean;
}

/** Each attempt leaves out at least one more original than the previous one. */
const mostAttempts = 50;

/**
 * Adopts the files of a project without changing them: each text becomes a source unchanged, and a compile produces
 * every file that a tool reads exactly as it is. This is verified before anything is written; originals that a
 * compile would change are left out. Returns `undefined`, after reporting, when there is nothing to adopt or a file
 * would still change.
 */
export async function adoptProject(
  options: AdoptOptions,
  context: CompileContext,
): Promise<AdoptOutcome | undefined> {
  const { root } = projectRoot(context);
  const { disk, files } = withTextLinks(root, context.disk);
  const seen = { ...context, disk };
  const setting = await prepare(options, files, seen);
  if (!setting) return undefined;
  let attempt = firstAttempt(setting);
  for (let count = 0; ; count++) {
    const trial = await runAttempt(attempt, setting, seen);
    if (!trial) return undefined;
    const next =
      count < mostAttempts ? nextAttempt(attempt, trial.adoption, trial.checked, setting) : undefined;
    if (next) attempt = next;
    else return finish(attempt, trial, setting, options.dryRun, context);
  }
}

async function prepare(
  options: AdoptOptions,
  listed: readonly ProjectFile[],
  context: CompileContext,
): Promise<Setting | undefined> {
  const { report, disk } = context;
  const { root, config } = projectRoot(context);
  const known = await knownSpecs(context, report);
  const { specs, custom, universalDir } = known;
  const found = await scanProject(root, known, options.files, context, listed);
  const used = toolsInUse(found, specs);
  const tools =
    config === undefined
      ? specs.filter(spec => options.targets?.includes(spec.id) ?? used.includes(spec))
      : await configuredTargets({ specs, custom }, context);
  if (!tools) return undefined;
  if (found.files.length + found.skills.length === 0 || tools.length === 0) {
    report(migrateFoundNothing({}, {}));
    return undefined;
  }
  const reads = (spec: TargetSpec) =>
    [...found.files, ...found.skills].some(({ roles }) => roles.some(role => role.spec === spec));
  return {
    root,
    disk,
    found,
    specs,
    tools,
    universalDir,
    name: options.name ?? (await detectProject(disk, root)).name,
    registry: options.registry,
    isNew: config === undefined,
    conflictsStay: options.conflictsStay === true,
    mayDropTools: options.targets === undefined,
    // Tools that the user named, and that read none of the existing files, get new files.
    added: options.targets === undefined ? [] : tools.filter(spec => !reads(spec)),
    before: config === undefined ? new Map() : await entriesNow(context),
  };
}

interface Trial {
  readonly adoption: Adoption;
  readonly files: readonly SourceFile[];
  readonly checked: Checked;
}

/**
 * Plans the sources and compiles them without writing. Returns `undefined`, after reporting, when an existing file
 * blocks the plan.
 */
async function runAttempt(
  attempt: AdoptionAttempt,
  setting: Setting,
  context: CompileContext,
): Promise<Trial | undefined> {
  const { root, name, isNew } = setting;
  const all = await planAdoption({ ...setting, ...attempt });
  const adoption = (attempt.asOneText ? asSingleEntry(all, root, context) : undefined) ?? all;
  const config = isNew ? configOf(adoption, attempt, setting) : undefined;
  const files = allFiles(adoption, name, root, config, context);
  if (!files) return undefined;
  const taken = files.find(file => file.path !== entryPath && stateOf(file, root, context) === 'changed');
  if (taken) {
    context.report(migrateExists({ path: taken.path }, { file: taken.path }));
    return undefined;
  }
  context.progress('Checking that nothing would change');
  return { adoption, files, checked: await checkAdoption(adoption, files, setting, context) };
}

/**
 * The only text of a project as its entry: if every tool gets it at its default path, a text and a configuration are
 * sufficient. `undefined` when several texts, or blocks, must be named.
 */
function asSingleEntry(adoption: Adoption, root: string, { disk }: WithDisk): Adoption | undefined {
  const [document, ...more] = adoption.documents;
  if (!document || more.length + adoption.references.length > 0) return undefined;
  const isForAll = adoption.targets.every(({ spec }) => document.targets.includes(spec));
  const isPlain = !/^(?:\ufeff|---)/.test(document.text);
  if (!isForAll || !isPlain || disk.lstat(join(root, entryPath)) !== undefined) return undefined;
  const renamed = (path: string) => (path === document.source ? markdownEntryPath : path);
  return {
    ...adoption,
    isOneText: true,
    documents: [{ ...document, source: markdownEntryPath }],
    sources: adoption.sources.map(source => ({ ...source, path: renamed(source.path) })),
    adopted: adoption.adopted.map(one => ({ ...one, source: renamed(one.source) })),
  };
}

/** Sources, entry and configuration. Returns `undefined`, after reporting, when an existing entry cannot be read. */
function allFiles(
  adoption: Adoption,
  name: string,
  root: string,
  config: string | undefined,
  context: WithDisk & WithReport,
): readonly SourceFile[] | undefined {
  const entry = adoption.isOneText ? [] : entryWith(referencesOf(adoption), name, root, context);
  const configuration = config === undefined ? [] : { path: configPath, text: config };
  return entry && [...adoption.sources, entry, configuration].flat();
}

const referencesOf = ({ documents, targets, references }: Adoption): UseDeclaration[] => [
  ...documents.flatMap(({ source, places, targets: readers }) =>
    places.map(into =>
      use(`./${source.replace(/^\.instr\//, '')}`, {
        into,
        ...(readers.length < targets.length && { targets: readers.map(({ id }) => id) }),
      }),
    ),
  ),
  ...references.map(useOf),
];

const configOf = (
  { targets }: Adoption,
  { universalDir, lenient }: AdoptionAttempt,
  { name, universalDir: usual, registry }: Setting,
  accepted?: ReadonlySet<string>,
): string =>
  configText({
    name,
    tools: targets.map(({ spec, skills, options = new Map<string, string>() }) => ({
      id: spec.id,
      options: {
        ...Object.fromEntries(options),
        ...(skills && { includeSkills: skills.length > 0 && skills }),
      },
    })),
    // The tools keep the skills that they had.
    languageSkill: false,
    discovers: universalDir === usual,
    registry,
    lenient,
    ...(accepted && { accepted }),
  });

/** A credential is never accepted: it stays in the Git history until its issuer replaces it. */
const neverAccepted = 'secret-literal';

async function finish(
  attempt: AdoptionAttempt,
  { adoption, files, checked }: Trial,
  setting: Setting,
  dryRun: boolean,
  context: CompileContext,
): Promise<AdoptOutcome | undefined> {
  const { report } = context;
  const { root, found } = setting;
  const [change] = checked.changed;
  const [excluded] = checked.excluded.keys();
  const wrong = new Set([...checked.errors, ...checked.ruled, ...checked.broken]);
  if (change || excluded !== undefined || wrong.size > 0) {
    wrong.forEach(report);
    const { path, reason } = change ?? {
      path: excluded ?? 'The project',
      reason: 'its sources have errors',
    };
    report(migrateWouldChange({ path, reason }, change ? { file: path } : {}));
    return undefined;
  }
  // If existing files block a compile already, the adoption is not the only cause of a larger load.
  if (checked.grown && !setting.conflictsStay) {
    report(migrateWouldGrow(checked.grown, { file: checked.grown.path }));
    return undefined;
  }
  const accepted = setting.isNew
    ? checked.warned.filter(({ rule }) => rule !== neverAccepted && !attempt.lenient.has(rule!))
    : [];
  const rules = new Set(accepted.map(({ rule }) => rule!));
  const config = configOf(adoption, attempt, setting, rules);
  const work = files
    .map(file => (file.path === configPath ? { ...file, text: config } : file))
    .filter(file => stateOf(file, root, context) !== 'unchanged');
  if (!dryRun && !(await writeSources(root, work, context))) return undefined;
  const { findings } = attempt;
  return { root, adoption, found, findings, accepted, files: work, done: work.length === 0 };
}

async function entriesNow(context: CompileContext): Promise<ReadonlyMap<string, PlanEntry>> {
  const compiled = await compileProject(
    { mode: 'plan' },
    { ...context, report: () => {}, progress: () => {} },
  );
  return new Map(typeof compiled === 'string' ? [] : compiled.entries.map(entry => [entry.path, entry]));
}
