import { posix } from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import { removingField } from '../diagnostics/fixes.ts';
import { extendsCycle, extendsNotFound, noTargets, policyLowered } from '../generated/diagnostics.ts';
import type { Config, Input, Validation } from '../generated/types/config.ts';
import { configForm } from '../generated/validators/config-form.ts';
import { plainPath } from '../text/paths.ts';
import { entryPath, markdownEntryPath } from '../text/places.ts';
import type { Span } from '../text/source.ts';
import type { DataPath, YamlFile } from '../text/yaml.ts';
import { checkConfig, checkPolicyNames, clampDepth } from './check.ts';
import { type Data, isData, joinPolicies, mergeData, type PolicyOrigin } from './merge.ts';
import { type ConfigReader, findConfig, readConfigFile, resolveFrom } from './source.ts';

/** A configuration in which what has a harmless default has a value. */
export type ProjectConfig = Config & {
  readonly input: Input & { readonly entry: string };
  readonly universalDir: string | false;
  readonly includeInstrSkill: boolean;
  readonly validation: Validation & { readonly guardRequiresDepth: number };
};

export interface LoadedConfig {
  /** The chain of `extends` merged, defaults filled in. Objects have no prototype. */
  readonly config: ProjectConfig;
  /** Absolute path of the nearest file. */
  readonly path: string;
  /** Absolute path of the project root: the directory of that file. */
  readonly root: string;
  /** Absolute paths of all files that were read, the nearest first. */
  readonly files: readonly string[];
  /**
   * The place of a value (or of its key) in whichever file it comes from. What is not written anywhere is placed
   * at what contains it; `undefined` never happens below a file that has content.
   */
  readonly spanOf: (path: DataPath, part?: 'key' | 'value') => Span | undefined;
}

export type { ConfigReader } from './source.ts';

export interface LoadOptions {
  /** Absolute working directory, `/`-separated. */
  readonly cwd: string;
  /** The value of `--config`, absolute or relative to `cwd`. */
  readonly explicit?: string | undefined;
  readonly reader: ConfigReader;
}

/** One file of the `extends` chain. */
interface Layer {
  readonly path: string;
  readonly file: YamlFile;
  readonly data: Data;
}

/**
 * Finds, reads, merges and checks the configuration. Everything that is wrong is reported with its place;
 * `undefined` when there was an error, because a half-understood configuration must not write files.
 */
export async function loadConfig(options: LoadOptions, report: Report): Promise<LoadedConfig | undefined> {
  let failed = false;
  const note: Report = diagnostic => {
    failed ||= diagnostic.severity === 'error';
    report(diagnostic);
  };
  const path = findConfig(options.cwd, options.explicit, options.reader, note);
  if (path === undefined) return undefined;
  const root = posix.dirname(path);
  const chain = await readChain(path, root, options.reader, note);
  if (chain.length === 0) return undefined;

  let merged: unknown;
  for (const layer of [...chain].reverse()) merged = mergeData(merged ?? Object.create(null), layer.data);
  const { policies, origins } = joinPolicies(chain.map(layer => policiesOf(layer.data)));
  const data = merged as Data;
  if (policies.length > 0) data.policies = policies;
  const spanOf = locator(chain, origins);
  await checkRequired(data, chain[0]!.file, spanOf, note);
  checkLowered(chain, origins, spanOf, note);
  if (failed) return undefined;
  const config = data as unknown as Config;
  checkConfig(config, spanOf, note);
  if (failed) return undefined;
  const entry = () => defaultEntry(root, options.reader);
  return { config: fillDefaults(config, entry), path, root, files: chain.map(layer => layer.path), spanOf };
}

/** The files of the chain, the nearest first; each is validated on its own, but for what another may supply. */
async function readChain(path: string, root: string, reader: ConfigReader, report: Report): Promise<Layer[]> {
  const chain: Layer[] = [];
  const nameOf = (file: string) => posix.relative(root, file);
  let next: string | undefined = path;
  let from: Span | undefined;
  while (next !== undefined) {
    const known = chain.findIndex(layer => layer.path === next);
    if (known !== -1) {
      const names = [...chain.slice(known).map(layer => nameOf(layer.path)), nameOf(next)];
      report(extendsCycle({ chain: names.join(' → ') }, { span: from }));
      return [];
    }
    const bytes = reader.read(next);
    if (!bytes) {
      report(extendsNotFound({ path: nameOf(next) }, { span: from }));
      return [];
    }
    const file = readConfigFile(nameOf(next), bytes, report);
    if (!file) return [];
    // A file with nothing but comments is an object without fields: what is missing is reported as such.
    const data = file.data ?? Object.create(null);
    if (!configForm(data)) {
      const { explainForm } = await import('./explain-form.ts');
      explainForm({ ...file, data }, report);
    }
    if (!isData(data)) return [];
    checkPolicyNames(policiesOf(data), file.spanOf, report);
    chain.push({ path: next, file, data });
    from = file.spanOf(['extends']);
    next = typeof data.extends === 'string' ? resolveFrom(posix.dirname(next), data.extends) : undefined;
  }
  return chain;
}

