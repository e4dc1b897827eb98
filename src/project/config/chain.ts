import {
  extendsCycle,
  extendsNotFound,
  policyChanged,
  policyLowered,
  sharedCredentials,
} from '../../generated/diagnostics.ts';
import type { Config } from '../../generated/types/config.ts';
import { configForm } from '../../generated/validators/config-form.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { removingField } from '../../text/diagnostics/fixes.ts';
import { dirname, relative } from '../../text/posix.ts';
import type { Span } from '../../text/source.ts';
import type { DataPath, YamlFile } from '../../text/yaml.ts';
import { checkPolicyNames } from './check.ts';
import type { PolicyOrigin } from './merge.ts';
import { type Data, isData, mergeData } from './merge.ts';
import { type ConfigReader, readConfigFile, resolveFrom } from './source.ts';

/** Where references to registries lead, as far as a configuration says it. */
export type RegistrySection = Pick<Config, 'registry' | 'registries'>;

/** A configuration that lies in a registry. */
export interface SharedConfig {
  /** How findings call the file; unique. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Another file of the same registry, by a path relative to this one. */
  readonly openSibling: (path: string) => Promise<SharedConfig | undefined>;
}

/** A reference to a configuration in a registry, and what is to be known for finding it. */
export interface SharedRequest {
  readonly reference: string;
  /** What the configurations nearer than the wanted one say about registries. */
  readonly settings: RegistrySection;
  /** Absolute path of the project. */
  readonly root: string;
  readonly at: Span;
  /** The policies of those configurations, with their places. */
  readonly policies: readonly unknown[];
  readonly placeOf: (path: DataPath) => Span | undefined;
}

/** Finds configurations in registries; what goes wrong has been reported when there is none. */
export type OpenShared = (request: SharedRequest, report: Report) => Promise<SharedConfig | undefined>;

/** One file of a chain of `extends`. */
export interface Layer {
  /** Absolute path, or the name of a file of a registry. */
  readonly path: string;
  readonly file: YamlFile;
  readonly data: Data;
  /** It lies in a registry. */
  readonly isShared: boolean;
  /** Reference by which a nearer file names it, when it comes from a registry. */
  readonly shared?: { readonly reference: string; readonly at: Span };
}

/** A file of the chain before it is read. */
interface Link {
  readonly path: string;
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly openSibling?: SharedConfig['openSibling'];
  readonly reference?: string;
}

/** How the files of a chain of `extends` are reached. */
export interface ChainOptions {
  /** Absolute path of the project. */
  readonly root: string;
  readonly reader: ConfigReader;
  readonly openShared?: OpenShared | undefined;
}

/** The policies of one file, as they are written there. */
export const policiesOf = (data: Data): readonly unknown[] =>
  Array.isArray(data.policies) ? data.policies : [];

/**
 * The files of the chain that begins at a path, the nearest first; each is validated on its own, but for what another
 * may supply. Empty after a report.
 */
export async function readChain(path: string, options: ChainOptions, report: Report): Promise<Layer[]> {
  const bytes = options.reader.read(path);
  if (!bytes) {
    report(extendsNotFound({ path: relative(options.root, path) }, {}));
    return [];
  }
  return followChain({ path, name: relative(options.root, path), bytes }, options, report);
}

/** The chain that begins with a file of a registry. */
export function readSharedChain(
  { name, bytes, openSibling }: SharedConfig,
  reference: string,
  options: ChainOptions,
  report: Report,
): Promise<Layer[]> {
  return followChain({ path: name, name, bytes, openSibling, reference }, options, report);
}

async function followChain(first: Link, options: ChainOptions, report: Report): Promise<Layer[]> {
  const chain: Layer[] = [];
  let next: Link | undefined = first;
  let from: Span | undefined;
  while (next !== undefined) {
    const link: Link = next;
    const known = chain.findIndex(layer => layer.path === link.path);
    if (known !== -1) {
      const names = [...chain.slice(known).map(({ file }) => file.source.name), link.name];
      report(extendsCycle({ chain: names.join(' → ') }, { span: from }));
      return [];
    }
    const layer = await readLayer(link, from, report);
    if (!layer) return [];
    chain.push(layer);
    from = layer.file.spanOf(['extends']);
    const { extends: wanted } = layer.data;
    next = undefined;
    if (typeof wanted !== 'string') break;
    next = await findLink(wanted, link, chain, from!, options, report);
    if (!next) return [];
  }
  return chain;
}

async function readLayer(link: Link, from: Span | undefined, report: Report): Promise<Layer | undefined> {
  const file = readConfigFile(link.name, link.bytes, report);
  if (!file) return undefined;
  // A file with nothing but comments is an object without fields: what is missing is reported as such.
  const data = file.data ?? Object.create(null);
  if (!configForm(data)) {
    const { explainForm } = await import('./explain-form.ts');
    explainForm({ ...file, data }, report);
  }
  if (!isData(data)) return undefined;
  checkPolicyNames(policiesOf(data), file.spanOf, report);
  if (link.openSibling) refuseCredentials(data, file, report);
  const { reference } = link;
  const isShared = link.openSibling !== undefined;
  return {
    path: link.path,
    file,
    data,
    isShared,
    ...(reference !== undefined && from && { shared: { reference, at: from } }),
  };
}

