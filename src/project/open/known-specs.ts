import type { TargetSpec } from '../../generated/types/target.ts';
import { otherSpecs, ownSpecs, resolveTargetName } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { sharedFolder } from '../../text/places.ts';
import { targetEntries } from '../config/targets.ts';
import type { CompileContext } from '../session/world.ts';
import { loadCustomSpecs, openConfig } from './open.ts';
import { projectRoot } from './root.ts';

/** The specs that are needed to read files of tools. */
export interface Known {
  /** Specs of the project, then built-in ones in the order of suggestion. */
  readonly specs: readonly TargetSpec[];
  readonly custom: ReadonlyMap<string, LoadedSpec>;
  /** The folder of skills and commands for all tools; `undefined` if discovery is off. */
  readonly universalDir: string | undefined;
}

/**
 * The tools for the project, or for the folder that may become one. An invalid configuration does not matter, because
 * other commands report it. Problems of specs go to `report`.
 */
export async function knownSpecs(context: CompileContext, report: Report = () => {}): Promise<Known> {
  const quiet = { ...context, report: () => {} };
  const loaded = await openConfig(quiet);
  const custom = await loadCustomSpecs(loaded?.root ?? projectRoot(quiet).root, { ...context, report });
  const universalDir = loaded?.config.universalDir ?? sharedFolder;
  return {
    specs: [...ownSpecs(custom), ...otherSpecs(custom)].map(({ spec }) => spec),
    custom,
    universalDir: universalDir === false ? undefined : universalDir,
  };
}

/** The enabled tools of a configuration; `undefined` after a report. */
export async function configuredTargets(
  { specs, custom }: Pick<Known, 'specs' | 'custom'>,
  context: CompileContext,
): Promise<TargetSpec[] | undefined> {
  const loaded = await openConfig(context);
  if (!loaded) return undefined;
  const ids = new Set(targetEntries(loaded.config, []).map(({ name }) => resolveTargetName(name, custom)));
  return specs.filter(({ id }) => ids.has(id));
}