const policiesOf = (data: Data): readonly unknown[] => (Array.isArray(data.policies) ? data.policies : []);

/** Fields that are required somewhere in the chain, and a list of targets with something in it. */
async function checkRequired(
  data: Data,
  nearest: YamlFile,
  spanOf: LoadedConfig['spanOf'],
  report: Report,
): Promise<void> {
  if (!configForm(data)) {
    const { explainMissing } = await import('./explain-form.ts');
    explainMissing({ source: nearest.source, data, problems: [], spanOf }, report);
  }
  const lists: [unknown, DataPath][] = [[data.targets ?? [], ['targets']]];
  for (const [name, build] of Object.entries(isData(data.builds) ? data.builds : {})) {
    if (isData(build) && build.targets !== undefined)
      lists.push([build.targets, ['builds', name, 'targets']]);
  }
  for (const [targets, path] of lists) {
    if (Array.isArray(targets) && targets.length === 0) {
      report(noTargets({}, { span: spanOf(path, 'key') }));
    }
  }
}

/** A policy that a nearer file makes milder. */
function checkLowered(
  chain: readonly Layer[],
  origins: readonly PolicyOrigin[],
  spanOf: LoadedConfig['spanOf'],
  report: Report,
): void {
  for (const [index, places] of origins.entries()) {
    const values = places.map(place => ({
      ...place,
      policy: policiesOf(chain[place.file]!.data)[place.index],
    }));
    const severities = values.filter(({ policy }) => isData(policy) && policy.severity !== undefined);
    const [near, ...far] = severities;
    const error = far.find(({ policy }) => (policy as Data).severity === 'error');
    if (!near || !error || (near.policy as Data).severity !== 'warning') continue;
    const source = chain[error.file]!.file;
    const span = source.spanOf(['policies', error.index, 'severity']);
    report(
      policyLowered(
        { policy: String((near.policy as Data).name), inherited: source.source.name },
        {
          span: spanOf(['policies', index, 'severity']),
          fixes: removingField(part => spanOf(['policies', index, 'severity'], part), 'severity'),
          related: span && [{ message: 'declared as an error', span }],
        },
      ),
    );
  }
}

/** Finds the place of a merged value: the nearest file that has it, for policies by where they were joined from. */
function locator(chain: readonly Layer[], origins: readonly PolicyOrigin[]): LoadedConfig['spanOf'] {
  const exact = (path: DataPath, part: 'key' | 'value'): Span | undefined => {
    const places =
      path[0] === 'policies' && typeof path[1] === 'number'
        ? (origins[path[1]] ?? []).map(({ file, index }) => ({
            file,
            path: ['policies', index, ...path.slice(2)],
          }))
        : chain.map((_layer, file) => ({ file, path }));
    for (const place of places) {
      const span = chain[place.file]!.file.spanOf(place.path, part);
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

/** The entry that is there; where none is, the one to write. */
function defaultEntry(root: string, reader: ConfigReader): string {
  const isThere = (path: string) => reader.exists(posix.join(root, path));
  return !isThere(entryPath) && isThere(markdownEntryPath) ? markdownEntryPath : entryPath;
}

function fillDefaults(config: Config, entry: () => string): ProjectConfig {
  const { universalDir = true, includeInstrSkill = true, validation } = config;
  return Object.assign(Object.create(null), config, {
    input: { ...config.input, entry: config.input?.entry ?? entry() },
    universalDir: typeof universalDir === 'string' ? plainPath(universalDir) : universalDir && '.agents',
    includeInstrSkill,
    validation: { ...validation, guardRequiresDepth: clampDepth(validation?.guardRequiresDepth ?? 3) },
  });
}
