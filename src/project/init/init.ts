import { join } from 'node:path';
import { alreadyInitialised, invalidProjectName, registryAddressWrong } from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { configText } from '../../migrate/config-text.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { configNames, entryPath, localConfigPath, localPath } from '../../text/places.ts';
import { instructionPaths, scanProject } from '../adopt/scan.ts';
import { toolsInUse } from '../adopt/tools.ts';
import { foreignSourceOf } from '../move-in/foreign.ts';
import { bytesOfFile, stateOf } from '../move-in/planned-sources.ts';
import { type Known, knownSpecs } from '../open/known-specs.ts';
import type { CompileContext, InDirectory, WithDisk, WithReport } from '../session/world.ts';
import { withTextLinks } from '../text-links.ts';
import { writeSources } from '../write/write-sources.ts';
import { type Detected, detectProject, isProjectName } from './detect.ts';
import { entryText, languageSkill, type ProjectFacts } from './init-texts.ts';

export interface InitAnswers extends ProjectFacts {
  readonly existing: Existing;
}

/** Why a registry address cannot be used; `undefined` if it can. */
export function registryProblem(address: string): string | undefined {
  if (/^-|\s/.test(address.trim()))
    return 'Give an address such as https://github.com/acme/instructions, or a folder.';
  return /^[a-z+]+:\/\/[^/]*:[^/]*@/i.test(address)
    ? 'Leave the password out: name it with `tokenEnvVar` later.'
    : undefined;
}

/**
 * `keep`: adopt existing files without changing their texts. `convert`: convert the sources of another compiler.
 * `leave`: leave them.
 */
export type Existing = 'keep' | 'convert' | 'leave';

export interface Suggestion extends Detected {
  readonly registry?: string;
  /** Ids of the tools in use; without any, those to start with. */
  readonly targets: readonly string[];
  readonly hasTools: boolean;
  readonly compiler?: string;
  /** Sorted paths of existing instruction files that a migration would adopt. */
  readonly instructions: readonly string[];
}

export interface InitFile {
  readonly path: string;
  readonly state: 'new' | 'changed' | 'unchanged';
  readonly content: string;
}

const ignorePath = '.gitignore';

/** The number of tools that are suggested by default. The list of tools starts with the most common ones. */
const starters = 3;

/** The tools to choose from, including specs of the project; `undefined` if one of these is invalid. */
export async function specsToChoose(context: CompileContext): Promise<Known | undefined> {
  const { report, failed } = watchErrors(context.report);
  const known = await knownSpecs(context, report);
  return failed() ? undefined : known;
}

/** The default treatment of existing files. */
export const proposedFor = ({ compiler, instructions }: Suggestion): Existing =>
  compiler !== undefined ? 'convert' : instructions.length > 0 ? 'keep' : 'leave';

/** Suggests answers from the files in the working folder. */
export async function suggestAnswers(known: Known, context: CompileContext): Promise<Suggestion> {
  const { disk, cwd } = context;
  const foreign = await foreignSourceOf(context);
  if (foreign) {
    const { source, targets } = foreign;
    const detected = await detectProject(disk, cwd);
    return { ...detected, compiler: source.title, targets, hasTools: true, instructions: [] };
  }
  const view = withTextLinks(cwd, disk);
  const scan = await scanProject(cwd, known, [], { ...context, disk: view.disk }, view.files);
  const used = toolsInUse(scan, known.specs);
  const targets = used.length > 0 ? used : known.specs.slice(0, starters);
  // A project with a configuration is not adopted again.
  const isNew = [...configNames, entryPath].every(path => disk.lstat(join(cwd, path)) === undefined);
  return {
    ...(await detectProject(disk, cwd)),
    targets: targets.map(({ id }) => id),
    hasTools: used.length > 0,
    instructions: isNew ? instructionPaths(scan) : [],
  };
}

/** Whether a project can be created here. Existing configuration and entry files are reported. */
export function mayInit(force: boolean, { disk, cwd, report }: WithDisk & InDirectory & WithReport): boolean {
  if (force) return true;
  const taken = [...configNames, entryPath].filter(path => disk.lstat(join(cwd, path)) !== undefined);
  for (const path of taken) report(alreadyInitialised({ path }, { file: path }));
  return taken.length === 0;
}

/** Whether name and registry are valid; problems are reported. */
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

/** The files of a new project, compared with existing ones. `undefined` after an invalid name was reported. */
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
  const configPath = configNames.find(present) ?? configNames[0]!;
  const used = specs.filter(({ id }) => answers.targets.includes(id));
  const skill = planned(languageSkill.path, languageSkill.content);
  const ignored = [localPath, localConfigPath, '.instr/.state/', ...used.flatMap(localPaths)];
  const bytes = bytesOfFile(join(cwd, ignorePath), context);
  return [
    planned(configPath, configText({ ...answers, tools: answers.targets.map(id => ({ id })) })),
    planned(entryPath, entryText(answers)),
    // An existing skill may have been edited.
    skill.state === 'changed' ? { ...skill, state: 'unchanged' } : skill,
    planned(ignorePath, addIgnored(bytes && decoder.decode(bytes), ignored)),
  ];
}

/** Paths of private notes and settings of a target. Placeholders become wildcards. */
function localPaths(spec: TargetSpec): string[] {
  return Object.values(spec.files).flatMap(file =>
    (file.kind === 'document' && file.of === 'local') || (file.kind === 'settings' && file.private)
      ? [file.path.replace(/\{[^}]*\}/g, '*')]
      : [],
  );
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Appends missing lines to the text of a `.gitignore`. */
export function addIgnored(before: string | undefined, wanted: readonly string[]): string {
  const lines = new Set((before ?? '').split(/\r?\n/).map(line => line.trim()));
  const missing = [...new Set(wanted)].filter(line => !lines.has(line) && !lines.has(`/${line}`));
  if (missing.length === 0) return before ?? '';
  const end = before?.includes('\r\n') ? '\r\n' : '\n';
  const glue = !before ? '' : before.endsWith('\n') ? end : end + end;
  const added = ['# Private notes and backups of prs', ...missing].map(line => line + end).join('');
  return (before ?? '') + glue + added;
}

/** Writes new and changed files in one run that `prs undo` can revert. `false` after a report. */
export async function writeInit(files: readonly InitFile[], context: CompileContext): Promise<boolean> {
  const work = files.filter(({ state }) => state !== 'unchanged');
  const sources = work.map(({ path, state, content }) => ({
    path,
    text: content,
    isNew: state === 'new',
    // Added lines replace nothing.
    needsBackup: state === 'changed' && path !== ignorePath,
  }));
  return writeSources(context.cwd, sources, context);
}
