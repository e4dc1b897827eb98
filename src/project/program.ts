import { join, sep } from 'node:path';
import { checkProgram } from '../check/check.ts';
import { pathOutsideProject } from '../generated/diagnostics.ts';
import { type Disk, HostError } from '../host/host.ts';
import { checkPolicies } from '../policy/policy.ts';
import type { TrackedRegistries } from '../registry/registries.ts';
import type { Program } from '../resolve/program.ts';
import { resolveProgram } from '../resolve/resolve.ts';
import type { Parse } from '../session/documents.ts';
import type { WithDisk, WithEnvironment, WithReport } from '../session/world.ts';
import { resolveTargetName, targetNames } from '../spec/load.ts';
import { localPath } from '../text/places.ts';
import { checkAudiences } from './audience.ts';
import { reportDeadNames } from './gather/dead-names.ts';
import { type Gathered, gatherUnits } from './gather/gather.ts';
import { findIncluded } from './gather/include.ts';
import type { Project } from './open/open.ts';
import { pathBelow } from './open/root.ts';
import { generatedFiles } from './write/records.ts';

export interface LoadedProgram {
  readonly program: Program;
  /** Source files of the project that took part, relative to it. */
  readonly sources: readonly string[];
  /** Files of the project that travel with its skills. */
  readonly resources: readonly string[];
  /** Names of all files that took part, those of registries included, in the order they were read. */
  readonly read: readonly string[];
}

/** Reads an entry file with all it uses. What could not be read, or not in full, has been reported. */
export async function gatherProgram(
  project: Project,
  entry: string,
  registries: TrackedRegistries,
  context: WithDisk & WithReport,
  parse?: Parse,
): Promise<Gathered> {
  const { loaded, root } = project;
  const { config } = loaded;
  const { disk } = context;
  return gatherUnits(
    {
      disk,
      root,
      entry,
      include: await findIncluded(project, context),
      inherit:
        config.inherit === undefined
          ? undefined
          : { reference: config.inherit, span: loaded.spanOf(['inherit'])! },
      universalDir: universalDirOf(project, context),
      registries,
      ...(parse && { parse }),
      isGenerated: generatedFiles(root, disk),
    },
    context.report,
  );
}

/**
 * Reads an entry file with all it uses, resolves it, and runs rules and policies over the result. Always gives a
 * program; what is wrong has been reported.
 */
export async function loadProgram(
  project: Project,
  entry: string,
  registries: TrackedRegistries,
  context: WithDisk & WithEnvironment & WithReport,
  parse?: Parse,
): Promise<LoadedProgram> {
  const { loaded, root } = project;
  const { config } = loaded;
  const { disk, environment, report } = context;
  const gathered = await gatherProgram(project, entry, registries, context, parse);
  const program = resolveProgram(
    { ...gathered, env: name => environment[name], skillTargets: config.skillTargets },
    report,
  );
  const { rules, requiredGuards, guardRequiresDepth } = config.validation;
  const fileExists = (path: string) => disk.stat(join(root, path.split('/').join(sep)))?.kind === 'file';
  checkProgram(
    program,
    {
      rules,
      requiredGuards,
      guardRequiresDepth,
      entry: gathered.entryId,
      inherit: gathered.inherit,
      local: localPath,
      spanOf: loaded.spanOf,
      fileExists,
      targets: {
        names: targetNames(project.custom),
        isTarget: name => resolveTargetName(name, project.custom) !== undefined,
      },
    },
    report,
  );
  checkAudiences(program, project, context);
  await checkPolicies(program, config.policies, loaded.spanOf, report);
  const sources = program.units.flatMap(({ kind, id, layer }) =>
    layer.remote || kind === 'directory' ? [] : [id],
  );
  reportDeadNames(project, entry, program.units, report);
  const read = program.units.flatMap(unit =>
    unit.kind === 'directory' ? [] : [unit.kind === 'source' ? unit.document.source.name : unit.source.name],
  );
  return { program, sources, resources: gathered.resources, read };
}

/** The folder to search for skills and commands; one that a link leads out of the project is reported and not searched. */
function universalDirOf(
  { loaded, root }: Project,
  { disk, report }: WithDisk & WithReport,
): string | undefined {
  const { universalDir } = loaded.config;
  if (universalDir === false) return undefined;
  const real = realOf(join(root, universalDir), disk);
  const base = real && realOf(root, disk);
  if (!real || !base || real === base || pathBelow(base, real) !== undefined) return universalDir;
  const span = loaded.spanOf(['universalDir']);
  report(
    pathOutsideProject({ field: 'universalDir', path: `${universalDir} (a link to ${real})` }, { span }),
  );
  return undefined;
}

/** A path without its links; a disk that fails counts as nothing here, the search reports it. */
function realOf(path: string, disk: Disk): string | undefined {
  try {
    return disk.realpath(path);
  } catch (error) {
    if (error instanceof HostError) return undefined;
    throw error;
  }
}
