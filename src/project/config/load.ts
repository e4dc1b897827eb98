import { noTargets, policyNameOpen } from '../../generated/diagnostics.ts';
import type { Config, Input, PolicyDefinition, Validation } from '../../generated/types/config.ts';
import type { Disk } from '../../host/host.ts';
import type { RegistrySettings } from '../../registry/reference.ts';
import { equalUnordered, isObject, type UnknownObject } from '../../text/data.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { normalizePath } from '../../text/paths.ts';
import { entryPath, localConfigPath, markdownEntryPath, sharedFolder } from '../../text/places.ts';
import { dirname, join } from '../../text/posix.ts';
import { suggest } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';
import type { DataPath, YamlFile } from '../../text/yaml.ts';
import {
  checkCredentials,
  checkInherited,
  type JoinedPolicy,
  joinPolicies,
  type Layer,
  type OpenShared,
  readChain,
  registriesOf,
} from './chain.ts';
import { checkConfig, clampDepth } from './check.ts';
import { type LocalConfig, readLocal } from './local.ts';
import { checkForm, findConfig, mergeData } from './source.ts';

/** A configuration with defaults filled in. */
export type ProjectConfig = Config & {
  readonly input: Input & { readonly entry: string };
  readonly universalDir: string | false;
  readonly includeInstrSkill: boolean;
  readonly validation: Validation & { readonly guardRequiresDepth: number };
};

/** A valid configuration with the spans of its values. */
export interface LoadedConfig {
  /** The merged `extends` chain with defaults. Objects have no prototype. */
  readonly config: ProjectConfig;
  /** Absolute path of the nearest file. */
  readonly path: string;
  /** Absolute path of the folder that contains it. */
  readonly root: string;
  /** Absolute paths of all files that were read, the nearest first. */
  readonly files: readonly string[];
  /** The span of a value, or of its key. A value that is written nowhere has the span of its container. */
  readonly spanOf: YamlFile['spanOf'];
  /**
   * By index in `config.policies`: the registry settings of the configuration that declares the policy. They define the
   * names in it.
   */
  readonly policyRegistries: readonly RegistrySettings[];
  /** References to registries in `extends`. */
  readonly shared: readonly { readonly reference: string; readonly at: Span }[];
  /** The personal configuration. */
  readonly local?: LocalConfig;
}

/** Where to find a configuration, and how to read files. */
export interface LoadOptions {
  /** Absolute working folder, `/`-separated. */
  readonly cwd: string;
  /** The value of `--config`, absolute or relative to `cwd`. */
  readonly explicit?: string | undefined;
  readonly disk: Disk;
  /** Opens configurations in registries. By default none is found. */
  readonly openShared?: OpenShared | undefined;
  /** Reads further chains whose policies apply too; empty after a report. */
  readonly outside?: ((root: string, report: Report) => Promise<readonly (readonly Layer[])[]>) | undefined;
}

/**
 * Finds, reads, merges and checks the configuration. Returns `undefined` after an error was reported, because an
 * incomplete configuration must not write files.
 */
export async function loadConfig(options: LoadOptions, report: Report): Promise<LoadedConfig | undefined> {
  const { report: note, failed } = watchErrors(report);
  const path = findConfig(options.cwd, options.explicit, options.disk, note);
  if (path === undefined) return undefined;
  const root = dirname(path);
  const { disk, openShared } = options;
  const chain = await readChain(path, { root, disk, openShared }, note);
  if (chain.length === 0) return undefined;

  let merged: unknown;
  for (const layer of [...chain].reverse()) merged = mergeData(merged ?? Object.create(null), layer.data);
  const outside = (await options.outside?.(root, note)) ?? [];
  const policies = joinAll([chain, ...outside]);
  const data = merged as Record<string, unknown>;
  if (policies.length > 0) data.policies = policies.map(({ policy }) => policy);
  const spanOf = locator(chain, policies);
  await checkRequired(data, chain[0]!.file, spanOf, note);
  checkInherited(policies, note);
  checkCredentials(chain, note);
  if (failed()) return undefined;
  const config = data as unknown as Config;
  checkConfig({ config, spanOf, report: note });
  checkNames(policies, chain[0]!, spanOf, note);
  const localPath = join(root, localConfigPath);
  const localBytes = disk.readBytes(localPath);
  const local = localBytes && (await readLocal(localConfigPath, localBytes, note));
  if (failed()) return undefined;
  const entry = () => defaultEntry(root, disk);
  return {
    config: fillDefaults(config, entry),
    path,
    root,
    files: [...chain.filter(({ shared }) => !shared).map(layer => layer.path), ...(local ? [localPath] : [])],
    spanOf,
    policyRegistries: policies.map(({ registries }) => registries),
    shared: chain.flatMap(({ shared }) => shared ?? []),
    ...(local && { local }),
  };
}

