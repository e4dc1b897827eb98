import { dirname, join, resolve } from 'node:path';
import { packageMissing, registryAddressRefused, registryFolderMissing } from '../generated/diagnostics.ts';
import { type Disk, HostError } from '../host/host.ts';
import { pathBelow } from '../host/relative-path.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import type { Span } from '../text/source.ts';
import { gitCredentials, httpAuthorization } from './credentials.ts';
import { credentialsOverHttp } from './failure.ts';
import { factsOf, openGitSource } from './git-source.ts';
import type { GitSource } from './git-transport.ts';
import { openHttpSource } from './http.ts';
import { type Destination, type GitSetting, REGISTRY, settingAt } from './reference.ts';
import type { SourceContext } from './source-context.ts';
import { localTree, type OpenSource } from './tree.ts';

/** The name of a source in the lock file, with the version of the reference. */
export const withVersion = (name: string, version: string | undefined): string =>
  version === undefined ? name : `${name}@${version}`;

/**
 * Opens the source at a place, at a version if it is a repository. `undefined` after a report; it is asynchronous so that
 * a source is opened once.
 */
export async function openSource(
  place: Exclude<Destination, { kind: 'invalid' | 'unknown' }>,
  version: string | undefined,
  context: SourceContext,
  at: Span,
): Promise<OpenSource | undefined> {
  const { name } = place;
  if (place.kind === 'package') return openPackage(name, context, at);
  const setting = settingAt(place, context.options.config);
  if (setting.kind === 'folder') return openDirectory(setting.path, name, context, at);
  if (setting.kind === 'web') return openWeb(setting.url, context, at);
  const source = gitSourceOf(name, version, setting, context, at);
  return source && openGit(source, context, at);
}

/** The repository of a setting, with its credentials; `undefined` after a report. */
export function gitSourceOf(
  name: string,
  version: string | undefined,
  { url, fallbackUrl, signers, auth, ref, root }: GitSetting,
  opening: SourceContext,
  at: Span,
): GitSource | undefined {
  const isMain = name === REGISTRY;
  const path = isMain ? ['registry', 'git'] : ['registries', name];
  const shown = isMain ? '`registry.git`' : `\`${name}\``;
  const addressIn = (key: 'url' | 'fallbackUrl', text: string) =>
    opening.addressOf(text, [...path, key], shown, at);
  const address = addressIn('url', url);
  const fallback = fallbackUrl === undefined ? undefined : addressIn('fallbackUrl', fallbackUrl);
  if (!address || (fallbackUrl !== undefined && !fallback)) return undefined;
  const credentials = gitCredentials(auth, address, opening, at);
  if (!credentials) return undefined;
  const repository = { address, ...(fallback && { fallback }), ...(signers && { signers }), ...credentials };
  return { source: withVersion(name, version), name, repository, version: version ?? ref, root };
}

/** Opens a package as Node would find it: in `node_modules` of the project or of a parent folder. */
function openPackage(name: string, opening: SourceContext, at: Span): OpenSource | undefined {
  const { disk, root } = opening.options;
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    const id = `npm:${name}`;
    const isThere = disk.stat(path)?.kind === 'directory' && isPackage(folder, name, disk);
    const source = isThere ? openDirectory(path, id, opening, at) : undefined;
    // The name instead of the folder, because the package is the same on every machine.
    if (source) return { tree: source.tree, layer: { registry: id } };
    if (dirname(folder) === folder) break;
  }
  opening.report(packageMissing({ name }, { span: at }));
  return undefined;
}

/** Opens a local directory; the ids of its files start with `id`. `undefined` after a report. */
function openDirectory(
  path: string,
  id: string,
  { options: { disk, root }, files, report }: SourceContext,
  at: Span,
): OpenSource | undefined {
  const real = disk.realpath(resolve(root, path));
  if (real === undefined || disk.stat(real)?.kind !== 'directory') {
    report(registryFolderMissing({ path }, { span: at }));
    return undefined;
  }
  const note = (file: string) => void files.add(file);
  const tree = (place: Span) => localTree(disk, real, id, path, { report, note }, place);
  const own = isInRepository(real, root, disk);
  return { tree, layer: { registry: path, directory: true, ...(own && { own }) } };
}

/** What marks the top of a working copy. */
const versionControl = ['.git', '.hg', '.jj', '.svn'];

/**
 * Whether a directory is in the same working copy as the project; without version control, in the project
 * itself.
 */
function isInRepository(directory: string, root: string, disk: Disk): boolean {
  const project = disk.realpath(root) ?? root;
  const above: string[] = [project];
  while (dirname(above.at(-1)!) !== above.at(-1)) above.push(dirname(above.at(-1)!));
  const isTop = (folder: string) => versionControl.some(name => disk.stat(join(folder, name)));
  const top = above.find(isTop) ?? project;
  return pathBelow(top, directory) !== undefined;
}

/** Opens `registry.url`, files over HTTP; `undefined` after a report. */
function openWeb(url: string, opening: SourceContext, at: Span): OpenSource | undefined {
  const { options, report } = opening;
  const address = opening.addressOf(url, ['registry', 'url'], '`registry`', at);
  if (!address) return undefined;
  if (address.origin === undefined) {
    const reason = 'files over HTTP need an address with https:// (a repository belongs into `registry.git`)';
    report(registryAddressRefused({ address: address.shown, registry: '`registry`', reason }, { span: at }));
    return undefined;
  }
  const authorization = httpAuthorization(options.config.registry?.auth, address, opening, at);
  if (authorization !== undefined && address.protocol === 'http' && !address.loopback) {
    report(credentialsOverHttp(address, { span: at }));
    return undefined;
  }
  const pin = opening.pinOf({ source: REGISTRY, kind: 'http', url: address.shown }, at);
  if (pin === false) return undefined;

  return openHttpSource(address, authorization, pin, opening, at);
}

async function openGit(
  { root: configured, ...repository }: GitSource,
  context: SourceContext,
  at: Span,
): Promise<OpenSource | undefined> {
  const root = normalizeInnerPath(configured);
  if (root === undefined) {
    context.report(registryFolderMissing({ path: configured }, { span: at }));
    return undefined;
  }
  const source = { ...repository, root };
  const pin = context.pinOf(factsOf(source), at);
  return pin === false ? undefined : openGitSource(source, pin, context, at);
}

/**
 * Whether a folder is the named package. A repository can contain a symlink from `node_modules` to any folder
 * of the user, so a folder elsewhere must have a `package.json` with this name.
 */
function isPackage(folder: string, name: string, disk: Disk): boolean {
  const path = join(folder, 'node_modules', name);
  if (isInRepository(disk.realpath(path) ?? path, folder, disk)) return true;
  try {
    const bytes = disk.readBytes(join(path, 'package.json'));
    return bytes !== undefined && JSON.parse(new TextDecoder().decode(bytes))?.name === name;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof HostError) return false;
    throw error;
  }
}
