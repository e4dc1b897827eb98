import { dirname, join, resolve } from 'node:path';
import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { Field } from '../generated/blocks.ts';
import { cacheDirectory } from '../host/home.ts';
import type { Disk } from '../host/host.ts';
import { parseAddress } from '../registry/address.ts';
import { cachedRepository } from '../registry/git.ts';
import { type RegistrySettings, settingOf, splitReference } from '../registry/reference.ts';
import { blockNames, findBlock } from '../resolve/catalogue.ts';
import { targetNames } from '../spec/load.ts';
import { isIdentifier } from '../syntax/print.ts';
import { normalizeInnerPath } from '../text/paths.ts';
import { excludedFolders, isMarkdownPath } from '../text/places.ts';
import type { Source } from '../text/source.ts';
import { type Caret, caretAt, fieldAt, fieldsIn } from './caret.ts';
import { docOf } from './catalogue-docs.ts';
import { fieldText } from './hover.ts';
import { mentionsIn } from './names.ts';
import type { ReadProject } from './project.ts';
import { toRange } from './protocol.ts';

/** The location of a document, and what is known of its project. */
export interface CompletionContext {
  readonly path: string;
  readonly root: string;
  readonly disk: Disk;
  readonly read: ReadProject | undefined;
}

/** The completions at an offset of a source. */
export function completionsAt(source: Source, offset: number, context: CompletionContext): CompletionItem[] {
  const caret = caretAt(source, offset);
  const at = startOfWord(source, offset, caret);
  return placed(proposalsAt(caret, source.text.slice(at, offset), context), source, at, offset);
}

/** Completions from registries for an incomplete reference. */
export async function remoteCompletionsAt(
  source: Source,
  offset: number,
  context: CompletionContext,
): Promise<CompletionItem[]> {
  const caret = caretAt(source, offset);
  if (caret.slot !== 'reference') return [];
  const at = startOfWord(source, offset, caret);
  return placed(await registryNames(source.text.slice(at, offset), context), source, at, offset);
}

/** Makes completions replace the word at the caret. */
function placed(items: CompletionItem[], source: Source, start: number, end: number): CompletionItem[] {
  const range = toRange({ source, start, end });
  return items.map(item => {
    const newText = item.insertText ?? item.label;
    return { ...item, filterText: item.filterText ?? item.label, textEdit: { range, newText } };
  });
}

