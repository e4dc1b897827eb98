import { stringify } from 'yaml';
import type { ForeignSource, TextPlace } from '../../generated/types/foreign.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { compileGlobs } from '../../text/globs.ts';
import { compareCode } from '../../text/order.ts';
import { entryPath, localPath, serversPath } from '../../text/places.ts';
import { newestSyntax } from '../../text/version.ts';
import { configText, schemaLine } from '../config-text.ts';
import { type Apart, type Audiences, audiencesOf, setApart } from './audiences.ts';
import { type EntryParts, entryText, type SourceReference } from './entry.ts';
import { ignoredLines, type PortablePermission, permissionsOf } from './permissions.ts';
import { hooksOf, serversOf, targetsOf, valueAt, waysTo } from './structured.ts';
import { filesBeside, type PortableText, portableFields, portableText, sourceText } from './text.ts';
import { type ToolNames, toolNames } from './tool-names.ts';

/** The files of a project, as far as the conversion looks at them. */
export interface ForeignFiles {
  /** Paths relative to the root. */
  readonly paths: readonly string[];
  readonly bytesOf: (path: string) => Uint8Array | undefined;
  readonly isExecutable: (path: string) => boolean;
}

/** A file to write, with its path from the root of the project. */
export interface ConvertedFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  readonly executable?: boolean;
}

/** Sources made of those of another compiler. */
export interface Converted {
  readonly files: readonly ConvertedFile[];
  readonly targets: readonly string[];
  /** Files of the compiler itself hold something: it is in use, and not only left over. */
  readonly hasContent: boolean;
  /** What was read. */
  readonly taken: readonly string[];
  /** What was not, with the reason as a clause. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
  /** The files with the permissions changed one by one. */
  readonly withPermissions: (
    change: (permission: PortablePermission) => PortablePermission,
  ) => readonly ConvertedFile[];
}

/** Whether a project is written in the sources of a compiler. */
export const isWrittenIn = ({ detect }: ForeignSource, paths: readonly string[]): boolean =>
  detect.some(one => paths.some(path => path === one || path.startsWith(`${one}/`)));

/** Whether a path belongs to the compiler itself. */
export const isOwnPath = ({ detect }: ForeignSource, path: string): boolean =>
  detect.some(one => `/${path}/`.includes(`/${one}/`));

/** Converts the sources of another compiler by what they mean to it; for the tools of its configuration, or `wanted`. */
export async function convertForeign(
  source: ForeignSource,
  name: string,
  files: ForeignFiles,
  resolve: (name: string) => string | undefined,
  wanted?: readonly string[],
): Promise<Converted> {
  const conversion = new Conversion(source, files, toolNames(source, resolve), wanted);
  return conversion.run(name);
}

class Conversion {
  private readonly made = new Map<string, ConvertedFile>();
  private readonly taken = new Set<string>();
  private readonly left: { path: string; reason: string }[] = [];
  private readonly documents: SourceReference[] = [];
  /** Sources made of files that the compiler only shares with others. */
  private readonly shared = new Set<string>();
  /** Folders of texts that only some results have. */
  private readonly apart = new Map<string, Apart>();
  private audiences: Audiences | undefined;
  private readonly entries = new Map<string, (parts: EntryParts) => string>();
  private settings: Data = {};

  constructor(
    private readonly source: ForeignSource,
    private readonly files: ForeignFiles,
    private readonly names: ToolNames,
    private readonly wanted: readonly string[] | undefined,
  ) {}

