import { targetNotConfigured, unknownBuildProfile } from '../../generated/diagnostics.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import type { Disabled } from '../../model/build.ts';
import { resolveTargetName, targetNames } from '../../spec/load.ts';
import { normalizePath } from '../../text/paths.ts';
import { didYouMean } from '../../text/similar.ts';
import { type ConfiguredTarget, checkDuplicateTargets, targetEntries } from '../config/targets.ts';
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
  const output = config.output?.baseDir ?? '';
  const builds: Build[] =
    names === undefined
      ? [
          {
            entry: config.input.entry,
            baseDir: normalizePath(output),
            requests: readRequests(project, undefined, context),
          },
        ]
      : [...new Set(names)].map(name => {
          const profile = config.builds![name]!;
          return {
            name,
            entry: profile.entry ?? config.input.entry,
            baseDir: normalizePath(profile.output ?? output),
            requests: readRequests(project, name, context),
          };
        });
  const local = names === undefined ? localBuild(project, builds[0]!, context) : undefined;
  const only = chooseTargets([...builds, ...(local ? [local] : [])], choice.targets, project, context);
  return only === 'wrong-request' ? only : { builds, ...(local && { local }), only };
}

function localBuild(project: Project, build: Build, context: WithReport): Build | undefined {
  if (!project.loaded.local) return undefined;

  return {
    ...build,
    requests: localRequests(project, build, context),
    disabled: project.loaded.local.disabled,
  };
}

function knowsBuilds(names: readonly string[], { loaded }: Project, { report }: WithReport): boolean {
  const known = Object.keys(loaded.config.builds ?? {});
  const unknown = names.filter(name => !known.includes(name));
  for (const name of unknown) {
    const hint = `${didYouMean(name, known)}${known.length ? `Profiles here: ${known.join(', ')}.` : 'The configuration has no `builds` yet.'}`;
    report(unknownBuildProfile({ name, known: known.join(', ') }, { hint }));
  }
  return unknown.length === 0;
}

function readRequests(project: Project, build: string | undefined, { report }: WithReport): TargetRequest[] {
  const { loaded, custom } = project;
  const { config } = loaded;
  const profile = build === undefined ? undefined : config.builds![build]!;
  const entries: readonly ConfiguredTarget[] = profile?.targets
    ? targetEntries(profile, ['builds', build!])
    : targetEntries(config);
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
  const chosen = new Set<string>();
  let ok = true;
  for (const name of names.flatMap(list => list.split(','))) {
    const id = resolveTargetName(name, custom);
    if (id !== undefined && enabled.has(id)) chosen.add(id);
    else {
      ok = false;
      const list = [...enabled].join(', ');
      const hint = `${
        id === undefined
          ? didYouMean(
              name,
              targetNames(custom).filter(known => enabled.has(resolveTargetName(known, custom)!)),
            )
          : ''
      }${list === '' ? 'None that can be used is enabled.' : `Enabled here: ${list}. Add it to \`targets\` in the configuration, or choose one of these.`}`;
      report(targetNotConfigured({ name, enabled: list }, { hint }));
    }
  }
  return ok ? chosen : 'wrong-request';
}