/** The start of the word that a completion replaces. */
function startOfWord({ text }: Source, offset: number, { slot, token }: Caret): number {
  if (token && slot !== 'text') return token.start + (/["']/.test(token.text[0]!) ? 1 : 0);
  return text[offset - 1] === '@' ? offset - 1 : offset;
}

function proposalsAt(caret: Caret, typed: string, context: CompletionContext): CompletionItem[] {
  const { slot, path, key } = caret;
  switch (slot) {
    case 'declaration':
      return declarations();
    case 'path':
      return path.length === 0
        ? blockNames.map(name => ({ label: name, kind: CompletionItemKind.Class }))
        : entryNames(path[0]!, context);
    case 'reference':
      return references(typed, context);
    case 'clause':
      return ['as', 'into', 'for'].map(label => ({ label, kind: CompletionItemKind.Keyword }));
    case 'key':
      return keys(path);
    case 'value': {
      const field = key === undefined ? undefined : fieldAt([...path, key]);
      return field ? values(field, caret, typed, context) : [];
    }
    default:
      return [];
  }
}

const snippet = { insertTextFormat: InsertTextFormat.Snippet } as const;

function declarations(): CompletionItem[] {
  const blocks = blockNames.map((name): CompletionItem => {
    const block = findBlock(name)!;
    const { body, since } = block;
    const inside = body[0] === 'text' ? '"""\n  $0\n  """' : body[0] === 'items' ? '- "$0"' : '$0';
    return {
      label: `@${name}`,
      kind: CompletionItemKind.Class,
      detail: `since ${since}`,
      documentation: docOf(block),
      insertText: `@${name} {\n  ${inside}\n}`,
      ...snippet,
    };
  });
  const directives = [
    ['@use', '@use $0'],
    ['@inherit', '@inherit $0'],
    ['@extend', '@extend $1 {\n  $0\n}'],
    ['@override', '@override $1 {\n  $0\n}'],
  ].map(([label, insertText]) => ({
    label: label!,
    kind: CompletionItemKind.Keyword,
    insertText: insertText!,
    ...snippet,
  }));
  return [...blocks, ...directives];
}

function keys(path: readonly string[]): CompletionItem[] {
  const [block] = path;
  const directives =
    path.length === 1
      ? [
          { label: '@header', kind: CompletionItemKind.Keyword, insertText: '@header "$0"', ...snippet },
          ...(findBlock(block ?? '')?.body.includes('uses')
            ? [{ label: '@use', kind: CompletionItemKind.Keyword, insertText: '@use $0', ...snippet }]
            : []),
        ]
      : [];
  return [...fieldsIn(path).map(fieldItem), ...directives];
}

function fieldItem(field: Field): CompletionItem {
  const [type] = field.types;
  const value =
    type === 'list' ? '["$0"]' : type === 'object' ? '{\n  $0\n}' : type === 'text' ? '"$0"' : '$0';
  return {
    label: field.name,
    kind: CompletionItemKind.Property,
    detail: field.types.join(' or '),
    documentation: { kind: 'markdown', value: fieldText(field) },
    insertText: `${field.name}: ${value}`,
    ...snippet,
    sortText: `${field.required ? '0' : '1'}${field.name}`,
  };
}

function values(field: Field, caret: Caret, typed: string, context: CompletionContext): CompletionItem[] {
  const quoted = caret.token !== undefined && /["']/.test(caret.token.text[0]!);
  const asText = (label: string, kind: CompletionItemKind): CompletionItem => ({
    label,
    kind,
    insertText: quoted || isIdentifier(label) ? label : JSON.stringify(label),
  });
  const plain = (labels: Iterable<string>, kind: CompletionItemKind) =>
    [...labels].map(label => asText(label, kind));
  const found = plain(field.values ?? [], CompletionItemKind.EnumMember);
  if (field.types.includes('boolean')) found.push(...plain(['true', 'false'], CompletionItemKind.Value));
  if (field.refers)
    found.push(
      ...entryNames(field.refers, context).map(({ label }) => asText(label, CompletionItemKind.Reference)),
    );
  if (isAudience(field))
    found.push(
      ...plain(targetNames(context.read?.project.custom ?? new Map()), CompletionItemKind.EnumMember),
    );
  if (isPattern(field)) found.push(...plain(patterns(context), CompletionItemKind.File));
  if (field.name === 'references' || field.name === 'path') found.push(...files(typed, context, () => true));
  return found;
}

/** Whether a field lists target names. */
const isAudience = ({ name }: Field): boolean => name === 'targets' || name === 'except';

/** Whether the values of a field are globs on project files. */
const isPattern = ({ as, name }: Field): boolean => as === 'globs' || name === 'globs';

/** Names of the entries of a block in the whole program. */
function entryNames(block: string, { read }: CompletionContext): CompletionItem[] {
  const names = new Set(
    (read?.loaded.program.units ?? []).flatMap(unit =>
      mentionsIn(unit).flatMap(one => (one.block === block && one.declares ? [one.name] : [])),
    ),
  );
  return [...names].sort().map(label => ({ label, kind: CompletionItemKind.Reference, detail: `@${block}` }));
}

/** Globs for the existing folders and the file extensions in them. */
function patterns({ root, disk }: CompletionContext): Set<string> {
  const found = new Set<string>();
  const look = (folder: string, depth: number): void => {
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      const path = folder === '' ? name : `${folder}/${name}`;
      if (kind === 'directory' && !excludedFolders.has(name) && !name.startsWith('.')) {
        found.add(`${path}/**`);
        if (depth < 2) look(path, depth + 1);
      }
      const ending = kind === 'file' && folder !== '' ? /\.[A-Za-z0-9]+$/.exec(name)?.[0] : undefined;
      if (ending) found.add(`${folder}/**/*${ending}`);
    }
  };
  look('', 0);
  return found;
}

/** Completes files relative to the document, and registries that have names. */
function references(typed: string, context: CompletionContext): CompletionItem[] {
  const aliases = Object.keys(context.read?.project.loaded.config.registries ?? {});
  const known = new Set(
    (context.read?.loaded.program.units ?? []).flatMap(({ layer }) =>
      layer.remote ? [layer.reference] : [],
    ),
  );
  return [
    ...files(typed === '' ? './' : typed, context, name => /\.(?:prs|md|mdc|markdown)$/.test(name)).map(
      item => ({
        ...item,
        insertText: (item.insertText ?? item.label).replace(/\.prs$/, ''),
      }),
    ),
    ...aliases.map(label => ({ label, kind: CompletionItemKind.Module, insertText: `${label}/` })),
    ...[...known].map(label => ({ label, kind: CompletionItemKind.Module })),
  ];
}

function files(
  typed: string,
  { path, disk }: CompletionContext,
  wanted: (name: string) => boolean,
): CompletionItem[] {
  const folder = typed.includes('/') ? typed.slice(0, typed.lastIndexOf('/') + 1) : '';
  if (folder.startsWith('/') || folder.startsWith('@')) return [];
  return (disk.list(join(dirname(path), folder)) ?? []).flatMap(({ name, kind }): CompletionItem[] => {
    if (kind === 'directory' && !excludedFolders.has(name))
      return [{ label: `${folder}${name}/`, kind: CompletionItemKind.Folder }];
    return kind !== 'directory' && wanted(name) && join(dirname(path), name) !== path
      ? [{ label: `${folder}${name}`, kind: CompletionItemKind.File }]
      : [];
  });
}

/** The locally known content of a registry: nothing is fetched while the user types. */
interface RegistryContent {
  readonly files: readonly string[];
  readonly versions: readonly string[];
  /** The path in the registry that the reference names. */
  readonly path: string;
}

/** Completes paths in a registry and, after `@`, its tags and branches. */
async function registryNames(typed: string, context: CompletionContext): Promise<CompletionItem[]> {
  const settings = context.read?.project.loaded.config ?? {};
  const at = typed.lastIndexOf('@');
  const hasVersion = at > 0 && typed[at - 1] !== '/';
  const reference = (hasVersion ? typed.slice(0, at) : typed).replace(/\/[^/]*$/, hasVersion ? '$&' : '');
  const content = await contentOf(reference, hasVersion ? typed.slice(at + 1) : undefined, settings, context);
  if (!content) return [];
  if (hasVersion)
    return content.versions.map((name, index) => ({
      label: `${typed.slice(0, at)}@${name}`,
      kind: CompletionItemKind.Constant,
      sortText: String(index).padStart(5, '0'),
    }));
  return childrenOf(content.files, content.path).map(({ name, isFolder }) => ({
    label: `${reference}/${name}`,
    kind: isFolder ? CompletionItemKind.Folder : CompletionItemKind.File,
  }));
}

async function contentOf(
  reference: string,
  version: string | undefined,
  settings: RegistrySettings,
  { root, disk }: CompletionContext,
): Promise<RegistryContent | undefined> {
  const source = splitReference(reference, settings);
  const git = async (url: string, inner: string, path: string) => {
    const address = parseAddress(url, root);
    const folder = normalizeInnerPath(inner);
    if ('refused' in address || folder === undefined) return { files: [], versions: [], path };
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
  if (source.kind === 'registry') {
    const setting = settingOf(source.name, settings);
    if (setting?.kind === 'git') return git(setting.url, setting.root, source.path);
    return setting?.kind === 'folder' ? directory(setting.path, source.path) : undefined;
  }
  return source.kind === 'host' ? git(source.url, '', source.path) : undefined;
}

/** The children of a folder: folders, and files that can be imported. */
function childrenOf(files: readonly string[], folder: string): { name: string; isFolder: boolean }[] {
  const start = folder === '' ? '' : `${folder}/`;
  const children = new Map<string, boolean>();
  for (const path of files) {
    if (!path.startsWith(start)) continue;
    const [name, ...below] = path.slice(start.length).split('/') as [string, ...string[]];
    if (below.length > 0) children.set(`${name}/`, true);
    else if (/\.prs$/.test(name) || isMarkdownPath(name)) children.set(name.replace(/\.prs$/, ''), false);
  }
  return [...children].map(([name, isFolder]) => ({ name, isFolder }));
}
