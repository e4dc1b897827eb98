import { join, resolve } from 'node:path';
import type { Waiver } from '../check/policy/waivers.ts';
import { noSuchSource } from '../generated/diagnostics.ts';
import { pathBelow } from '../host/relative-path.ts';
import { collectFindings, watchErrors } from '../text/diagnostics/report.ts';
import { projectRegistries } from './gather/registries.ts';
import { onlyUnreported } from './local/outputs.ts';
import { makeBuild } from './make-outputs.ts';
import { atTargets, type OpenFailure, type Project, withRuleSeverities } from './open/open.ts';
import { waiversOf } from './open/policy-namings.ts';
import { checkUnusedPins } from './pin.ts';
import { type Session, singleSession } from './session/session.ts';
import type { CompileContext } from './session/world.ts';
import { checkPlaces } from './write/write.ts';

/** A request to validate. */
export interface ValidateRequest {
  /** Paths relative to the working folder. By default the entry files of all builds. */
  readonly files: readonly string[];
  readonly frozen?: boolean | undefined;
  /** Further configurations with policies: paths, or references to registries. */
  readonly policies?: readonly string[] | undefined;
}

/** The result of a validation. */
export interface Validated {
  readonly root: string;
  /** The number of source files. */
  readonly checked: number;
  /** Waivers of policies that apply to the project. */
  readonly waivers: readonly Waiver[];
}

/**
 * Runs every phase of a compile except writing. Named files are each checked as an entry, without targets, because a
 * part of a project need not fill these.
 */
export async function validateProject(
  request: ValidateRequest,
  given: CompileContext,
  session: Session = singleSession(given),
): Promise<Validated | OpenFailure> {
  const { report, failed } = watchErrors(given.report);
  const context = { ...given, disk: session.disk, report };
  const project = await session.project(report, { frozen: request.frozen, policies: request.policies });
  if (!project) return 'no-configuration';
  const graded = withRuleSeverities(project, context);
  const registries = projectRegistries(project, { frozen: request.frozen }, graded);
  const checked = new Set<string>();
  const about = { root: project.root, waivers: waiversOf(project.loaded, context) };
  if (request.files.length > 0) {
    for (const file of request.files) {
      const path = sourcePath(file, project, context);
      if (path === undefined) continue;
      const { sources } = await session.program(project, path, registries, graded.report);
      for (const one of sources) checked.add(one);
    }
    return { ...about, checked: checked.size };
  }
  const { findings: reported, report: noting } = collectFindings(graded.report);
  const builds = [undefined, ...Object.keys(project.loaded.config.builds ?? {})];
  for (const name of builds) {
    const chosen = await session.builds(project, { builds: name === undefined ? undefined : [name] }, report);
    if (chosen === 'wrong-request') continue;
    for (const build of [...chosen.builds, ...(chosen.local ? [chosen.local] : [])]) {
      const to = build.disabled ? onlyUnreported(reported, graded.report) : noting;
      const { files, loaded } = await makeBuild(build, project, session, registries, to, {
        // Formatting is slow, so it is only done if outputs are compared with sources.
        formats: ({ sources }) => sources.some(path => !path.startsWith('.instr/')),
      });
      for (const one of loaded.sources) checked.add(one);
      const sources = [...loaded.sources, ...loaded.resources];
      const located = atTargets(project, to);
      checkPlaces({ root: project.root, disk: session.disk, files, sources }, located);
    }
  }
  if (!failed()) await checkUnusedPins(project, registries, request.frozen, graded);
  return { ...about, checked: checked.size };
}

/** The path of a file from the root; a missing file is reported. */
function sourcePath(
  file: string,
  { root }: Project,
  { cwd, disk, report }: CompileContext,
): string | undefined {
  const path = pathBelow(root, resolve(cwd, file));
  if (path !== undefined && disk.stat(join(root, path))?.kind === 'file') return path;
  report(noSuchSource({ path: file }, { file }));
  return undefined;
}
