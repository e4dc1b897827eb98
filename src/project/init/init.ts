import { join } from 'node:path';
import { alreadyInitialised, invalidProjectName, registryAddressWrong } from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { configText } from '../../migrate/config-text.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { entryPath, localConfigPath, localPath } from '../../text/places.ts';
import { instructionPaths, scanProject } from '../adopt/scan.ts';
import { toolsInUse } from '../adopt/tools.ts';
import { foreignSourceOf, planConversion } from '../move-in/foreign.ts';
import { bytesOfFile, stateOf } from '../move-in/planned-sources.ts';
import { type Known, knownSpecs } from '../open/known-specs.ts';
import { targetNamed } from '../open/targets.ts';
import type { CompileContext, InDirectory, WithDisk, WithReport } from '../session/world.ts';
import { openState, readRun } from '../write/state.ts';
import { recoverProject } from '../write/write.ts';
import { writeSources } from '../write/write-sources.ts';
import { type Detected, detectProject, isProjectName } from './detect.ts';
import { entryText, languageSkill, type ProjectFacts } from './init-texts.ts';

export interface InitAnswers extends ProjectFacts {
  readonly existing: Existing;
}

/** Why a registry cannot be written down like this; nothing when it can, or when there is none. */
export function registryProblem(address: string): string | undefined {
  if (/^-|\s/.test(address.trim()))
    return 'Give an address such as https://github.com/acme/instructions, or a folder.';
  return /^[a-z+]+:\/\/[^/]*:[^/]*@/i.test(address)
    ? 'Leave the password out: name it with `tokenEnvVar` later.'
    : undefined;
}

/**
 * `keep`: the project moves in, and every text stays as it is. `convert`: sources of another compiler become ours.
 * `leave`: they stay until somebody decides.
 */
export type Existing = 'keep' | 'convert' | 'leave';

export interface Suggestion extends Detected {
  readonly registry?: string;
  /** Ids of the tools in use, or of those to start with when there is no trace of any. */
  readonly targets: readonly string[];
  readonly found: boolean;
  readonly compiler?: string;
  /** Instruction files of any tool that are there already, sorted, and that a migration takes; no settings. */
  readonly instructions: readonly string[];
}

export interface InitFile {
  readonly path: string;
  readonly state: 'new' | 'changed' | 'unchanged';
  readonly content: string;
}

const configPaths = ['instr.yaml', 'instr.yml'];
const ignorePath = '.gitignore';

/** The list of tools begins with those that are most in use: so many are proposed when nothing else is known. */
const starters = 3;

/** The tools to choose from. Specs of the project count too; nothing can be begun with one that is broken. */
export async function specsToChoose(context: CompileContext): Promise<Known | undefined> {
  const { report, failed } = watchErrors(context.report);
  const known = await knownSpecs(context, report);
  return failed() ? undefined : known;
}

/** What becomes of what is there, unless somebody decides otherwise. */
export const proposedFor = ({ compiler, instructions }: Suggestion): Existing =>
  compiler !== undefined ? 'convert' : instructions.length > 0 ? 'keep' : 'leave';

/** What can be known about the project in the directory without asking. */
export async function suggestAnswers(known: Known, context: CompileContext): Promise<Suggestion> {
  const { disk, cwd } = context;
  const other = await otherCompiler(context);
  if (other) return { ...(await detectProject(disk, cwd)), ...other, found: true, instructions: [] };
  const scan = await scanProject(cwd, known, [], context);
  const used = toolsInUse(scan, known.specs);
  const targets = used.length > 0 ? used : known.specs.slice(0, starters);
  // A project that has its configuration is not moved in a second time.
  const isNew = [...configPaths, entryPath].every(path => disk.lstat(join(cwd, path)) === undefined);
  return {
    ...(await detectProject(disk, cwd)),
    targets: targets.map(({ id }) => id),
    found: used.length > 0,
    instructions: isNew ? instructionPaths(scan) : [],
  };
}

async function otherCompiler(
  context: CompileContext,
): Promise<{ readonly compiler: string; readonly targets: readonly string[] } | undefined> {
  const source = await foreignSourceOf(context);
  if (!source) return undefined;
  const { targets } = await planConversion(source, context);
  return { compiler: source.title, targets };
}

/**
 * Names of targets as ids, in the order given, each once. A name that is none is reported; then the result is
 * `undefined`.
 */
export function readTargetNames(
  lists: readonly string[],
  { custom }: Known,
  { report }: WithReport,
): readonly string[] | undefined {
  const names = lists.flatMap(list => list.split(',')).map(part => part.trim());
  const targets = names.filter(name => name !== '').map(name => targetNamed(name, custom, report));
  return targets.includes(undefined) ? undefined : [...new Set(targets.map(target => target!.spec.id))];
}

