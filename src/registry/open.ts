import { dirname, join, resolve } from 'node:path';
import { packageMissing, registryAddressRefused, registryFolderMissing } from '../generated/diagnostics.ts';
import type { RegistryAliasEntry } from '../generated/types/config.ts';
import { type Disk, HostError } from '../host/host.ts';
import { pathBelow } from '../host/relative-path.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import type { Span } from '../text/source.ts';
import { splitSource } from '../text/source-name.ts';
import type { DataPath } from '../text/yaml.ts';
import { gitCredentials, httpAuthorization } from './credentials.ts';
import { explainFailure } from './explain.ts';
import { factsOf, openGitSource, reportGitProblem } from './git-source.ts';
import type { Repository } from './git-transport.ts';
import { openHttpSource } from './http.ts';
import type { LockEntry } from './lock.ts';
import { REGISTRY } from './reference.ts';
import type { SourceContext } from './source-context.ts';
import type { OpenSource } from './tree.ts';
import { localTree } from './tree.ts';

/** The name of a source in the lock file, with the version of the reference. */
export const withVersion = (name: string, version: string | undefined): string =>
  version === undefined ? name : `${name}@${version}`;

/** Opens the repository of an alias in `registries`; `undefined` after a report. */
export async function openAlias(
  alias: string,
  version: string | undefined,
  opening: SourceContext,
  at: Span,
): Promise<OpenSource | undefined> {
  const setting = opening.options.config.registries![alias]!;
  if (typeof setting === 'object' && 'path' in setting)
    return openDirectory(setting.path, alias, opening, at);
  const settings = typeof setting === 'string' ? { url: setting } : setting;
  const path = ['registries', alias];
  const repository = repositoryOf(settings, path, `\`${alias}\``, opening, at);
  const root = settings.root ?? '';
  return repository && openGit({ name: alias, repository, version, wanted: 'HEAD', root }, opening, at);
}

/** The repository of a locked source, with the currently configured credentials. */
export function lockedRepository(
  { source, url }: Pick<LockEntry, 'source' | 'url'>,
  opening: SourceContext,
  at: Span,
): Repository | undefined {
  const { registries = {}, registry = {} } = opening.options.config;
  const [base] = splitSource(source);
  const setting = registries[base];
  if (base === REGISTRY && registry.git) return registryRepository(opening, at);
  const settings =
    typeof setting === 'object' && 'url' in setting
      ? setting
      : { url: typeof setting === 'string' ? setting : url };
  return repositoryOf(settings, ['registries', base], `\`${base}\``, opening, at);
}

function registryRepository(opening: SourceContext, at: Span): Repository | undefined {
  const { config, disk, environment } = opening.options;
  const git = config.registry!.git!;
  const named = repositoryOf(git, ['registry', 'git'], '`registry.git`', opening, at);
  const credentials =
    named && gitCredentials(git.auth, named.address, { disk, environment, report: opening.report }, at);
  return credentials && { ...named, ...credentials };
}

/** Opens `registry.git` at a version; `undefined` after a report. */
export async function openRegistryGit(
  version: string | undefined,
  opening: SourceContext,
  at: Span,
): Promise<OpenSource | undefined> {
  const git = opening.options.config.registry!.git!;
  const repository = registryRepository(opening, at);
  if (!repository) return undefined;
  const [wanted, root] = [git.ref ?? 'main', git.path ?? ''];
  return openGit({ name: REGISTRY, repository, version, wanted, root }, opening, at);
}

/** Opens a package as Node would find it: in `node_modules` of the project or of a parent folder. */
export function openPackage(name: string, opening: SourceContext, at: Span): OpenSource | undefined {
  const { disk, root } = opening.options;
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    const id = `npm:${name}`;
    const isThere = disk.stat(path)?.kind === 'directory' && isPackage(folder, name, disk);
    const source = isThere ? openDirectory(path, id, opening, at) : undefined;
    // The name instead of the folder, because the package is the same on every machine.
    if (source) return { tree: source.tree, registry: id };
    if (dirname(folder) === folder) break;
  }
  opening.report(packageMissing({ name }, { span: at }));
  return undefined;
}

/** Opens a local directory; the ids of its files start with `id`. `undefined` after a report. */
export function openDirectory(
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
  return { registry: path, tree, own: isInRepository(real, root, disk) };
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
export async function openRegistryWeb(
  url: string,
  opening: SourceContext,
  at: Span,
): Promise<OpenSource | undefined> {
  const { options, report } = opening;
  const { disk, environment } = options;
  const address = opening.addressOf(url, ['registry', 'url'], '`registry`', at);
  if (!address) return undefined;
  if (address.origin === undefined) {
    const reason = 'files over HTTP need an address with https:// (a repository belongs into `registry.git`)';
    report(registryAddressRefused({ address: address.shown, registry: '`registry`', reason }, { span: at }));
    return undefined;
  }
  const credentials = httpAuthorization(
    options.config.registry?.auth,
    address,
    { disk, environment, report },
    at,
  );
  if (credentials.header !== undefined && address.protocol === 'http' && !address.loopback) {
    const attempt = { address, tried: [], hasToken: true, hasKey: false, seconds: 0, http: true };
    report(explainFailure({ kind: 'plain-http', reason: '' }, attempt, { span: at }));
    return undefined;
  }
  const pin = opening.pinOf({ source: REGISTRY, kind: 'http', url: address.shown }, at);
  if (pin === false) return undefined;

  return openHttpSource(address, credentials, pin, opening, at);
}

function repositoryOf(
  { url, fallbackUrl, signers }: Pick<RegistryAliasEntry, 'url' | 'fallbackUrl' | 'signers'>,
  path: DataPath,
  registry: string,
  { addressOf }: SourceContext,
  at: Span,
): Repository | undefined {
  const address = addressOf(url, [...path, 'url'], registry, at);
  const fallback =
    fallbackUrl === undefined ? undefined : addressOf(fallbackUrl, [...path, 'fallbackUrl'], registry, at);
  if (!address || (fallbackUrl !== undefined && !fallback)) return undefined;
  return { address, ...(fallback && { fallback }), ...(signers && { signers }) };
}

interface WantedRepository {
  readonly name: string;
  readonly repository: Repository;
  /** The version in the reference. */
  readonly version: string | undefined;
  /** The version to use when the reference has none. */
  readonly wanted: string;
  /** Directory of the repository, as configured. */
  readonly root: string;
}

async function openGit(
  { name, repository, version, wanted, root }: WantedRepository,
  opening: SourceContext,
  at: Span,
): Promise<OpenSource | undefined> {
  const { report } = opening;
  const inner = normalizeInnerPath(root);
  if (inner === undefined) {
    report(registryFolderMissing({ path: root }, { span: at }));
    return undefined;
  }

  const source = withVersion(name, version);
  const asked = { source, name, repository, version: version ?? wanted, root: inner };
  const pin = opening.pinOf(factsOf(asked), at);
  if (pin === false) return undefined;
  const result = await openGitSource(asked, pin, opening, at);
  const isRefused = 'failure' in result && result.failure.kind === 'access';
  if (repository.unset && !isRefused) report(repository.unset);
  if ('tree' in result) return result;
  const second = 'failure' in result ? result.at : undefined;
  const tried = [repository.address, ...(second ? [second] : [])].map(({ shown }) => shown);
  reportGitProblem(result, asked, tried, opening, at);
  return undefined;
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
