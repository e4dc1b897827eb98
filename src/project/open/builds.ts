import { targetNotConfigured, unknownBuildProfile } from '../../generated/diagnostics.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import type { Disabled } from '../../model/build.ts';
import { resolveTargetName, targetNames } from '../../spec/load.ts';
import { normalizePath } from '../../text/paths.ts';
import { didYouMean } from '../../text/similar.ts';
import { checkDuplicateTargets, targetEntries } from '../config/targets.ts';
import { localRequests } from '../local/requests.ts';
import type { WithReport } from '../session/world.ts';
import type { Project } from './open.ts';
import { requestOf } from './targets.ts';

/** The builds and targets that a command requests. */
export interface BuildChoice {
  /** Ids or labels of targets. By default all enabled ones. */
  readonly targets?: readonly string[] | undefined;
  /** Names of profiles. By default the default build. */
  readonly builds?: readonly string[] | undefined;
  readonly allBuilds?: boolean;
}

/** An entry file that is compiled for some targets into one folder. */
export interface Build {
  /** The name of the profile; absent for the default build. */
  readonly name?: string;
  readonly entry: string;
  readonly baseDir: string;
  readonly requests: readonly TargetRequest[];
  /** For the build of one person: names of servers and skills to leave out. */
  readonly disabled?: Disabled;
}

/** The builds of a run, and its targets. */
export interface ChosenBuilds {
  readonly builds: readonly Build[];
  /** The default build with personal settings, for files that are not committed. */
  readonly local?: Build;
  /** Ids of the requested targets; `undefined` for all. */
  readonly only: ReadonlySet<string> | undefined;
}

/**
 * Chooses the builds of a run. Each build has all enabled targets, because shared files are made from all of them.
 * Unknown names are reported; the result is `'wrong-request'` then. Targets with invalid settings are reported and left
 * out.
 */
export function chooseBuilds(
  project: Project,
  choice: BuildChoice,
  context: WithReport,
): ChosenBuilds | 'wrong-request' {
  const { config } = project.loaded;
  const names = choice.allBuilds ? Object.keys(config.builds ?? {}) : choice.builds;
  if (!knowsBuilds(names ?? [], project, context)) return 'wrong-request';
  const builds = names ? [...new Set(names)].map(name => buildOf(name)) : [buildOf()];
  const personal = names ? undefined : project.loaded.local;
  const local = personal && {
    ...builds[0]!,
    requests: localRequests(project, builds[0]!, context),
    disabled: personal.disabled,
  };
  const only = chooseTargets([...builds, ...(local ? [local] : [])], choice.targets, project, context);
  return only === 'wrong-request' ? only : { builds, ...(local && { local }), only };

  function buildOf(name?: string): Build {
    const { entry = config.input.entry, output = config.output?.baseDir ?? '' } =
      name === undefined ? {} : config.builds![name]!;
    const requests = readRequests(project, name, context);
    return { ...(name !== undefined && { name }), entry, baseDir: normalizePath(output), requests };
  }
}

function knowsBuilds(names: readonly string[], { loaded }: Project, { report }: WithReport): boolean {
  const known = Object.keys(loaded.config.builds ?? {});
  const unknown = names.filter(name => !known.includes(name));
  const list = known.join(', ');
  const advice = list === '' ? 'The configuration has no `builds` yet.' : `Profiles here: ${list}.`;
  for (const name of unknown)
    report(unknownBuildProfile({ name, known: list }, { hint: didYouMean(name, known) + advice }));
  return unknown.length === 0;
}

function readRequests(project: Project, build: string | undefined, { report }: WithReport): TargetRequest[] {
  const { loaded, custom } = project;
  const { config } = loaded;
  const profile = build === undefined ? undefined : config.builds![build]!;
  const entries = profile?.targets ? targetEntries(profile, ['builds', build!]) : targetEntries(config);
  const canonical = (name: string) => resolveTargetName(name, custom) ?? name;
  checkDuplicateTargets(entries, loaded.spanOf, report, canonical);
  return entries.flatMap(entry => requestOf(entry, project, loaded.spanOf, report, build) ?? []);
}

function chooseTargets(
  builds: readonly Build[],
  names: readonly string[] | undefined,
  { custom }: Project,
  { report }: WithReport,
): ReadonlySet<string> | undefined | 'wrong-request' {
  if (names === undefined) return undefined;
  const enabled = new Set(builds.flatMap(({ requests }) => requests.map(({ spec }) => spec.id)));
  const isEnabled = (name: string) => enabled.has(resolveTargetName(name, custom) ?? '');
  const requested = names.flatMap(list => list.split(','));
  const unknown = requested.filter(name => !isEnabled(name));
  const list = [...enabled].join(', ');
  const advice =
    list === ''
      ? 'None that can be used is enabled.'
      : `Enabled here: ${list}. Add it to \`targets\` in the configuration, or choose one of these.`;
  for (const name of unknown) {
    const isTool = resolveTargetName(name, custom) !== undefined;
    const guess = isTool ? '' : didYouMean(name, targetNames(custom).filter(isEnabled));
    report(targetNotConfigured({ name, enabled: list }, { hint: guess + advice }));
  }
  return unknown.length > 0
    ? 'wrong-request'
    : new Set(requested.map(name => resolveTargetName(name, custom)!));
}
