import { stringify } from 'yaml';
import type { ForeignSource, TextPlace } from '../../generated/types/foreign.ts';
import { strings, valueAt } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { block, item, str } from '../../syntax/build.ts';
import { isObject } from '../../text/data.ts';
import { unusedName } from '../../text/free-name.ts';
import { compileGlobs } from '../../text/globs.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { fileStem, nameOf } from '../../text/paths.ts';
import { entryPath, localPath, serversPath } from '../../text/places.ts';
import { newestSyntax } from '../../text/version.ts';
import { configText, registryText, schemaLine } from '../config-text.ts';
import { entryText, itemField, type SourceReference } from './entry.ts';
import { type PortablePermission, permissionLists, readIgnored, readPermissions } from './permissions.ts';
import { type ForeignFiles, ForeignReader } from './reader.ts';
import { pathsMatching, readHooks, readServers, targetsOf } from './structured.ts';
import { type PortableText, portableFields, portableText, siblingFiles, sourceText } from './text.ts';

/** A file to write, with its path relative to the project. */
export interface ConvertedFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  readonly executable?: boolean;
}

/** The sources converted from another compiler. */
export interface Converted {
  readonly files: readonly ConvertedFile[];
  readonly targets: readonly string[];
  /** Whether files of the compiler itself have content, so that it is in use. */
  readonly hasContent: boolean;
  readonly converted: readonly string[];
  /** Files that were not converted, with the reason as a clause. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

export interface ConversionRequest {
  readonly source: ForeignSource;
  readonly name: string;
  readonly files: ForeignFiles;
  /** Returns the id of a tool by any of its names. */
  readonly resolve: (name: string) => string | undefined;
  /** Options that a tool needs to write the files that exist. */
  readonly optionsOf: (target: string) => ReadonlyMap<string, string>;
  /** Ids of the tools to write for; default: those of the configuration. */
  readonly targets?: readonly string[] | undefined;
  readonly registry?: string | undefined;
  /** Changes each permission. */
  readonly change?: (permission: PortablePermission) => PortablePermission;
}

/** Whether a project has sources of a compiler. */
export const isWrittenIn = ({ detect }: ForeignSource, paths: readonly string[]): boolean =>
  detect.some(one => paths.some(path => path === one || path.startsWith(`${one}/`)));

/** Whether a path belongs to the compiler itself. */
export const isOwnPath = ({ detect }: ForeignSource, path: string): boolean =>
  detect.some(one => `/${path}/`.includes(`/${one}/`));

/** Converts the sources of another compiler by their meaning there. */
export const convertForeign = (request: ConversionRequest): Promise<Converted> =>
  new Conversion(request).run();

const noKnownTool = 'no spec knows a tool that it is for';

class Conversion {
  private readonly source: ForeignSource;
  private readonly reader: ForeignReader;
  private readonly made = new Map<string, ConvertedFile>();
  private readonly documents: SourceReference[] = [];
  /** Sources from files that the compiler shares with others, and files that every project has. */
  private readonly common = new Set<string>();
  private settings: Data = {};

  constructor(private readonly request: ConversionRequest) {
    this.source = request.source;
    this.reader = new ForeignReader(request.source, request.files, request.resolve);
  }

  async run(): Promise<Converted> {
    const { source, reader, request } = this;
    this.settings = (await reader.all(source.settings))[0]?.data ?? {};
    this.leaveOtherProfiles();
    const targets = request.targets ?? reader.idsOf(targetsOf(this.settings, source));
    if (source.tree) this.copyTree(source.tree.from);
    this.readTexts();
    this.readLists();
    const servers = await readServers(reader);
    if (servers) this.make(serversPath, servers);
    const hooks = await readHooks(reader);
    const permissions = await readPermissions(reader);
    const lists = permissionLists(request.change ? permissions.map(request.change) : permissions);
    const blocks = [
      block('hooks', hooks.map(itemField)),
      block('permissions', lists.map(itemField)),
      block(
        'ignore',
        readIgnored(reader).map(pattern => item(str(pattern))),
      ),
    ].filter(({ body }) => body.items.length > 0);
    this.recordUnconverted();
    if (!this.made.has(entryPath)) {
      this.make(entryPath, entryText(request.name, this.documents, blocks));
      this.common.add(entryPath);
    }
    this.makeConfig(targets);
    for (const name of reader.unknown) reader.leave(name, 'no spec knows a tool of this name');
    const files = [...this.made.values()];
    return {
      files,
      targets,
      hasContent: blocks.length > 0 || files.some(({ path }) => !this.common.has(path)),
      converted: [...reader.taken].sort(compareCodeUnits),
      left: reader.left,
    };
  }

