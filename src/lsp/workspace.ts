import { dirname } from 'node:path';
import type { WritableDisk } from '../host/host.ts';
import { interceptReads } from '../host/intercept-reads.ts';
import { unsavedDisk } from '../host/unsaved.ts';
import { projectRoot } from '../project/open/root.ts';
import type { CompileContext } from '../project/session/world.ts';
import { EditedProject } from './project.ts';

/** The documents that are open, laid over the disk, and the projects that they belong to. */
export class Workspace {
  readonly #disk: WritableDisk;
  readonly #world: CompileContext;
  /** Texts that are open, by absolute path. */
  readonly open = new Map<string, string>();
  readonly #projects = new Map<string, EditedProject>();
  #shown: WritableDisk;
  /** The disk with what is typed and not saved. */
  readonly disk: WritableDisk;

  constructor(world: CompileContext) {
    this.#disk = world.disk;
    this.#shown = world.disk;
    this.disk = interceptReads(world.disk, (question, path) => this.#shown[question](path));
    this.#world = { ...world, disk: this.disk };
  }

  get projects(): Iterable<EditedProject> {
    return this.#projects.values();
  }

  /** A document as it is now. */
  edit(path: string, text: string): void {
    this.open.set(path, text);
    this.#lay();
    this.changed([path]);
  }

  close(path: string): void {
    this.open.delete(path);
    this.#lay();
    this.changed([path]);
  }

  /** Tells that something is different on the disk; without paths, anything may be. */
  changed(paths?: readonly string[]): void {
    for (const project of this.#projects.values()) project.change(paths);
  }

  /** The project that a path belongs to: the nearest one with a configuration, from its folder upwards. */
  projectOf(path: string): EditedProject | undefined {
    const { root, config } = projectRoot({ cwd: dirname(path), disk: this.disk, report: () => {} });
    if (config === undefined) return undefined;
    const known = this.#projects.get(root) ?? new EditedProject(root, config, this.#world);
    this.#projects.set(root, known);
    return known;
  }

  /** Paths of documents that say something else than the disk. */
  unsaved(): string[] {
    return [...this.open].flatMap(([path, text]) => (this.#differs(path, text) ? [path] : []));
  }

  #differs(path: string, text: string): boolean {
    const present = this.#disk.readBytes(path);
    return !present || !isSame(present, new TextEncoder().encode(text));
  }

  /** Only what differs is shown, so that files which are merely looked at are read as always. */
  #lay(): void {
    const texts = [...this.open].filter(([path, text]) => this.#differs(path, text));
    const encoder = new TextEncoder();
    this.#shown =
      texts.length === 0
        ? this.#disk
        : unsavedDisk(this.#disk, new Map(texts.map(([path, text]) => [path, encoder.encode(text)])));
  }
}

/** Editors leave the byte order mark out of what they show. */
function isSame(present: Uint8Array, shown: Uint8Array): boolean {
  const mark = present[0] === 0xef && present[1] === 0xbb && present[2] === 0xbf && shown[0] !== 0xef ? 3 : 0;
  return present.length - mark === shown.length && Buffer.compare(present.subarray(mark), shown) === 0;
}
