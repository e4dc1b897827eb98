import { pathToFileURL } from 'node:url';
import type { PublishDiagnosticsParams } from 'vscode-languageserver';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../diagnostics/report.ts';
import { parseDocument } from '../syntax/parse.ts';
import type { Editing } from './editing.ts';
import { byDocument, type Published } from './findings.ts';
import { editedOutput } from './generated.ts';
import { toUri } from './places.ts';
import type { EditedProject } from './project.ts';
import { Queue } from './queue.ts';
import { remoteNames } from './remote.ts';

/** So long the hands have to rest, in milliseconds, before what all tools make of the sources is looked at. */
const restTime = 150;

const keyOf = ({ code, message, span, file, target }: Diagnostic): string =>
  JSON.stringify([code, message, span?.source.name ?? file, span?.start, span?.end, target]);

/** Tells the editor what is wrong, after each edit, and nothing that it knows already. */
export class Publisher {
  readonly #editing: Editing;
  readonly #send: (message: PublishDiagnosticsParams) => void;
  /** What the editor was told last, by project (or single file) and document. */
  readonly #told = new Map<
    string,
    Map<string, { readonly published: readonly Published[]; readonly said: string }>
  >();
  /** Sources of projects, and single files, that are to be looked at: at once. */
  readonly #sources: Queue;
  /** Projects whose outputs are to be looked at, beside it. */
  readonly #outputs: Queue;
  /** What only a look at all outputs finds, by project: it is said on while the next look is under way. */
  readonly #late = new Map<string, readonly Diagnostic[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(
    editing: Editing,
    send: (message: PublishDiagnosticsParams) => void,
    fail: (text: string) => void,
  ) {
    this.#editing = editing;
    this.#send = send;
    this.#sources = new Queue(fail);
    this.#outputs = new Queue(fail);
  }

  /** What was found in a document. */
  publishedIn(uri: string): readonly Published[] {
    for (const documents of this.#told.values()) {
      const found = documents.get(uri);
      if (found) return found.published;
    }
    return [];
  }

  /** Looks again at what a file belongs to, when what was typed is all here. */
  soon(path: string): void {
    const project = this.#editing.projectOf(path);
    if (project) this.#look(project);
    else if (path.endsWith('.prs')) {
      this.#sources.put(path, () => this.#single(path));
    }
  }

  /** Looks again at everything. */
  all(): void {
    for (const project of this.#editing.projects) this.#look(project);
  }

  /** What is wrong with the sources is said at once; what tools make of them is looked at when the hands rest. */
  #look(project: EditedProject): void {
    const { root } = project;
    this.#sources.put(root, async () => {
      const first = await project.firstFindings();
      if (this.#sources.awaits(root)) return;
      await this.#tellProject(project, [...first, ...(this.#late.get(root) ?? [])]);
    });
    clearTimeout(this.#timers.get(root));
    this.#timers.set(
      root,
      setTimeout(() => this.#lookAgain(project), restTime),
    );
  }

  #lookAgain(project: EditedProject): void {
    const { root } = project;
    this.#timers.delete(root);
    this.#outputs.put(root, async () => {
      const all = await project.findingsUnlessEdited();
      // What was typed meanwhile is looked at when the hands rest again.
      const isOld = () => this.#timers.has(root) || this.#outputs.awaits(root) || this.#sources.awaits(root);
      if (isOld()) return;
      if (!all) {
        this.#lookAgain(project);
        return;
      }
      const known = new Set((await project.firstFindings()).map(keyOf));
      if (isOld()) return;
      this.#late.set(
        root,
        all.filter(finding => !known.has(keyOf(finding))),
      );
      await this.#tellProject(project, all);
    });
  }

  /** Waits until the editor knows what is wrong now. */
  async settled(): Promise<void> {
    while (this.#sources.isBusy || this.#outputs.isBusy || this.#timers.size > 0) {
      await Promise.all([this.#sources.settled(), this.#outputs.settled()]);
      if (this.#timers.size > 0) await new Promise(resolve => setTimeout(resolve, restTime / 4));
    }
  }

  #tell(key: string, found: Map<string, Published[]>): void {
    const last = this.#told.get(key) ?? new Map();
    const now: typeof last = new Map();
    for (const uri of new Set([...last.keys(), ...found.keys()])) {
      const published = found.get(uri) ?? [];
      const diagnostics = published.map(({ shown }) => shown);
      const said = JSON.stringify(diagnostics);
      if (said !== last.get(uri)?.said) this.#send({ uri, diagnostics });
      if (found.has(uri)) now.set(uri, { published, said });
    }
    this.#told.set(key, now);
  }

  /** Says what was found, with what is found in each open source that the project does not use. */
  async #tellProject(project: EditedProject, findings: readonly Diagnostic[]): Promise<void> {
    const uriOf = await uriFinder(project);
    const found = [...findings];
    const used = new Set((await project.read())?.loaded.read ?? []);
    for (const path of this.#openIn(project)) {
      const name = project.nameOf(path);
      if (path.endsWith('.prs') && !used.has(name)) found.push(...(await project.findingsIn(name)));
    }
    const generated = this.#editedOutputs(project);
    const configuration = uriOf(project.nameOf(project.config));
    const documents = byDocument(sortDiagnostics([...found, ...generated]), uriOf, configuration);
    // That nothing is wrong with an open document is said too.
    for (const path of this.#openIn(project)) {
      const uri = uriOf(project.nameOf(path));
      if (!documents.has(uri)) documents.set(uri, []);
    }
    this.#tell(project.root, documents);
  }

  #openIn(project: EditedProject): string[] {
    return [...this.#editing.open.keys()].filter(path => this.#editing.projectOf(path) === project);
  }

  /** Generated files that are being edited: the next compile would stop at them. */
  #editedOutputs(project: EditedProject): readonly Diagnostic[] {
    return this.#openIn(project).flatMap(
      path => editedOutput(project, project.nameOf(path), this.#editing.open.get(path) ?? '') ?? [],
    );
  }

  /** A source outside of every project: its form is all that can be judged. */
  async #single(path: string): Promise<void> {
    const found: Diagnostic[] = [];
    const text = this.#editing.open.get(path);
    const uri = pathToFileURL(path).href;
    if (text !== undefined) parseDocument({ name: path, text }, finding => void found.push(finding));
    this.#tell(path, new Map([[uri, []], ...byDocument(sortDiagnostics(found), () => uri, uri)]));
  }
}

/** Addresses of the files that findings of a project name. */
export async function uriFinder(project: EditedProject): Promise<(name: string) => string> {
  const remote = remoteNames(await project.read());
  return name => toUri(project.root, name, remote.has(name));
}
