import { dirname } from 'node:path';
import type { WritableDisk } from '../host/host.ts';
import { interceptReads } from '../host/intercept-reads.ts';
import { withFiles } from '../host/overlay.ts';
import { projectRoot } from '../project/open/root.ts';
import type { CompileContext } from '../project/session/world.ts';
import { decodeWithoutMark } from '../text/bytes.ts';
import { EditedProject } from './project.ts';
import { toPath } from './protocol.ts';

/** The open documents, overlaid on the disk, and the projects that they belong to. */
export class Workspace {
  readonly #disk: WritableDisk;
  readonly #world: CompileContext;
  /** Open texts by absolute path. */
  readonly open = new Map<string, string>();
  readonly #projects = new Map<string, EditedProject>();
  #shown: WritableDisk;
  /** The disk with unsaved texts. */
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

  /** Updates the text of a document; without a text it is closed. */
  edit(path: string, text?: string): void {
    if (text === undefined) this.open.delete(path);
    else this.open.set(path, text);
    this.changed([path]);
  }

  /** Records changes on the disk; without paths, anything may have changed. */
  changed(paths?: readonly string[]): void {
    this.#lay();
    for (const project of this.#projects.values()) project.change(paths);
  }

  /** The project of a document, if it is a file. */
  projectAt(uri: string): EditedProject | undefined {
    const path = toPath(uri);
    return path === undefined ? undefined : this.projectOf(path);
  }

  /** The project of a path: the nearest one with a configuration, from its folder upwards. */
  projectOf(path: string): EditedProject | undefined {
    const { root, config } = projectRoot({ cwd: dirname(path), disk: this.disk, report: () => {} });
    if (config === undefined) return undefined;
    const project = this.#projects.get(root) ?? new EditedProject(root, config, this.#world);
    this.#projects.set(root, project);
    return project;
  }

  /** Paths of documents that differ from the disk. Editors omit the byte order mark. */
  unsaved(): string[] {
    return [...this.open].flatMap(([path, text]) => {
      const saved = this.#disk.readBytes(path);
      return saved && decodeWithoutMark(saved) === text ? [] : [path];
    });
  }

  /** Only changed texts are overlaid, so that unmodified documents are read from the disk as usual. */
  #lay(): void {
    const disk = this.#disk;
    const texts = this.unsaved().flatMap(path => {
      const executable = disk.stat(path)?.executable ?? false;
      const file = { content: this.open.get(path)!, executable };
      // A document may be opened by another name than its real path.
      const names = [path, disk.realpath(path) ?? path].filter(name => disk.lstat(name)?.kind !== 'link');
      return names.map(name => [name, file] as const);
    });
    this.#shown = withFiles(disk, '', texts);
  }
}