  async run(projectName: string): Promise<Converted> {
    const { source } = this;
    const settings = await this.readSettings();
    this.settings = settings;
    this.audiences = audiencesOf(settings, source);
    const targets = this.wanted ?? this.names.idsOf(targetsOf(settings, source));
    if (source.tree) this.copyTree(source.tree.from);
    this.readTexts();
    this.readLists(settings);
    await this.readServers();
    const hooks = await this.readHooks();
    const parts = { hooks, permissions: await this.readPermissions(), ignored: this.readIgnored() };
    this.leave(settings);
    const builds = this.makeApart(projectName);
    const usual = this.audiences?.usual([...this.apart.keys()]) ?? [];
    if (!this.made.has(entryPath))
      this.entries.set(entryPath, now =>
        entryText(projectName, [...this.documents, ...usual.map(folderSource)], now),
      );
    for (const [path, textWith] of this.entries) this.make(path, textWith(parts));
    this.make(
      'instr.yaml',
      source.tree
        ? this.treeConfig(settings, projectName)
        : configText({ name: projectName, tools: targets.map(id => ({ id })), languageSkill: false, builds }),
    );
    for (const one of this.names.unknown)
      this.left.push({ path: one, reason: 'no spec knows a tool of this name' });
    const files = [...this.made.values()];
    const isContent = ({ path }: ConvertedFile) =>
      path !== 'instr.yaml' && !this.entries.has(path) && !this.shared.has(path);
    const inEntry = hooks.length + parts.permissions.length + parts.ignored.length > 0;
    return {
      files,
      targets,
      hasContent: inEntry || files.some(isContent),
      taken: [...this.taken].sort(compareCode),
      left: this.left,
      withPermissions: change => {
        const changed = { ...parts, permissions: parts.permissions.map(change) };
        return files.map(file => ({ ...file, text: this.entries.get(file.path)?.(changed) ?? file.text }));
      },
    };
  }

  private make(path: string, text: string | Uint8Array, executable = false): void {
    this.made.set(path, { path, text, ...(executable && { executable }) });
  }

