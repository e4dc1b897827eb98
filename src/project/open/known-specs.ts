import type { TargetSpec } from '../../generated/types/target.ts';
import { builtinIds, builtinSpec, ownSpecs, resolveTargetName } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { sharedFolder } from '../../text/places.ts';
import { targetEntries } from '../config/targets.ts';
import type { CompileContext } from '../session/world.ts';
import { loadCustomSpecs, openConfig } from './open.ts';
import { projectRoot } from './root.ts';

/** What reading the files of tools depends on. */
export interface Known {
  /** Specs of the project first, then those that come with the program, in the order in which they are proposed. */
  readonly specs: readonly TargetSpec[];
  readonly custom: ReadonlyMap<string, LoadedSpec>;
  /** Where skills and commands for all tools lie; `undefined` when nothing is discovered there. */
  readonly universalDir: string | undefined;
}

/**
 * The tools there are for the project, or for the directory that may become one. That does not depend on the
 * configuration being right: its own findings are for other commands. `report` gets what is wrong with specs.
 */
export async function knownSpecs(context: CompileContext, report: Report = () => {}): Promise<Known> {
  const quiet = { ...context, report: () => {} };
  const loaded = await openConfig(quiet);
  const custom = await loadCustomSpecs(loaded?.root ?? projectRoot(quiet).root, { ...context, report });
  const universalDir = loaded?.config.universalDir ?? sharedFolder;
  const own = ownSpecs(custom).map(({ spec }) => spec);
  const builtin = builtinIds().flatMap(id =>
    own.some(spec => spec.id === id) ? [] : [(custom.get(id) ?? builtinSpec(id)!).spec],
  );
  return {
    specs: [...own, ...builtin],
    custom,
    universalDir: universalDir === false ? undefined : universalDir,
  };
}

/** The tools of a configuration that is there; `undefined` after its faults were reported. */
export async function configuredTargets(
  { specs, custom }: Pick<Known, 'specs' | 'custom'>,
  context: CompileContext,
): Promise<TargetSpec[] | undefined> {
  const loaded = await openConfig(context);
  if (!loaded) return undefined;
  const ids = new Set(targetEntries(loaded.config, []).map(({ name }) => resolveTargetName(name, custom)));
  return specs.filter(({ id }) => ids.has(id));
}
