import { join, resolve } from 'node:path';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { cacheDirectory } from '../host/cache-dir.ts';
import type { Disk } from '../host/host.ts';
import { parseAddress } from '../registry/address.ts';
import { cachedRepository } from '../registry/git.ts';
import { type RegistrySettings, settingOf, splitReference } from '../registry/reference.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import { isMarkdownPath } from '../text/places.ts';
import type { ReadProject } from './project.ts';

/** What is known of the project of a document. */
export interface NameContext {
  readonly root: string;
  readonly disk: Disk;
  readonly read: ReadProject | undefined;
}

/** The locally known content of a registry: nothing is fetched while the user types. */
interface Known {
  readonly files: readonly string[];
  readonly versions: readonly string[];
}

const nothing: Known = { files: [], versions: [] };

/** Completes paths in a registry and, after `@`, its tags and branches. */
export async function registryNames(typed: string, context: NameContext): Promise<CompletionItem[]> {
  const settings = context.read?.project.loaded.config ?? {};
  const at = typed.lastIndexOf('@');
  const hasVersion = at > 0 && typed[at - 1] !== '/';
  const reference = (hasVersion ? typed.slice(0, at) : typed).replace(/\/[^/]*$/, hasVersion ? '$&' : '');
  const known = await knownOf(reference, hasVersion ? typed.slice(at + 1) : undefined, settings, context);
  if (!known) return [];
  if (hasVersion)
    return known.versions.map((name, index) => ({
      label: `${typed.slice(0, at)}@${name}`,
      kind: CompletionItemKind.Constant,
      sortText: String(index).padStart(5, '0'),
    }));
  return childrenOf(known.files, known.path).map(({ name, isFolder }) => ({
    label: `${reference}/${name}`,
    kind: isFolder ? CompletionItemKind.Folder : CompletionItemKind.File,
  }));
}

async function knownOf(
  reference: string,
  version: string | undefined,
  settings: RegistrySettings,
  { root, disk }: NameContext,
): Promise<(Known & { readonly path: string }) | undefined> {
  const found = splitReference(reference, settings);
  const git = async (url: string, inner: string, path: string) => {
    const address = parseAddress(url, root);
    const folder = normalizeInnerPath(inner);
    if ('refused' in address || folder === undefined) return { ...nothing, path };

    const { refs, files } = await cachedRepository(address, folder, version, cacheDirectory(process.env));
    const versions = [...(refs?.tags ?? [])].reverse().concat(refs?.branches ?? []);
    return { files, versions: versions.map(([name]) => name), path };
  };
  const directory = (path: string, inner: string) => {
    const files = (disk.list(join(resolve(root, path), inner)) ?? []).map(({ name, kind }) =>
      [inner, kind === 'directory' ? `${name}/` : name].filter(Boolean).join('/'),
    );
    return { files, versions: [], path: inner };
  };
  if (found.kind === 'registry') {
    const setting = settingOf(found.name, settings);
    if (setting?.kind === 'git') return git(setting.url, setting.root, found.path);
    return setting?.kind === 'folder' ? directory(setting.path, found.path) : undefined;
  }
  if (found.kind !== 'host') return undefined;
  for (const { urls, path } of found.candidates)
    for (const url of urls) {
      const known = await git(url, '', path);
      if (known.versions.length > 0) return known;
    }
  return undefined;
}

/** The children of a folder: folders, and files that can be imported. */
function childrenOf(files: readonly string[], folder: string): { name: string; isFolder: boolean }[] {
  const start = folder === '' ? '' : `${folder}/`;
  const found = new Map<string, boolean>();
  for (const path of files) {
    if (!path.startsWith(start)) continue;
    const [name, ...rest] = path.slice(start.length).split('/') as [string, ...string[]];
    if (rest.length > 0) found.set(`${name}/`, true);
    else if (/\.prs$/.test(name) || isMarkdownPath(name)) found.set(name.replace(/\.prs$/, ''), false);
  }
  return [...found].map(([name, isFolder]) => ({ name, isFolder }));
}