  private make(path: string, text: string | Uint8Array, executable = false): void {
    this.made.set(path, { path, text, ...(executable && { executable }) });
  }

  private free(stem: string): string {
    return `${unusedName(stem, name => this.made.has(`${name}.md`))}.md`;
  }

  private readTexts(): void {
    const { paths } = this.request.files;
    for (const place of this.source.texts ?? []) {
      if (place.unless !== undefined && this.reader.has(place.unless)) continue;
      const matches = compileGlobs([place.path]);
      const wanted = paths.filter(path => matches(path) && !this.reader.taken.has(path));
      for (const path of wanted.sort(compareCodeUnits)) {
        if (place.of === 'skills' && path.includes('/skills/')) this.copySkillFile(path, place);
        else if (path.endsWith('.md')) this.takeText(path, place);
      }
    }
  }

  /** Copies files of skills byte for byte; the target list of the other compiler is converted. */
  private copySkillFile(path: string, place: TextPlace): void {
    const inside = /\/skills\/(?:\.curated\/)?(.+)$/.exec(path)?.[1];
    if (!inside?.includes('/')) return;
    const target = `.instr/skills/${inside}`;
    if (this.made.has(target)) {
      this.reader.taken.add(path);
      this.reader.leave(path, 'another skill of this name has the file');
      return;
    }
    this.copy(path, target);
    const text = /^[^/]+\/SKILL\.md$/.test(inside) ? this.reader.text(path) : undefined;
    if (text === undefined) return;
    const portable = portableText(path, text, place, this.reader);
    if (portable.targets?.length === 0) {
      this.made.delete(target);
      this.reader.leave(path, noKnownTool);
    } else this.make(target, sourceText(portable));
    for (const file of siblingFiles(text, place))
      this.make(target.replace(/SKILL\.md$/, file.path), file.text);
  }

  private takeText(path: string, place: TextPlace): void {
    const text = this.reader.text(path);
    if (text === undefined || (place.unlessSays !== undefined && text.includes(place.unlessSays))) return;
    this.reader.taken.add(path);
    const name = itemName(place.folder === undefined ? path : path.replace(place.folder, '/'), place.path);
    const isNested = place.nestedBy !== undefined && valueAt(this.settings, place.nestedBy) === true;
    const portable = portableText(path, text, place, this.reader, isNested);
    this.place(path, place.of, portable, name);
  }

  private readLists(): void {
    for (const { at, of, content } of this.source.lists ?? []) {
      const list = valueAt(this.settings, at);
      const listed: readonly Data[] = Array.isArray(list) ? list : [];
      for (const [index, entry] of listed.entries()) {
        if (!isObject(entry)) continue;
        const { name, [content]: body, ...rest } = entry;
        const title = typeof name === 'string' ? name : `${at.at(-1)}-${index + 1}`;
        const fields = new Map(Object.entries(rest));
        const portable = portableFields('', fields, typeof body === 'string' ? body : '', {}, this.reader);
        this.place('', of, portable, fileStem(title, 'text'));
      }
    }
  }

  private place(path: string, kind: TextPlace['of'], portable: PortableText, name: string): void {
    const { targets } = portable;
    if (portable.isPrivate)
      this.reader.leave(path, `private notes belong into ${localPath}, which stays out of version control`);
    else if (targets?.length === 0) this.reader.leave(path, noKnownTool);
    else if (kind === 'documents' || portable.isMain) {
      const target = this.free(`.instr/documents/${name}`);
      if (!isOwnPath(this.source, path)) this.common.add(target);
      this.make(target, portable.body);
      this.documents.push({ path: target, ...(targets && { targets }) });
    } else if (kind === 'skills') this.make(`.instr/skills/${name}/SKILL.md`, sourceText(portable));
    else this.make(this.free(`.instr/${kind}/${name}`), sourceText(portable));
  }