/** Whether a project can be started here; a configuration or entry file that exists already is reported. */
export function mayInit(force: boolean, { disk, cwd, report }: WithDisk & InDirectory & WithReport): boolean {
  if (force) return true;
  const taken = [...configPaths, entryPath].filter(path => disk.lstat(join(cwd, path)) !== undefined);
  for (const path of taken) report(alreadyInitialised({ path }, { file: path }));
  return taken.length === 0;
}

/** Whether a project may have this name and this registry; what is wrong is reported. */
export function mayAnswer(answers: Pick<InitAnswers, 'name' | 'registry'>, { report }: WithReport): boolean {
  if (!isProjectName(answers.name)) {
    report(invalidProjectName({ name: answers.name }, {}));
    return false;
  }
  const problem = answers.registry === undefined ? undefined : registryProblem(answers.registry);
  if (problem !== undefined) {
    report(registryAddressWrong({ address: answers.registry!, advice: problem }));
    return false;
  }
  return true;
}

/**
 * The files of a new project, compared with what is there. A name that cannot be an id is reported; then nothing may
 * be written and the result is `undefined`.
 */
export function planInit(
  answers: InitAnswers,
  specs: readonly TargetSpec[],
  context: CompileContext,
): readonly InitFile[] | undefined {
  const { disk, cwd } = context;
  if (!mayAnswer(answers, context)) return undefined;
  const planned = (path: string, content: string): InitFile => ({
    path,
    content,
    state: stateOf({ path, text: content }, cwd, context),
  });
  const present = (path: string) => disk.lstat(join(cwd, path)) !== undefined;
  const configPath = configPaths.find(present) ?? configPaths[0]!;
  const used = specs.filter(({ id }) => answers.targets.includes(id));
  const skill = planned(languageSkill.path, languageSkill.content);
  const ignored = [localPath, localConfigPath, '.instr/.state/', ...used.flatMap(localPaths)];
  const bytes = bytesOfFile(join(cwd, ignorePath), context);
  return [
    planned(configPath, configText({ ...answers, tools: answers.targets.map(id => ({ id })) })),
    planned(entryPath, entryText(answers)),
    // A skill that is there may be edited.
    skill.state === 'changed' ? { ...skill, state: 'unchanged' } : skill,
    planned(ignorePath, addIgnored(bytes && decoder.decode(bytes), ignored)),
  ];
}

/** Files of a target that hold private notes; a path with placeholders is written as a pattern. */
function localPaths(spec: TargetSpec): string[] {
  return Object.values(spec.files).flatMap(file =>
    (file.kind === 'document' && file.of === 'local') || (file.kind === 'settings' && file.private)
      ? [file.path.replace(/\{[^}]*\}/g, '*')]
      : [],
  );
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of a `.gitignore` with the lines that are missing added at the end; what is there stays as it is. */
export function addIgnored(before: string | undefined, wanted: readonly string[]): string {
  const lines = new Set((before ?? '').split(/\r?\n/).map(line => line.trim()));
  const missing = [...new Set(wanted)].filter(line => !lines.has(line) && !lines.has(`/${line}`));
  if (missing.length === 0) return before ?? '';
  const end = before?.includes('\r\n') ? '\r\n' : '\n';
  const glue = !before ? '' : before.endsWith('\n') ? end : end + end;
  const added = ['# Private notes and backups of prs', ...missing].map(line => line + end).join('');
  return (before ?? '') + glue + added;
}

/** Writes what is new or changed, in one run that `prs undo` takes back. `false`: a report says why nothing was. */
export async function writeInit(files: readonly InitFile[], context: CompileContext): Promise<boolean> {
  const work = files.filter(({ state }) => state !== 'unchanged');
  const sources = work.map(({ path, state, content }) => ({
    path,
    text: content,
    isNew: state === 'new',
    // Lines that are added to a file replace nothing in it.
    needsBackup: state === 'changed' && path !== ignorePath,
  }));
  return writeSources(context.cwd, sources, context);
}

/**
 * Brings what an interrupted run left here to one state before anybody looks for files that exist. `finished`: that
 * run was an `init`, and the project now is there.
 */
export async function recoverInit(
  mode: 'write' | 'plan',
  context: CompileContext,
): Promise<{ readonly context: CompileContext; readonly finished: boolean }> {
  const { disk, cwd, report } = context;
  const state = openState(cwd, disk);
  const pending = readRun(state, state.journal);
  const settled = await recoverProject(cwd, mode, disk, report);
  const begun = pending?.undoes === undefined ? (pending?.steps ?? []) : [];
  const finished = begun.some(
    ({ path, state }) => configPaths.includes(path) && state === 'new' && settled.lstat(join(cwd, path)),
  );
  return { context: { ...context, disk: settled }, finished };
}
