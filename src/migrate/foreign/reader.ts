import type { DataFile, ForeignSource } from '../../generated/types/foreign.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';

export interface ForeignFiles {
  readonly paths: readonly string[];
  readonly bytesOf: (path: string) => Uint8Array | undefined;
  readonly isExecutable: (path: string) => boolean;
}

/** Reads the files of another compiler and its names of tools, and records what was read. */
export class ForeignReader {
  readonly taken = new Set<string>();
  /** Content that was not converted, with the reason as a clause. */
  readonly left: { readonly path: string; readonly reason: string }[] = [];
  /** Names of tools that no spec knows. */
  readonly unknown = new Set<string>();
  private readonly present: ReadonlySet<string>;

  /** `resolve` returns the id of a tool by any of its names. */
  constructor(
    readonly source: ForeignSource,
    readonly files: ForeignFiles,
    private readonly resolve: (name: string) => string | undefined,
  ) {
    this.present = new Set(files.paths);
  }

  has(path: string): boolean {
    return this.present.has(path);
  }

  leave(path: string, reason: string): void {
    this.left.push({ path, reason });
  }

  text(path: string): string | undefined {
    const bytes = this.files.bytesOf(path);
    return bytes && new TextDecoder().decode(bytes);
  }

  /** The data of a structured file; `undefined` when it is missing or invalid. */
  private async data({ path, format }: DataFile): Promise<Data | undefined> {
    const text = this.has(path) ? this.text(path) : undefined;
    if (text === undefined) return undefined;
    const parsed = await parseData(text, format);
    if ('problem' in parsed) {
      this.leave(path, `it cannot be read: ${parsed.problem}`);
      return undefined;
    }
    this.taken.add(path);
    return parsed.data;
  }

  /** The existing structured files of a list with their data. */
  async all(files: readonly DataFile[] = []): Promise<{ readonly file: DataFile; readonly data: Data }[]> {
    const found: { readonly file: DataFile; readonly data: Data }[] = [];
    for (const file of files) {
      const data = await this.data(file);
      if (data !== undefined) found.push({ file, data });
    }
    return found;
  }

  /** Ids of tools in the given order, without duplicates and unknown names. */
  idsOf(names: readonly string[]): readonly string[] {
    const { names: own } = this.source;
    const ids = names.flatMap(name => {
      const id = Object.hasOwn(own, name) ? own[name] || undefined : this.resolve(name);
      if (id === undefined) this.unknown.add(name);
      return id ?? [];
    });
    return [...new Set(ids)];
  }

  isTool(name: string): boolean {
    return Object.hasOwn(this.source.names, name) || this.resolve(name) !== undefined;
  }

  /** The ids of the tools that a text names; `undefined` means all. */
  toolsNamedIn(written: Data | undefined): readonly string[] | undefined {
    const list = typeof written === 'string' ? written.split(',').map(name => name.trim()) : strings(written);
    const isAll = (name: string) => name === this.source.targets.all || name === '*';
    return list.length === 0 || list.some(isAll) ? undefined : this.idsOf(list);
  }
}
