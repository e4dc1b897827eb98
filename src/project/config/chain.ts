import {
  extendsCycle,
  extendsNotFound,
  policyChanged,
  policyLowered,
  sharedCredentials,
} from '../../generated/diagnostics.ts';
import type { Disk } from '../../host/host.ts';
import { valueAt } from '../../model/data.ts';
import type { RegistrySettings } from '../../registry/reference.ts';
import { type Data, isObject, type UnknownObject } from '../../text/data.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { removingField } from '../../text/diagnostics/fixes.ts';
import { dirname, relative } from '../../text/posix.ts';
import type { Span } from '../../text/source.ts';
import type { DataPath, YamlFile } from '../../text/yaml.ts';
import { checkPolicyNames } from './check.ts';
import { checkForm, mergeData, readConfigFile, resolveFrom } from './source.ts';

/** A file of an `extends` chain that is not parsed yet. */
export interface ConfigFile {
  /** An absolute path, or the name of a file in a registry. */
  readonly path: string;
  /** The unique name of the file in findings. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** For a file in a registry: the reference to it or to the file that extends it. */
  readonly reference?: string;
  /** For a file in a registry: opens another file there, by relative path. */
  readonly openSibling?: (path: string) => Promise<ConfigFile | undefined>;
}

/**
 * Opens a configuration in a registry; `undefined` after a report. `nearer` are the files of the chain so far, whose
 * registry settings and policies apply.
 */
export type OpenShared = (
  reference: string,
  at: Span,
  nearer: readonly Layer[],
  root: string,
  report: Report,
) => Promise<ConfigFile | undefined>;

/** One file of an `extends` chain. */
export interface Layer {
  /** An absolute path, or the name of a file in a registry. */
  readonly path: string;
  readonly file: YamlFile;
  readonly data: UnknownObject;
  /** Whether the file is in a registry. */
  readonly isShared: boolean;
  /** The reference to the file in a nearer one, if it is in a registry. */
  readonly shared?: { readonly reference: string; readonly at: Span };
}

/** How the files of an `extends` chain are opened. */
export interface ChainOptions {
  readonly root: string;
  readonly disk: Disk;
  readonly openShared?: OpenShared | undefined;
}

/**
 * Reads the `extends` chain that starts at a path, the nearest file first. Each file is validated alone, except for
 * fields that another file may supply. Empty after a report.
 */
export async function readChain(path: string, options: ChainOptions, report: Report): Promise<Layer[]> {
  const bytes = options.disk.readBytes(path);
  if (!bytes) {
    report(extendsNotFound({ path: relative(options.root, path) }, {}));
    return [];
  }
  return followChain({ path, name: relative(options.root, path), bytes }, options, report);
}

/** Reads the chain that starts with a file. */
export async function followChain(
  first: ConfigFile,
  options: ChainOptions,
  report: Report,
): Promise<Layer[]> {
  const chain: Layer[] = [];
  let from: Span | undefined;
  for (let next: ConfigFile | undefined = first; next; ) {
    const { path, name } = next;
    const known = chain.findIndex(layer => layer.path === path);
    if (known !== -1) {
      const names = [...chain.slice(known).map(({ file }) => file.source.name), name];
      report(extendsCycle({ chain: names.join(' → ') }, { span: from }));
      return [];
    }
    const layer = await readLayer(next, from, report);
    if (!layer) return [];
    chain.push(layer);
    if (typeof layer.data.extends !== 'string') return chain;
    from = layer.file.spanOf(['extends'])!;
    next = await findExtended(layer.data.extends, next, chain, from, options, report);
  }
  return [];
}

async function readLayer(
  link: ConfigFile,
  from: Span | undefined,
  report: Report,
): Promise<Layer | undefined> {
  const file = readConfigFile(link.name, link.bytes, report);
  if (!file) return undefined;
  // A file with only comments is an object without fields, so that missing fields are reported.
  const data = file.data ?? Object.create(null);
  await checkForm({ ...file, data }, report);
  if (!isObject(data)) return undefined;
  checkPolicyNames(policiesOf({ data }), file.spanOf, report);
  const { path, reference } = link;
  const isShared = link.openSibling !== undefined;
  const shared = reference !== undefined && from && { reference, at: from };
  const layer = { path, file, data, isShared, ...(shared && { shared }) };
  if (isShared) refuseCredentials(layer, report);
  return layer;
}

/** Finds the file that `extends` names: in the same registry, in another one, or on the disk. */
async function findExtended(
  wanted: string,
  link: ConfigFile,
  chain: readonly Layer[],
  at: Span,
  options: ChainOptions,
  report: Report,
): Promise<ConfigFile | undefined> {
  const { root, disk, openShared } = options;
  const isReference = mayBeReference(wanted);
  if (link.openSibling && !isReference) {
    const found = await link.openSibling(wanted);
    if (found) return found;
    report(extendsNotFound({ path: `${wanted} (from ${link.name})` }, { span: at }));
    return undefined;
  }
  const path = resolveFrom(dirname(link.path), wanted);
  const bytes = link.openSibling || wanted.startsWith('@') ? undefined : disk.readBytes(path);
  if (bytes) return { path, name: relative(root, path), bytes };
  if (!isReference || !openShared) {
    report(extendsNotFound({ path: relative(root, path) }, { span: at }));
    return undefined;
  }
  return openShared(wanted, at, chain, root, report);
}

