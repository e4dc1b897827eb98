import { stringify } from 'yaml';
import type { ForeignSource, TextPlace } from '../../generated/types/foreign.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { block, documentOf, field, object, str, use, value } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { compileGlobs } from '../../text/globs.ts';
import { compareCode } from '../../text/order.ts';
import { entryPath, localPath, serversPath } from '../../text/places.ts';
import { newestSyntax } from '../../text/version.ts';
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

export interface ConvertedFile {
  readonly path: string;
  readonly text: string | Uint8Array;
  readonly executable?: boolean;
}

/** Sources made of those of another compiler. */
export interface Converted {
  readonly files: readonly ConvertedFile[];
  readonly targets: readonly string[];
  /** What was read. */
  readonly taken: readonly string[];
  /** What was not, with the reason as a clause. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

/** Whether a project is written in the sources of a compiler. */
export const isWrittenIn = ({ detect }: ForeignSource, paths: readonly string[]): boolean =>
  detect.some(one => paths.some(path => path === one || path.startsWith(`${one}/`)));

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

interface Document {
  readonly path: string;
  readonly targets?: readonly string[];
}

class Conversion {
  private readonly made = new Map<string, ConvertedFile>();
  private readonly taken = new Set<string>();
  private readonly left: { path: string; reason: string }[] = [];
  private readonly documents: Document[] = [];

  constructor(
    private readonly source: ForeignSource,
    private readonly files: ForeignFiles,
    private readonly names: ToolNames,
    private readonly wanted: readonly string[] | undefined,
  ) {}

  async run(projectName: string): Promise<Converted> {
    const { source } = this;
    const settings = await this.settings();
    const targets = this.wanted ?? this.names.idsOf(targetsOf(settings, source));
    if (source.tree) this.copyTree(source.tree.from);
    this.readTexts();
    this.readLists(settings);
    await this.readServers();
    const hooks = await this.readHooks();
    this.leave(settings);
    if (!this.made.has(entryPath)) this.make(entryPath, this.entryText(projectName, hooks));
    this.make(
      'instr.yaml',
      source.tree ? this.treeConfig(settings, projectName) : configText(projectName, targets),
    );
    for (const one of this.names.unknown)
      this.left.push({ path: one, reason: 'no spec knows a tool of this name' });
    return {
      files: [...this.made.values()],
      targets,
      taken: [...this.taken].sort(compareCode),
      left: this.left,
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

  private async settings(): Promise<Data> {
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
        if (place.of === 'skills') this.takeSkillFile(path, place);
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
    const target = `.instr/skills/${inside}`;
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
    this.place(path, place.of, portableText(path, text, place, this.names), nameOf(name, place.path));
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
      this.make(target, portable.body.replace(/^(?:[ \t]*\r?\n)+/, ''));
      this.documents.push({ path: target, ...(portable.targets && { targets: portable.targets }) });
      return;
    }
    this.make(this.free(`.instr/${kind}/${name}`), sourceText(portable));
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

  private entryText(name: string, hooks: readonly (readonly [string, Data])[]): string {
    const meta = block('meta', [field('id', str(name)), field('syntax', str(newestSyntax))]);
    const uses = this.documents.map(({ path, targets }) =>
      use(`./${path.replace(/^\.instr\//, '')}`, targets ? { targets } : {}),
    );
    const fields = hooks.map(([key, data]) =>
      field(
        key,
        isDataObject(data)
          ? object(Object.entries(data).map(([k, v]) => [k, value(v)] as const))
          : value(data),
      ),
    );
    return printDocument(documentOf([meta, ...uses, ...(fields.length > 0 ? [block('hooks', fields)] : [])]));
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
    return stringify(
      { id: name, syntax: newestSyntax, ...(isDataObject(config) && config) },
      { lineWidth: 0 },
    );
  }
}

/** The part of a configuration that gives tools one main file. */
export const sharedLayout = 'output:\n  # One main file for all tools that read it.\n  layout: once\n';

const configText = (name: string, targets: readonly string[]): string =>
  [
    '# What is compiled, and for which assistants. `prs targets` lists them.',
    `id: ${JSON.stringify(name)}`,
    `syntax: ${JSON.stringify(newestSyntax)}`,
    'targets:',
    ...targets.map(id => `  - ${id}`),
    `${sharedLayout}includeInstrSkill: false`,
    '',
  ].join('\n');

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
