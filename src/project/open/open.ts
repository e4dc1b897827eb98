import { join } from 'node:path';
import { checkRuleNames } from '../../check/check.ts';
import { applyRuleSeverities } from '../../check/severities.ts';
import { type Disk, HostError } from '../../host/host.ts';
import { withForwardSlashes } from '../../host/relative-path.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { LockEntry } from '../../registry/lock.ts';
import { withNamedMains } from '../../spec/adapted.ts';
import { builtinSpec, namedIn, resolveTargetName } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import { decodeSource } from '../../syntax/decode.ts';
import { splitReference } from '../../syntax/reference.ts';
import { isObject } from '../../text/data.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { specsPath } from '../../text/places.ts';
import { defaultEntry, type LoadedConfig, loadConfig } from '../config/load.ts';
import { targetLists } from '../config/targets.ts';
import type { RegistryMode } from '../lock.ts';
import type { CompileContext, WithReport } from '../session/world.ts';
import { configOfUser, specsOfUser } from '../user/config.ts';
import { referenceGuard } from './policy-namings.ts';
import { hostFinding } from './root.ts';
import { readOutsidePolicies, type SharedConfigs, sharedConfigs } from './shared-config.ts';

/** A configuration that can be compiled, with the specs of the project. */
export interface Project {
  readonly loaded: LoadedConfig;
  /** Absolute path of the root. */
  readonly root: string;
  /** Specs in `.instr/targets/`, by id. */
  readonly custom: ReadonlyMap<string, LoadedSpec>;
  /** Lock entries for sources of the configuration itself. */
  readonly usedByConfig: () => readonly LockEntry[];
  /** Absolute paths of local registry files that the configuration was read from. */
  readonly filesOfConfig: () => readonly string[];
}

/** How a configuration is opened. */
export interface OpenMode extends RegistryMode {
  /** Further configurations with policies: paths, or references to registries. */
  readonly policies?: readonly string[] | undefined;
}

/** Why a use case cannot start. */
export type OpenFailure = 'no-configuration' | 'wrong-request';

/** Opens the project of a configuration; `undefined` after an error was reported. */
export async function openProject(
  context: CompileContext,
  mode: OpenMode = {},
): Promise<Project | undefined> {
  const { report, failed } = watchErrors(context.report);
  const shared = sharedConfigs({ ...context, report }, mode);
  const loaded = await loadWith({ ...context, report }, shared, mode);
  if (!loaded) return undefined;
  checkShared(loaded, { ...context, report });
  checkRuleNames(loaded.config.validation.rules, loaded.spanOf, report);
  const { root } = loaded;
  const custom = await loadCustomSpecs(root, { ...context, report });
  const own =
    context.scope === 'user'
      ? configOfUser(loaded, custom, defaultEntry(root, context.disk), report)
      : loaded;
  return failed()
    ? undefined
    : { loaded: own, root, custom, usedByConfig: shared.used, filesOfConfig: shared.files };
}

/** Reads only the configuration. A disk failure is reported. */
export const openConfig = (context: CompileContext): Promise<LoadedConfig | undefined> =>
  loadWith(context, sharedConfigs(context, {}), {});

/** Checks references of `extends` to registries by the merged policies. */
function checkShared(loaded: LoadedConfig, context: CompileContext): void {
  if (loaded.shared.length === 0) return;
  const isAllowed = referenceGuard(loaded, context);
  const checked = new Set<string>();
  for (const { reference, at } of loaded.shared) {
    if (!checked.has(reference)) isAllowed(splitReference(reference).path, at);
    checked.add(reference);
  }
}

async function loadWith(
  context: CompileContext,
  shared: SharedConfigs,
  { policies = [] }: OpenMode,
): Promise<LoadedConfig | undefined> {
  const { cwd, configPath: explicit, disk, report } = context;
  const outside = (root: string, note: Report) => readOutsidePolicies(policies, { ...context, root }, note);
  try {
    const options = { cwd: withForwardSlashes(cwd), explicit, disk, openShared: shared.open, outside };
    return await loadConfig(options, report);
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    report(hostFinding(error, cwd));
    return undefined;
  }
}

/**
 * Loads the specs in `.instr/targets/`; invalid ones are reported. In user scope, returns the specs of all tools for
 * the files of a user.
 */
export async function loadCustomSpecs(
  root: string,
  { disk, scope, environment, report }: Pick<CompileContext, 'disk' | 'scope' | 'environment' | 'report'>,
): Promise<Project['custom']> {
  const own = await readOwnSpecs(root, disk, report);
  if (scope !== 'user') return addNamedMains(own, root, disk);

  return specsOfUser(own, environment);
}

/** Adds specs of tools whose main files are named by settings in the project. */
async function addNamedMains(own: Project['custom'], root: string, disk: Disk): Promise<Project['custom']> {
  const adapted = new Map(own);
  for (const [id, path] of namedIn) {
    if (own.has(id) || disk.stat(join(root, path))?.kind !== 'file') continue;
    const builtin = builtinSpec(id)!;
    const spec = await namedMains(builtin, root, disk);
    if (spec !== builtin) adapted.set(id, spec);
  }
  return adapted;
}

async function readOwnSpecs(root: string, disk: Disk, report: Report): Promise<Project['custom']> {
  const names = (disk.list(join(root, specsPath)) ?? []).filter(
    ({ name, kind }) => kind === 'file' && /\.ya?ml$/.test(name),
  );
  if (names.length === 0) return new Map();
  const { readCustomSpecs: read } = await import('../../kinds/lint/spec.ts');
  const sources = names.flatMap(({ name }) => {
    const path = `${specsPath}/${name}`;
    const bytes = disk.readBytes(join(root, path));
    const source = bytes && decodeSource(path, bytes, report);
    return source ? [source] : [];
  });
  return read(sources, report);
}

/** Applies the configured severities of rules to findings. */
export const withRuleSeverities = <C extends WithReport>({ loaded }: Project, context: C): C => ({
  ...context,
  report: applyRuleSeverities(context.report, loaded.config.validation.rules),
});

/** Gives errors about a target without a place the span of the target in the configuration. */
export function atTargets({ loaded, custom }: Project, report: Report): Report {
  return found => {
    if (found.severity !== 'error' || found.target === undefined || found.span || found.file) {
      report(found);
      return;
    }
    const entry = targetLists(loaded.config)
      .flat()
      .find(({ name }) => resolveTargetName(name, custom) === found.target);
    const span = entry && loaded.spanOf(entry.path, 'key');
    report({ ...found, ...(span && { span }) });
  };
}

/** The spec of a tool with the main files that its settings name. Unreadable settings are ignored. */
export async function namedMains(loaded: LoadedSpec, root: string, disk: Disk): Promise<LoadedSpec> {
  const { named } = loaded.spec.reads ?? {};
  const bytes = named && disk.readBytes(join(root, named.path));
  if (!named || !bytes) return loaded;
  const parsed = await parseData(new TextDecoder().decode(bytes), named.format);
  if ('problem' in parsed) return loaded;
  const found = named.at.reduce<Data | undefined>(
    (data, key) => (isObject(data) ? data[key] : undefined),
    parsed.data,
  );
  return withNamedMains(loaded, typeof found === 'string' ? [found] : strings(found));
}