/**
 * Whether a path may be a reference to a registry: `@alias/…`, `git@host:…` or `host.name/…`, but not `./x`, `/x` or
 * `x.yaml`.
 */
export const mayBeReference = (path: string): boolean =>
  /^(?:@[^/\\]|[^/\\@:\s]+@[^/\\:\s]+:|[a-z0-9][a-z0-9.-]*\.[a-z]{2,}(?::\d+)?\/|localhost(?::\d+)?\/)/i.test(
    path,
  );

/** Merges the registry settings of some files of a chain, the nearest first. */
export function registriesOf(chain: readonly Layer[]): RegistrySettings {
  let merged: unknown = Object.create(null);
  for (const { data } of [...chain].reverse()) {
    const { registry, registries } = data;
    merged = mergeData(merged, {
      ...(isObject(registry) && { registry }),
      ...(isObject(registries) && { registries }),
    });
  }
  return merged as RegistrySettings;
}

/** Reports an address from a shared file for which the project has credentials: these must not be sent there. */
export function checkCredentials(chain: readonly Layer[], report: Report): void {
  for (const holder of credentialHolders) {
    const isOwn = (layer: Layer) => !layer.isShared && valueIn(layer, [...holder, 'auth']) !== undefined;
    if (!chain.some(isOwn)) continue;
    for (const field of ['url', 'fallbackUrl']) {
      const path = [...holder, field];
      const layer = chain.find(one => valueIn(one, path) !== undefined);
      if (layer?.isShared)
        report(sharedCredentials({ field: path.join('.') }, { span: layer.file.spanOf(path, 'key') }));
    }
  }
}

/**
 * Reports credentials in a shared file. Such a file must not be able to read environment variables of its users, or to
 * send them anywhere.
 */
function refuseCredentials(layer: Layer, report: Report): void {
  for (const path of credentialHolders.map(holder => [...holder, 'auth'])) {
    if (valueIn(layer, path) !== undefined)
      report(sharedCredentials({ field: path.join('.') }, { span: layer.file.spanOf(path, 'key') }));
  }
}

/** The objects that may have `auth`. */
const credentialHolders = [['registry'], ['registry', 'git']];

const valueIn = ({ data }: Layer, path: DataPath): unknown => valueAt(data as Data, path);

/** The policies of one file. */
export const policiesOf = ({ data }: Pick<Layer, 'data'>): readonly unknown[] =>
  Array.isArray(data.policies) ? data.policies : [];

/** A merged policy. */
export interface JoinedPolicy {
  readonly policy: unknown;
  /** The files that declare it, with its index there, the nearest first. */
  readonly origins: readonly { readonly layer: Layer; readonly index: number }[];
}

/**
 * Joins the policies of a chain by name. The chain starts with the nearest file; inherited policies come first.
 * Policies with the same name and kind are merged; `checkInherited` reports changes that are not allowed.
 */
export function joinPolicies(chain: readonly Layer[]): JoinedPolicy[] {
  const joined: JoinedPolicy[] = [];
  for (const layer of [...chain].reverse()) {
    const inherited = new Map(
      joined.map(({ policy }, at) => [isObject(policy) ? policy.name : undefined, at]),
    );
    for (const [index, policy] of policiesOf(layer).entries()) {
      const name = isObject(policy) ? policy.name : undefined;
      const twin = inherited.get(name);
      if (twin === undefined || typeof name !== 'string') {
        joined.push({ policy, origins: [{ layer, index }] });
        continue;
      }
      const { policy: far, origins } = joined[twin]!;
      const isSameKind = (far as UnknownObject).kind === (policy as UnknownObject).kind;
      joined[twin] = {
        policy: isSameKind ? mergeData(far, policy) : policy,
        origins: [{ layer, index }, ...origins],
      };
    }
  }
  return joined;
}

/**
 * Reports changes of inherited policies. A nearer file may only raise a policy to an error; anything else needs a
 * policy of its own.
 */
export function checkInherited(policies: readonly JoinedPolicy[], report: Report): void {
  for (const { origins } of policies) {
    const versions = origins.map(({ layer, index }) => ({
      ...layer.file,
      path: ['policies', index] as const,
      policy: policiesOf(layer)[index] as UnknownObject,
    }));
    for (const [at, near] of versions.entries()) compareVersions(near, versions.slice(at + 1), report);
  }
}

/** One policy as one file of the chain declares it. */
interface Version extends Pick<YamlFile, 'source' | 'spanOf'> {
  readonly path: readonly ['policies', number];
  readonly policy: UnknownObject;
}

function compareVersions(near: Version, inherited: readonly Version[], report: Report): void {
  // A policy without a severity is incomplete.
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