/** The file that `extends` names: of the same registry, of another one, or of this machine. */
async function findLink(
  wanted: string,
  link: Link,
  chain: readonly Layer[],
  at: Span,
  options: ChainOptions,
  report: Report,
): Promise<Link | undefined> {
  const { root, reader, openShared } = options;
  const isReference = mayBeReference(wanted);
  if (link.openSibling && !isReference) {
    const found = await link.openSibling(wanted);
    if (found) return { ...found, path: found.name, reference: link.reference! };
    report(extendsNotFound({ path: `${wanted} (from ${link.name})` }, { span: at }));
    return undefined;
  }
  const path = resolveFrom(dirname(link.path), wanted);
  const bytes = link.openSibling || wanted.startsWith('@') ? undefined : reader.read(path);
  if (bytes) return { path, name: relative(root, path), bytes };
  if (!isReference || !openShared) {
    report(extendsNotFound({ path: relative(root, path) }, { span: at }));
    return undefined;
  }
  const settings = registriesOf(chain);
  const joined = chain.flatMap(({ data, file }) =>
    policiesOf(data).map((policy, index) => ({
      policy,
      place: (rest: DataPath) => file.spanOf(['policies', index, ...rest]),
    })),
  );
  const request: SharedRequest = {
    reference: wanted,
    settings,
    root,
    at,
    policies: joined.map(({ policy }) => policy),
    placeOf: ([, index, ...rest]) => joined[index as number]?.place(rest),
  };
  const found = await openShared(request, report);
  return found && { ...found, path: found.name, reference: wanted };
}

/** `@alias/…`, `git@host:…` and `host.name/…` may name a file of a registry; `./x`, `/x` and `x.yaml` do not. */
export const mayBeReference = (path: string): boolean =>
  /^(?:@[^/\\]|[^/\\@:\s]+@[^/\\:\s]+:|[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?::\d+)?\/|localhost(?::\d+)?\/)/i.test(
    path,
  );

/** What some files of a chain, the nearest first, say about registries. */
export function registriesOf(chain: readonly Layer[]): RegistrySection {
  let merged: unknown = Object.create(null);
  for (const { data } of [...chain].reverse()) {
    const { registry, registries } = data;
    merged = mergeData(merged, {
      ...(isData(registry) && { registry }),
      ...(isData(registries) && { registries }),
    });
  }
  return merged as RegistrySection;
}

/** Credentials of the project are not for an address that a file of a registry says. */
export function checkCredentials(chain: readonly Layer[], report: Report): void {
  const valueAt = ({ data }: Layer, path: DataPath): unknown =>
    path.reduce<unknown>((value, key) => (isData(value) ? value[key] : undefined), data);
  for (const holder of [['registry'], ['registry', 'git']]) {
    const isOwn = (layer: Layer) => !layer.isShared && valueAt(layer, [...holder, 'auth']) !== undefined;
    if (!chain.some(isOwn)) continue;
    for (const field of ['url', 'fallbackUrl']) {
      const path = [...holder, field];
      const layer = chain.find(one => valueAt(one, path) !== undefined);
      if (layer?.isShared)
        report(sharedCredentials({ field: path.join('.') }, { span: layer.file.spanOf(path, 'key') }));
    }
  }
}

/**
 * A shared file must not be able to read the environment of whoever uses it, nor send it anywhere: credentials stand
 * in the project's own configuration.
 */
function refuseCredentials(data: Data, file: YamlFile, report: Report): void {
  const { registry } = data;
  if (!isData(registry)) return;
  const git = isData(registry.git) ? registry.git : {};
  for (const [path, value] of [
    [['registry', 'auth'], registry.auth],
    [['registry', 'git', 'auth'], git.auth],
  ] as const) {
    if (value !== undefined)
      report(sharedCredentials({ field: path.join('.') }, { span: file.spanOf(path, 'key') }));
  }
}

/**
 * Reports what a nearer file says otherwise about an inherited policy: it may make it an error, and nothing else. What
 * it wants beside it goes into a policy of its own, because policies add up.
 */
export function checkInherited(
  chain: readonly Layer[],
  origins: readonly PolicyOrigin[],
  report: Report,
): void {
  for (const places of origins) {
    const versions = places.map(({ file, index }) => ({
      ...chain[file]!.file,
      path: ['policies', index] as const,
      policy: policiesOf(chain[file]!.data)[index] as Data,
    }));
    for (const [at, near] of versions.entries()) compareVersions(near, versions.slice(at + 1), report);
  }
}

/** One policy as one file of the chain has it. */
interface Version extends Pick<YamlFile, 'source' | 'spanOf'> {
  readonly path: readonly ['policies', number];
  readonly policy: Data;
}

function compareVersions(near: Version, inherited: readonly Version[], report: Report): void {
  // What has no severity yet is no policy, but the beginning of one.
  const whole = inherited.find(({ policy }) => policy.severity !== undefined);
  if (!whole) return;
  for (const [key, value] of Object.entries(near.policy)) {
    if (key === 'name' || key === 'description') continue;
    const far = inherited.find(({ policy }) => policy[key] !== undefined) ?? whole;
    if (isSame(far.policy[key], value)) continue;
    const path = [...near.path, key];
    const place = far.spanOf([...far.path, key]) ?? far.spanOf(far.path);
    const related = place && [{ message: 'declared here', span: place }];
    const where = { span: near.spanOf(path) ?? near.spanOf(near.path), related };
    const holes = { policy: String(near.policy.name), inherited: far.source.name };
    if (key !== 'severity') report(policyChanged({ ...holes, field: key }, where));
    else if (value !== 'error') {
      const fixes = removingField(part => near.spanOf(path, part), 'severity');
      report(policyLowered(holes, { ...where, fixes }));
    }
  }
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Whether a policy says the same as one that is there. */
export const hasPolicy = (policies: readonly unknown[], policy: unknown): boolean =>
  policies.some(one => isData(one) && isSame(sorted(one), isData(policy) ? sorted(policy) : policy));

const sorted = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1)));
