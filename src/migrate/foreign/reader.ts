import type { DataFile } from '../../generated/types/foreign.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import type { Data } from '../../model/model.ts';

export interface ForeignFiles {
  readonly paths: readonly string[];
  readonly bytesOf: (path: string) => Uint8Array | undefined;
  readonly isExecutable: (path: string) => boolean;
}

/** Reads the files of another compiler, and records which were read. */
export class ForeignReader {
  readonly taken = new Set<string>();
  /** Content that was not converted, with the reason as a clause. */
  readonly left: { readonly path: string; readonly reason: string }[] = [];
  private readonly present: ReadonlySet<string>;

  constructor(readonly files: ForeignFiles) {
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
  async data({ path, format }: DataFile): Promise<Data | undefined> {
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
}
