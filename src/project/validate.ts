import { join, relative, resolve, sep } from 'node:path';
import { noSuchSource } from '../generated/diagnostics.ts';
import { buildModel } from '../model/build.ts';
import { checkLeftovers } from './frozen.ts';
import { projectRegistries } from './gather/registries.ts';
import { locating } from './locate.ts';
import { chooseBuilds } from './open/builds.ts';
import type { Context } from './open/context.ts';
import { openProject, type Project, watchErrors, withRuleSeverities } from './open/open.ts';
import { emitUnformatted } from './outputs.ts';
import { loadProgram } from './program.ts';

export interface ValidateRequest {
  /** Paths relative to the working directory; none: the entry files of the project and of its builds. */
  readonly files: readonly string[];
  readonly frozen?: boolean | undefined;
}

export interface Validated {
  /** `false`: there is no usable configuration, which has been reported. */
  readonly configured: boolean;
  readonly root?: string;
  /** How many source files were read. */
  readonly checked: number;
}

/**
 * Runs every phase of a compile but the writing: what passes here compiles. Files that are named are checked each as
 * if it were the entry; then targets are not looked at, because a part of a project does not have to fill them.
 */
export async function validateProject(request: ValidateRequest, given: Context): Promise<Validated> {
  const { report, failed } = watchErrors(given.report);
  const context: Context = { ...given, report };
  const project = await openProject(context);
  if (!project) return { configured: false, checked: 0 };
  const graded = withRuleSeverities(project, context);
  const registries = projectRegistries(project, { frozen: request.frozen }, graded);
  const checked = new Set<string>();
  if (request.files.length > 0) {
    for (const file of request.files) {
      const path = sourcePath(file, project, context);
      if (path === undefined) continue;
      const { sources } = await loadProgram(project, path, registries, graded);
      for (const one of sources) checked.add(one);
    }
    return { configured: true, root: project.root, checked: checked.size };
  }
  const builds = [undefined, ...Object.keys(project.loaded.config.builds ?? {})];
  for (const name of builds) {
    const chosen = chooseBuilds(project, { builds: name === undefined ? undefined : [name] }, context);
    for (const build of chosen === 'wrong-request' ? [] : chosen.builds) {
      const { program, sources } = await loadProgram(project, build.entry, registries, graded);
      for (const one of sources) checked.add(one);
      const depth = project.loaded.config.validation.guardRequiresDepth;
      const model = buildModel(program, { guardRequiresDepth: depth }, graded.report);
      await emitUnformatted(
        model,
        build,
        project,
        { ...graded, report: locating(graded.report, program) },
        sources,
      );
    }
  }
  if (!failed()) await checkLeftovers(project, registries, request.frozen, graded);
  return { configured: true, root: project.root, checked: checked.size };
}

/** The path from the root of the project; a file that is not there is reported. */
function sourcePath(file: string, { root }: Project, { cwd, disk, report }: Context): string | undefined {
  const path = relative(root, resolve(cwd, file)).split(sep).join('/');
  if (disk.stat(join(root, path))?.kind === 'file' && !path.startsWith('..')) return path;
  report(noSuchSource({ path: file }, { file }));
  return undefined;
}
