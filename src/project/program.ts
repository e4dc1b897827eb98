import { join, sep } from 'node:path';
import { checkProgram } from '../check/check.ts';
import { manifestPath, readManifest } from '../plan/manifest.ts';
import { checkPolicies } from '../policy/policy.ts';
import type { TrackedRegistries } from '../registry/registries.ts';
import type { Program } from '../resolve/program.ts';
import { resolveProgram } from '../resolve/resolve.ts';
import type { Context } from './context.ts';
import { gatherUnits } from './gather.ts';
import { findIncluded } from './include.ts';
import type { Project } from './open.ts';

export interface LoadedProgram {
  readonly program: Program;
  /** Source files of the project that took part, relative to it. */
  readonly sources: readonly string[];
}

/**
 * Reads an entry file with all it uses, resolves it, and runs rules and policies over the result. Always gives a
 * program; what is wrong has been reported.
 */
export async function loadProgram(
  project: Project,
  entry: string,
  registries: TrackedRegistries,
  context: Context,
): Promise<LoadedProgram> {
  const { loaded, root } = project;
  const { config } = loaded;
  const { disk, environment, report } = context;
  const gathered = await gatherUnits(
    {
      disk,
      root,
      entry,
      include: await findIncluded(disk, root, config.input),
      inherit:
        config.inherit === undefined
          ? undefined
          : { reference: config.inherit, span: loaded.spanOf(['inherit'])! },
      universalDir: config.universalDir === false ? undefined : config.universalDir,
      registries,
      isGenerated: generatedFiles(root, disk),
    },
    report,
  );
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
      spanOf: loaded.spanOf,
      fileExists,
    },
    report,
  );
  await checkPolicies(program, config.policies, loaded.spanOf, report);
  const sources = program.units.flatMap(({ kind, id, layer }) =>
    layer.remote || kind === 'directory' ? [] : [id],
  );
  return { program, sources };
}

/** Whether the record of ownership lists a file; it is read when the first file is in question. */
function generatedFiles(root: string, disk: Context['disk']): (path: string) => boolean {
  let owned: ReadonlySet<string> | undefined;
  const read = (): ReadonlySet<string> => {
    const bytes = disk.readBytes(join(root, manifestPath));
    if (!bytes) return new Set();
    // The plan reads it again and says what is wrong with it.
    const manifest = readManifest({ name: manifestPath, text: new TextDecoder().decode(bytes) }, () => {});
    return new Set(manifest?.files.keys());
  };
  return path => {
    owned ??= read();
    return owned.has(path);
  };
}