  /** Texts in folders that only other profiles than the chosen one include stay where they are. */
  private leaveOtherProfiles(): void {
    const { profiles } = this.source;
    const table = profiles && valueAt(this.settings, profiles.at);
    if (!profiles || !isObject(table)) return;
    const usual = String(valueAt(this.settings, profiles.default));
    if (!Object.hasOwn(table, usual)) return;
    const chosen = table[usual]!;
    const inner = isObject(chosen) && profiles.inner !== undefined ? chosen[profiles.inner] : chosen;
    const folders = strings(inner).map(name => `${profiles.folder}${name}/`);
    for (const path of this.request.files.paths)
      if (path.startsWith(profiles.folder) && !folders.some(folder => path.startsWith(folder))) {
        this.reader.taken.add(path);
        this.reader.leave(path, 'only other profiles include its folder');
      }
  }

  /**
   * Records files that are not converted: those the format excludes, unknown ones, and third-party packages.
   */
  private recordUnconverted(): void {
    const { source, reader, settings } = this;
    const { paths } = this.request.files;
    for (const { path: glob, reason } of source.left ?? [])
      for (const path of paths.filter(compileGlobs([glob]))) reader.leave(path, reason);
    const known = new Set(reader.left.map(({ path }) => path));
    const unnamed = `nothing of ${source.title} says what it is; what names it finds it there`;
    for (const path of paths)
      if (
        source.detect.some(one => path.startsWith(`${one}/`)) &&
        !reader.taken.has(path) &&
        !known.has(path)
      )
        reader.leave(path, unnamed);
    for (const { at, reason } of source.unused ?? [])
      for (const way of pathsMatching(settings, at)) reader.leave(way.join('.'), reason);
    for (const keys of source.packages ?? []) {
      const list = valueAt(settings, keys);
      for (const one of Array.isArray(list) ? list : [])
        reader.leave(
          typeof one === 'string' ? one : JSON.stringify(one),
          'it is a package of others; `@use` brings one in from a registry',
        );
    }
  }

  private copyTree(from: string): void {
    for (const path of this.request.files.paths)
      if (path.startsWith(from)) this.copy(path, `.instr/${path.slice(from.length)}`);
  }

  private copy(path: string, target: string): void {
    const { bytesOf, isExecutable } = this.request.files;
    const bytes = bytesOf(path);
    if (!bytes) return;
    this.reader.taken.add(path);
    this.make(target, bytes, isExecutable(path));
  }

  private makeConfig(targets: readonly string[]): void {
    const { name, registry, optionsOf } = this.request;
    const tools = targets.map(id => ({ id, options: Object.fromEntries(optionsOf(id)) }));
    const text = this.source.tree
      ? treeConfig(this.settings, name, this.source.tree)
      : configText({ name, tools, languageSkill: false });
    const lines = registry === undefined ? [] : ['', ...registryText(registry), ''];
    this.make('instr.yaml', registry === undefined ? text : text.trimEnd() + lines.join('\n'));
    this.common.add('instr.yaml');
  }
}

/** The configuration of a compiler with the same language: paths lead to the new folder. */
function treeConfig(
  settings: Data,
  name: string,
  { from, rename = {} }: NonNullable<ForeignSource['tree']>,
): string {
  const moved = (data: Data): Data => {
    if (typeof data === 'string')
      return data.startsWith(from) || data.startsWith(`./${from}`) ? data.replace(from, '.instr/') : data;
    if (Array.isArray(data)) return data.map(moved);
    if (!isObject(data)) return data;
    return Object.fromEntries(Object.entries(data).map(([key, one]) => [rename[key] ?? key, moved(one)]));
  };
  const config = moved(settings);
  const facts = { id: name, syntax: newestSyntax, ...(isObject(config) && config) };
  return `${schemaLine}\n${stringify(facts, { lineWidth: 0 })}`;
}

/** `api-errors` for `rules/api/errors.instructions.md`. */
function itemName(path: string, glob: string): string {
  const base = glob.startsWith('**') ? '' : glob.slice(0, glob.search(/\*/));
  const inner = path.slice(base.length) || nameOf(path);
  const stem = glob.includes('*') ? inner : nameOf(path);
  return fileStem(stem.replace(/(?:\.(?:instructions|prompt|agent|chatmode))?\.md$/, ''), 'text');
}
