import { dirname, join, posix, resolve } from 'node:path';
import { type CompletionItem, CompletionItemKind, InsertTextFormat } from 'vscode-languageserver';
import type { Field } from '../generated/blocks.ts';
import { cacheDirectory } from '../host/home.ts';
import type { Disk } from '../host/host.ts';
import { parseAddress } from '../registry/address.ts';
import { cachedRepository } from '../registry/git.ts';
import { settingOf, splitReference } from '../registry/reference.ts';
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
  const start = startOfWord(source, offset, caret);
  return placed(proposalsAt(caret, source.text.slice(start, offset), context), source, start, offset);
}

/** Completions from registries for an incomplete reference. */
export async function remoteCompletionsAt(
  source: Source,
  offset: number,
  context: CompletionContext,
): Promise<CompletionItem[]> {
  const caret = caretAt(source, offset);
  if (caret.slot !== 'reference') return [];
  const start = startOfWord(source, offset, caret);
  return placed(await registryNames(source.text.slice(start, offset), context), source, start, offset);
}

/** Makes completions replace the word at the caret. */
function placed(items: CompletionItem[], source: Source, start: number, end: number): CompletionItem[] {
  const range = toRange({ source, start, end });
  return items.map(item => ({
    ...item,
    filterText: item.label,
    textEdit: { range, newText: item.insertText ?? item.label },
  }));
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
        : namesOf(path[0]!, context).map(label => ({ label, kind: CompletionItemKind.Reference }));
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

const snippet = (label: string, kind: CompletionItemKind, insertText: string): CompletionItem => ({
  label,
  kind,
  insertText,
  insertTextFormat: InsertTextFormat.Snippet,
});

function declarations(): CompletionItem[] {
  const blocks = blockNames.map((name): CompletionItem => {
    const block = findBlock(name)!;
    const [form] = block.body;
    const inside = form === 'text' ? '"""\n  $0\n  """' : form === 'items' ? '- "$0"' : '$0';
    return {
      ...snippet(`@${name}`, CompletionItemKind.Class, `@${name} {\n  ${inside}\n}`),
      detail: `since ${block.since}`,
      documentation: docOf(block),
    };
  });
  const rests = { use: '$0', inherit: '$0', extend: '$1 {\n  $0\n}', override: '$1 {\n  $0\n}' };
  const directives = Object.entries(rests).map(([name, rest]) =>
    snippet(`@${name}`, CompletionItemKind.Keyword, `@${name} ${rest}`),
  );
  return [...blocks, ...directives];
}

function keys(path: readonly string[]): CompletionItem[] {
  const fields = fieldsIn(path).map(fieldItem);
  if (path.length !== 1) return fields;
  const hasUses = findBlock(path[0]!)?.body.includes('uses');
  return [
    ...fields,
    snippet('@header', CompletionItemKind.Keyword, '@header "$0"'),
    ...(hasUses ? [snippet('@use', CompletionItemKind.Keyword, '@use $0')] : []),
  ];
}

function fieldItem(field: Field): CompletionItem {
  const [type] = field.types;
  const value =
    type === 'list' ? '["$0"]' : type === 'object' ? '{\n  $0\n}' : type === 'text' ? '"$0"' : '$0';
  return {
    ...snippet(field.name, CompletionItemKind.Property, `${field.name}: ${value}`),
    detail: field.types.join(' or '),
    documentation: { kind: 'markdown', value: fieldText(field) },
    sortText: `${field.required ? '0' : '1'}${field.name}`,
  };
}

function values(field: Field, caret: Caret, typed: string, context: CompletionContext): CompletionItem[] {
  const { name, types, refers } = field;
  const isQuoted = caret.token !== undefined && /["']/.test(caret.token.text[0]!);
  const items = (labels: Iterable<string>, kind: CompletionItemKind) =>
    Array.from(labels, label => ({
      label,
      kind,
      insertText: isQuoted || isIdentifier(label) ? label : JSON.stringify(label),
    }));
  const isAudience = name === 'targets' || name === 'except';
  const isPath = name === 'references' || name === 'path';
  return [
    ...items(field.values ?? [], CompletionItemKind.EnumMember),
    ...(types.includes('boolean') ? items(['true', 'false'], CompletionItemKind.Value) : []),
    ...(refers ? items(namesOf(refers, context), CompletionItemKind.Reference) : []),
    ...(isAudience
      ? items(targetNames(context.read?.project.custom ?? new Map()), CompletionItemKind.EnumMember)
      : []),
    ...(field.as === 'globs' || name === 'globs' ? items(patterns(context), CompletionItemKind.File) : []),
    ...(isPath ? files(typed, context) : []),
  ];
}

/** Names of the entries of a block in the whole program. */
function namesOf(block: string, { read }: CompletionContext): string[] {
  const mentions = (read?.loaded.program.units ?? []).flatMap(mentionsIn);
  const declared = mentions.filter(mention => mention.block === block && mention.declares);
  return [...new Set(declared.map(({ name }) => name))].sort();
}

/** Globs for the existing folders and the file extensions in them. */
function patterns({ root, disk }: CompletionContext): Set<string> {
  const globs = new Set<string>();
  const visit = (folder: string, depth: number): void => {
    for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
      const extension = /\.[A-Za-z0-9]+$/.exec(name)?.[0];
      if (kind === 'file' && folder !== '' && extension) globs.add(`${folder}**/*${extension}`);
      if (kind !== 'directory' || excludedFolders.has(name) || name.startsWith('.')) continue;
      globs.add(`${folder}${name}/**`);
      if (depth < 2) visit(`${folder}${name}/`, depth + 1);
    }
  };
  visit('', 0);
  return globs;
}

/** Completes files relative to the document, and registries that have names. */
function references(typed: string, context: CompletionContext): CompletionItem[] {
  const aliases = Object.keys(context.read?.project.loaded.config.registries ?? {});
  const units = context.read?.loaded.program.units ?? [];
  const used = new Set(units.flatMap(({ layer }) => (layer.remote ? [layer.reference] : [])));
  const kind = CompletionItemKind.Module;
  return [
    ...files(typed || './', context)
      .filter(({ label }) => /(?:\/|\.(?:prs|md|mdc|markdown))$/.test(label))
      .map(item => ({ ...item, insertText: item.label.replace(/\.prs$/, '') })),
    ...aliases.map(label => ({ label, kind, insertText: `${label}/` })),
    ...Array.from(used, label => ({ label, kind })),
  ];
}

/** Completes the path of a file or folder relative to the document. */
function files(typed: string, { path, disk }: CompletionContext): CompletionItem[] {
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  if (/^[/@]/.test(folder)) return [];
  return (disk.list(join(dirname(path), folder)) ?? []).flatMap(({ name, kind }): CompletionItem[] => {
    const label = `${folder}${name}`;
    if (kind !== 'directory') return [{ label, kind: CompletionItemKind.File }];
    return excludedFolders.has(name) ? [] : [{ label: `${label}/`, kind: CompletionItemKind.Folder }];
  });
}

/** Completes paths in a registry and, after `@`, its tags and branches. */
async function registryNames(typed: string, context: CompletionContext): Promise<CompletionItem[]> {
  const at = typed.lastIndexOf('@');
  const hasVersion = at > 0 && typed[at - 1] !== '/';
  const reference = hasVersion ? typed.slice(0, at) : typed.replace(/\/[^/]*$/, '');
  const content = await contentOf(reference, hasVersion ? typed.slice(at + 1) : undefined, context);
  if (!content) return [];
  if (hasVersion)
    return content.versions.map((name, index) => ({
      label: `${reference}@${name}`,
      kind: CompletionItemKind.Constant,
      sortText: String(index).padStart(5, '0'),
    }));
  return childrenOf(content.files, content.path).map(name => ({
    label: `${reference}/${name}`,
    kind: name.endsWith('/') ? CompletionItemKind.Folder : CompletionItemKind.File,
  }));
}

/** The locally known content of a registry: nothing is fetched while the user types. */
interface RegistryContent {
  readonly files: readonly string[];
  readonly versions: readonly string[];
  /** The path in the registry that the reference names. */
  readonly path: string;
}

async function contentOf(
  reference: string,
  version: string | undefined,
  { root, disk, read }: CompletionContext,
): Promise<RegistryContent | undefined> {
  const settings = read?.project.loaded.config ?? {};
  const source = splitReference(reference, settings);
  if (source.kind !== 'registry' && source.kind !== 'host') return undefined;
  const { path } = source;
  const setting =
    source.kind === 'registry'
      ? settingOf(source.name, settings)
      : { kind: 'git' as const, url: source.url, root: '' };
  if (setting?.kind === 'folder') {
    const entries = disk.list(join(resolve(root, setting.path), path)) ?? [];
    const files = entries.map(({ name, kind }) => posix.join(path, kind === 'directory' ? `${name}/` : name));
    return { files, versions: [], path };
  }
  const address = setting?.kind === 'git' ? parseAddress(setting.url, root) : undefined;
  const folder = setting?.kind === 'git' ? normalizeInnerPath(setting.root) : undefined;
  if (!address || 'refused' in address || folder === undefined) return undefined;
  const { refs, files } = await cachedRepository(address, folder, version, cacheDirectory(process.env));
  const versions = [...(refs?.tags ?? [])].reverse().concat(refs?.branches ?? []);
  return { files, versions: versions.map(([name]) => name), path };
}

/** The children of a folder: folders, with a `/` at the end, and files that can be imported. */
function childrenOf(files: readonly string[], folder: string): string[] {
  const start = folder === '' ? '' : `${folder}/`;
  const children = files.flatMap(path => {
    if (!path.startsWith(start)) return [];
    const [name, ...below] = path.slice(start.length).split('/') as [string, ...string[]];
    if (below.length > 0) return `${name}/`;
    return name.endsWith('.prs') || isMarkdownPath(name) ? name.replace(/\.prs$/, '') : [];
  });
  return [...new Set(children)];
}