/** A policy, and the registry settings of the file that declares it, including what that file extends. */
interface DeclaredPolicy extends JoinedPolicy {
  readonly registries: RegistrySettings;
}

/** The policies of the chain, and those of other chains that differ. */
function joinAll(chains: readonly (readonly Layer[])[]): DeclaredPolicy[] {
  const all: DeclaredPolicy[] = [];
  for (const chain of chains) {
    for (const joined of joinPolicies(chain)) {
      if (chain !== chains[0] && all.some(({ policy }) => equalUnordered(policy, joined.policy))) continue;
      const declaring = chain.indexOf(joined.origins.at(-1)!.layer);
      all.push({ ...joined, registries: registriesOf(chain.slice(declaring)) });
    }
  }
  return all;
}

/** Reports registry names in inherited policies that only the project defines. */
function checkNames(
  policies: readonly DeclaredPolicy[],
  nearest: Layer,
  spanOf: LoadedConfig['spanOf'],
  report: Report,
): void {
  for (const [index, { policy: data, origins, registries }] of policies.entries()) {
    const { registry, registries: aliases = {} } = registries;
    if (registry !== undefined || origins.at(-1)!.layer === nearest) continue;
    const policy = data as PolicyDefinition;
    for (const [key, names] of Object.entries(policy)) {
      if (!['allowed', 'layers', 'source'].includes(key)) continue;
      for (const [at, name] of (Array.isArray(names) ? names : [names]).entries()) {
        const isKnown = Object.keys(aliases).some(alias => name === alias || name.startsWith(`${alias}/`));
        if (!name.startsWith('@') || name === '@project' || isKnown) continue;
        const path = ['policies', index, key];
        const span = spanOf(Array.isArray(names) ? [...path, at] : path);
        report(policyNameOpen({ policy: policy.name, name }, { span, rule: policy.name }));
      }
    }
  }
}

/** Reports required fields that are missing in the whole chain, and empty lists of targets. */
async function checkRequired(
  data: UnknownObject,
  nearest: YamlFile,
  spanOf: LoadedConfig['spanOf'],
  report: Report,
): Promise<void> {
  await checkForm({ source: nearest.source, data, problems: [], spanOf }, report, true);
  const lists: [unknown, DataPath][] = [[data.targets ?? [], ['targets']]];
  for (const [name, build] of Object.entries(isObject(data.builds) ? data.builds : {})) {
    if (isObject(build) && build.targets !== undefined)
      lists.push([build.targets, ['builds', name, 'targets']]);
  }
  for (const [targets, path] of lists) {
    // A misspelt key is reported as such.
    const isMisspelt =
      path.length === 1 && data.targets === undefined && suggest('targets', Object.keys(data));
    if (Array.isArray(targets) && targets.length === 0 && !isMisspelt) {
      report(noTargets({}, { span: spanOf(path, 'key') }));
    }
  }
}

/** Finds the span of a merged value: in the nearest file that has it, or in the origin of a policy. */
function locator(chain: readonly Layer[], policies: readonly JoinedPolicy[]): LoadedConfig['spanOf'] {
  const exact = (path: DataPath, part: 'key' | 'value'): Span | undefined => {
    const places =
      path[0] === 'policies' && typeof path[1] === 'number'
        ? (policies[path[1]]?.origins ?? []).map(({ layer, index }) => ({
            layer,
            path: ['policies', index, ...path.slice(2)],
          }))
        : chain.map(layer => ({ layer, path }));
    for (const place of places) {
      const span = place.layer.file.spanOf(place.path, part);
      if (span) return span;
    }
    return undefined;
  };
  return (path, part = 'value') => {
    for (let length = path.length; length > 0; length--) {
      const span = exact(path.slice(0, length), length === path.length ? part : 'key');
      if (span) return span;
    }
    return { source: chain[0]!.file.source, start: 0, end: 0 };
  };
}

/** The existing entry file, or the default path. */
export function defaultEntry(root: string, disk: Disk): string {
  const isThere = (path: string) => disk.stat(join(root, path)) !== undefined;
  return !isThere(entryPath) && isThere(markdownEntryPath) ? markdownEntryPath : entryPath;
}

function fillDefaults(config: Config, entry: () => string): ProjectConfig {
  const { universalDir = true, includeInstrSkill = true, validation } = config;
  return Object.assign(Object.create(null), config, {
    input: { ...config.input, entry: config.input?.entry ?? entry() },
    universalDir:
      typeof universalDir === 'string' ? normalizePath(universalDir) : universalDir && sharedFolder,
    includeInstrSkill,
    validation: { ...validation, guardRequiresDepth: clampDepth(validation?.guardRequiresDepth ?? 3) },
  });
}
