import { pathToFileURL } from 'node:url';
import type { PublishDiagnosticsParams } from 'vscode-languageserver';
import { outputDrifted } from '../generated/diagnostics.ts';
import { sha256 } from '../host/hash.ts';
import { textHash } from '../plan/canonical.ts';
import { parseDocument } from '../syntax/parse.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { sortDiagnostics } from '../text/diagnostics/report.ts';
import { byDocument, type Published } from './findings.ts';
import type { EditedProject } from './project.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds without an edit before all outputs are checked. */
const idleTime = 150;

const keyOf = ({ code, message, span, file, target }: Diagnostic): string =>
  JSON.stringify([code, message, span?.source.name ?? file, span?.start, span?.end, target]);

/**
 * Publishes diagnostics after each edit, for documents whose diagnostics changed. Sources are checked
 * immediately; outputs, which take longer, after a pause without edits.
 */
export class Publisher {
  readonly #workspace: Workspace;
  readonly #send: (message: PublishDiagnosticsParams) => void;
  readonly #fail: (text: string) => void;
  /** The last published diagnostics, by project (or single file) and document. */
  readonly #published = new Map<string, ReadonlyMap<string, readonly Published[]>>();
  /**
   * Diagnostics that only a check of all outputs finds, by project. They are kept until the next such check.
   */
  readonly #ofOutputs = new Map<string, readonly Diagnostic[]>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  /** Queued checks. A check that is queued twice runs once. */
  readonly #jobs = new Map<string, () => Promise<void>>();
  #running: Promise<void> | undefined;

  constructor(
    workspace: Workspace,
    send: (message: PublishDiagnosticsParams) => void,
    fail: (text: string) => void,
  ) {
    this.#workspace = workspace;
    this.#send = send;
    this.#fail = fail;
  }

  /** The diagnostics that were published for a document. */
  publishedIn(uri: string): readonly Published[] {
    return [...this.#published.values()].flatMap(documents => documents.get(uri) ?? []);
  }

  /** Checks the project of a changed file, or the file itself when it belongs to none. */
  soon(path: string): void {
    const project = this.#workspace.projectOf(path);
    if (project) this.#check(project);
    else if (path.endsWith('.prs')) this.#queue(path, () => this.#checkSingle(path));
  }

  /** Checks all projects. */
  all(): void {
    for (const project of this.#workspace.projects) this.#check(project);
  }

  /** Resolves when the diagnostics of the current state are published. */
  async settled(): Promise<void> {
    while (this.#running || this.#timers.size > 0) {
      await this.#running;
      if (this.#timers.size > 0) await new Promise(resolve => setTimeout(resolve, idleTime / 4));
    }
  }

  #check(project: EditedProject): void {
    this.#queue(project.root, async () => {
      const findings = await project.firstFindings();
      await this.#publishProject(project, [...findings, ...(this.#ofOutputs.get(project.root) ?? [])]);
    });
    this.#checkOutputsLater(project);
  }

  #checkOutputsLater(project: EditedProject): void {
    const { root } = project;
    clearTimeout(this.#timers.get(root));
    const timer = setTimeout(() => {
      this.#timers.delete(root);
      this.#queue(`${root} outputs`, () => this.#checkOutputs(project));
    }, idleTime);
    this.#timers.set(root, timer);
  }

  async #checkOutputs(project: EditedProject): Promise<void> {
    const all = await project.findingsUnlessEdited();
    if (!all) this.#checkOutputsLater(project);
    if (!all) return;
    const ofSources = new Set((await project.firstFindings()).map(keyOf));
    const ofOutputs = all.filter(finding => !ofSources.has(keyOf(finding)));
    this.#ofOutputs.set(project.root, ofOutputs);
    await this.#publishProject(project, all);
  }

  /** Runs jobs in sequence, after all messages that an editor sends together have arrived. */
  #queue(key: string, job: () => Promise<void>): void {
    this.#jobs.set(key, job);
    this.#running ??= new Promise(resolve => setImmediate(resolve)).then(() => this.#runJobs());
  }

  async #runJobs(): Promise<void> {
    for (const [key, job] of this.#jobs) {
      this.#jobs.delete(key);
      try {
        await job();
      } catch (error) {
        this.#fail(error instanceof Error ? String(error.stack) : String(error));
      }
    }
    this.#running = undefined;
  }

  #publish(key: string, documents: ReadonlyMap<string, readonly Published[]>): void {
    const last = this.#published.get(key) ?? new Map<string, readonly Published[]>();
    this.#published.set(key, documents);
    for (const uri of new Set([...last.keys(), ...documents.keys()])) {
      const diagnostics = (documents.get(uri) ?? []).map(({ shown }) => shown);
      const before = last.get(uri)?.map(({ shown }) => shown);
      if (JSON.stringify(diagnostics) !== JSON.stringify(before)) this.#send({ uri, diagnostics });
    }
  }

  /** Publishes the findings of a project, and of each open source that the project does not use. */
  async #publishProject(project: EditedProject, findings: readonly Diagnostic[]): Promise<void> {
    const uriOf = await project.uris();
    const all = [...findings];
    const used = new Set((await project.read())?.loaded.read ?? []);
    // An open document without diagnostics gets an empty list.
    const documents = new Map<string, readonly Published[]>();
    for (const [path, text] of this.#workspace.open) {
      if (this.#workspace.projectOf(path) !== project) continue;
      const name = project.nameOf(path);
      documents.set(uriOf(name), []);
      if (path.endsWith('.prs') && !used.has(name)) all.push(...(await project.findingsIn(name)));
      all.push(...driftIn(project, name, text));
    }
    const configuration = uriOf(project.nameOf(project.config));
    const published = byDocument(sortDiagnostics(all), uriOf, configuration);
    this.#publish(project.root, new Map([...documents, ...published]));
  }

  /** Checks the syntax of a source outside of all projects. */
  async #checkSingle(path: string): Promise<void> {
    const findings: Diagnostic[] = [];
    const text = this.#workspace.open.get(path) ?? '';
    const uri = pathToFileURL(path).href;
    parseDocument({ name: path, text }, finding => void findings.push(finding));
    this.#publish(path, new Map([[uri, []], ...byDocument(sortDiagnostics(findings), () => uri, uri)]));
  }
}

/**
 * A warning for an output file whose text differs from what was generated, because it blocks the next
 * compile.
 */
function driftIn(project: EditedProject, name: string, text: string): readonly Diagnostic[] {
  const recorded = project.recorded(name)?.sha256;
  if (recorded === undefined || textHash(new TextEncoder().encode(text), sha256) === recorded) return [];
  const reason = 'the next compile stops here';
  return [outputDrifted({ path: name, reason }, { file: name, severity: 'warning' })];
}