  private text(path: string): string | undefined {
    const bytes = this.files.bytesOf(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  private async data(path: string, format: 'json' | 'jsonc' | 'toml' | 'yaml'): Promise<Data | undefined> {
    const text = this.files.paths.includes(path) ? this.text(path) : undefined;
    if (text === undefined) return undefined;
    const parsed = await parseData(text, format);
    if ('data' in parsed) {
      this.taken.add(path);
      return parsed.data;
    }
    this.left.push({ path, reason: `it cannot be read: ${parsed.problem}` });
    return undefined;
  }

  private async readSettings(): Promise<Data> {
    for (const { path, format } of this.source.settings) {
      const data = await this.data(path, format);
      if (data !== undefined) return data;
    }
    return {};
  }

  private readTexts(): void {
    for (const place of this.source.texts ?? []) {
      if (place.unless !== undefined && this.files.paths.includes(place.unless)) continue;
      const matches = compileGlobs([place.path]);
      for (const path of this.files.paths
        .filter(one => matches(one) && !this.taken.has(one))
        .sort(compareCode)) {
        if (place.of === 'skills' && path.includes('/skills/')) this.takeSkillFile(path, place);
        else if (path.endsWith('.md')) this.takeText(path, place);
      }
    }
  }

  /** Files of skills keep every byte and mode; a target list of the other compiler is put into our words. */
  private takeSkillFile(path: string, place: TextPlace): void {
    const inside = /\/skills\/(?:\.curated\/)?(.+)$/.exec(path)?.[1];
    const bytes = this.files.bytesOf(path);
    if (!inside?.includes('/') || !bytes) return;
    this.taken.add(path);
    const folder = this.audiences?.folderOf(path);
    const target = `${folder === undefined ? '.instr/skills' : `.instr/folders/${folder}/skills`}/${inside}`;
    if (folder !== undefined && inside.endsWith('/SKILL.md'))
      this.apartOf(folder).brought.push({ path: target.slice(0, -'/SKILL.md'.length) });
    if (!/^[^/]+\/SKILL\.md$/.test(inside)) this.make(target, bytes, this.files.isExecutable(path));
    else {
      const text = new TextDecoder().decode(bytes);
      const portable = portableText(path, text, place, this.names);
      if (portable.targets?.length === 0)
        this.left.push({ path, reason: 'no spec knows a tool that it is for' });
      else this.make(target, sourceText(portable));
      for (const file of filesBeside(text, place))
        this.make(target.replace(/SKILL\.md$/, file.path), file.text);
    }
  }

  private takeText(path: string, place: TextPlace): void {
    const text = this.text(path);
    if (text === undefined || (place.unlessSays !== undefined && text.includes(place.unlessSays))) return;
    this.taken.add(path);
    const name = place.folder === undefined ? path : path.replace(place.folder, '/');
    const isNested = place.nestedBy !== undefined && valueAt(this.settings, place.nestedBy) === true;
    const called = nameOf(name, place.path);
    const portable = portableText(path, text, place, this.names, isNested);
    for (const [key, filled] of Object.entries(place.fill ?? {}))
      if (!portable.fields.get(key)) portable.fields.set(key, filled.replaceAll('{name}', called));
    this.place(path, place.of, portable, called);
  }

  private place(path: string, kind: TextPlace['of'], portable: PortableText, name: string): void {
    if (portable.isPrivate) {
      this.left.push({
        path,
        reason: `private notes belong into ${localPath}, which stays out of version control`,
      });
      return;
    }
    if (portable.targets?.length === 0) {
      this.left.push({ path, reason: 'no spec knows a tool that it is for' });
      return;
    }
    if (kind === 'documents' || portable.isMain) {
      const target = this.free(`.instr/documents/${name}`);
      if (!isOwnPath(this.source, path)) this.shared.add(target);
      this.make(target, portable.body.replace(/^(?:[ \t]*\r?\n)+/, ''));
      this.documents.push({ path: target, ...(portable.targets && { targets: portable.targets }) });
      return;
    }
    const folder = this.audiences?.folderOf(path);
    if (kind === 'skills') this.make(`.instr/skills/${name}/SKILL.md`, sourceText(portable));
    else if (folder !== undefined) setApart(this.apartOf(folder), kind, `${folder}-${name}`, portable);
    else this.make(this.free(`.instr/${kind}/${name}`), sourceText(portable));
  }

  private apartOf(folder: string): Apart {
    const known = this.apart.get(folder) ?? { items: new Map(), brought: [] };
    this.apart.set(folder, known);
    return known;
  }

  /** The sources of folders that only some results have, and an entry for each further result. */
  private makeApart(projectName: string): [string, string][] {
    for (const [folder, { items, brought }] of this.apart) {
      const id = `${projectName}-${folder}`;
      this.make(folderSource(folder).path, entryText(id, brought, { items }, 'folders/'));
    }
    if (this.apart.size === 0) return [];
    return (this.audiences?.others ?? []).map(([name, folders]) => {
      const entry = `.instr/profiles/${plain(name)}.prs`;
      const brought = folders.filter(folder => this.apart.has(folder)).map(folderSource);
      const id = `${projectName}-${name}`;
      this.entries.set(entry, now => entryText(id, [...this.documents, ...brought], now, 'profiles/'));
      return [plain(name), entry];
    });
  }

  /** A path for a source that no other one has. */
  private free(stem: string): string {
    let path = `${stem}.md`;
    for (let count = 2; this.made.has(path); count++) path = `${stem}-${count}.md`;
    return path;
  }

  private readLists(settings: Data): void {
    for (const { at, of, content } of this.source.lists ?? []) {
      const list = valueAt(settings, at);
      for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
        if (!isDataObject(entry)) continue;
        const { name, [content]: body, ...rest } = entry;
        const title = typeof name === 'string' ? name : `${at.at(-1)}-${index + 1}`;
        const fields = new Map(Object.entries(rest));
        const portable = portableFields('', fields, typeof body === 'string' ? body : '', {}, this.names);
        this.place('', of, portable, plain(title));
      }
    }
  }

  private async readServers(): Promise<void> {
    const servers = new Map<string, Data>();
    for (const file of this.source.servers ?? []) {
      const data = await this.data(file.path, file.format);
      if (data === undefined) continue;
      if (file.off && valueAt(data, file.off) === false) {
        this.left.push({ path: file.path, reason: `servers are switched off by \`${file.off.join('.')}\`` });
        continue;
      }
      const found = valueAt(data, file.at ?? []);
      for (const one of Array.isArray(found) ? found.filter(entry => typeof entry === 'string') : [])
        this.left.push({
          path: `${file.path}: ${one}`,
          reason: 'a registry of servers knows what it stands for',
        });
      for (const [name, fields] of serversOf(data, file, this.names)) {
        if (fields.command === undefined && fields.url === undefined)
          this.left.push({
            path: `${file.path}: ${name}`,
            reason: 'it has neither a command nor an address',
          });
        else if (!servers.has(name)) servers.set(name, fields);
      }
    }
    if (servers.size > 0)
      this.make(serversPath, `${JSON.stringify({ mcpServers: Object.fromEntries(servers) }, null, 2)}\n`);
  }

  private async readHooks(): Promise<readonly (readonly [string, Data])[]> {
    const found: (readonly [string, Data])[] = [];
    for (const file of this.source.hooks ?? []) {
      const data = await this.data(file.path, file.format);
      if (data === undefined) continue;
      const { hooks, left } = hooksOf(data, file, this.names);
      found.push(...hooks);
      for (const one of left) {
        const [event, reason] = one.split(': ', 2) as [string, string];
        this.left.push({ path: `${file.path}: ${event}`, reason });
      }
    }
    return found;
  }

  private async readPermissions(): Promise<readonly PortablePermission[]> {
    const found: PortablePermission[] = [];
    for (const file of this.source.permissions ?? []) {
      const data = await this.data(file.path, file.format);
      if (data === undefined) continue;
      const { permissions, left } = permissionsOf(data, file, this.names);
      found.push(...permissions);
      for (const { text, reason } of left) this.left.push({ path: `${file.path}: ${text}`, reason });
    }
    return found;
  }

  private readIgnored(): readonly string[] {
    const path = this.source.ignore?.find(one => this.files.paths.includes(one));
    if (path === undefined) return [];
    this.taken.add(path);
    return ignoredLines(this.text(path) ?? '');
  }

  /** What the format says is not taken, and packages of others. */
  private leave(settings: Data): void {
    for (const { path: glob, reason } of this.source.left ?? []) {
      const matches = compileGlobs([glob]);
      for (const path of this.files.paths.filter(one => matches(one))) this.left.push({ path, reason });
    }
    const inside = (path: string) => this.source.detect.some(one => path.startsWith(`${one}/`));
    const known = new Set(this.left.map(({ path }) => path));
    for (const path of this.files.paths.filter(inside))
      if (!this.taken.has(path) && !known.has(path))
        this.left.push({
          path,
          reason: `nothing of ${this.source.title} says what it is; what names it finds it there`,
        });
    for (const { at, reason } of this.source.unused ?? [])
      for (const path of waysTo(settings, at)) this.left.push({ path: path.join('.'), reason });
    for (const keys of this.source.packages ?? []) {
      const list = valueAt(settings, keys);
      for (const one of Array.isArray(list) ? list : []) {
        const path = typeof one === 'string' ? one : JSON.stringify(one);
        this.left.push({ path, reason: 'it is a package of others; `@use` brings one in from a registry' });
      }
    }
  }

  private copyTree(from: string): void {
    for (const path of this.files.paths.filter(one => one.startsWith(from))) {
      const bytes = this.files.bytesOf(path);
      if (!bytes) continue;
      this.taken.add(path);
      this.make(`.instr/${path.slice(from.length)}`, bytes, this.files.isExecutable(path));
    }
  }

  /** The configuration of the same language: paths lead to the new folder. */
  private treeConfig(settings: Data, name: string): string {
    const { from, rename = {} } = this.source.tree!;
    const moved = (data: Data): Data =>
      typeof data === 'string'
        ? data.startsWith(from) || data.startsWith(`./${from}`)
          ? data.replace(from, '.instr/')
          : data
        : Array.isArray(data)
          ? data.map(moved)
          : isDataObject(data)
            ? Object.fromEntries(Object.entries(data).map(([key, one]) => [rename[key] ?? key, moved(one)]))
            : data;
    const config = moved(settings);
    const facts = { id: name, syntax: newestSyntax, ...(isDataObject(config) && config) };
    return `${schemaLine}\n${stringify(facts, { lineWidth: 0 })}`;
  }
}

/** The source in which all of a folder stands. */
const folderSource = (folder: string): SourceReference => ({ path: `.instr/folders/${folder}.prs` });

/** `api-errors` for `rules/api/errors.instructions.md`. */
function nameOf(path: string, glob: string): string {
  const base = glob.startsWith('**') ? '' : glob.slice(0, glob.search(/\*/));
  const inner = path.slice(base.length) || path.slice(path.lastIndexOf('/') + 1);
  const stem = glob.includes('*') ? inner : path.slice(path.lastIndexOf('/') + 1);
  return plain(stem.replace(/\.md$/, '').replace(/\.(?:instructions|prompt|agent|chatmode)$/, ''));
}

const plain = (name: string): string =>
  name
    .replace(/^\.+/, '')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|-+$/g, '')
    .toLowerCase() || 'text';
