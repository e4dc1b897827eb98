/** Projects on a real disk, for tests of planning and writing. */
import { execFileSync } from 'node:child_process';
import { cpSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../../../src/host/disk.ts';
import type { WritableDisk } from '../../../src/host/host.ts';
import type { KeyEdit, OutputFile, SharedFile } from '../../../src/kinds/output.ts';
import { type SealedKind, sealText, unsealText } from '../../../src/project/write/seal.ts';
import { undoLastRun } from '../../../src/project/write/undo.ts';
import { planOutputs, type WriteRequest, writeOutputs } from '../../../src/project/write/write.ts';
import type { Diagnostic } from '../../../src/text/diagnostics/diagnostic.ts';

export type Options = Partial<Pick<WriteRequest, 'force' | 'keep' | 'sources' | 'isSearched'>> & { readonly disk?: WritableDisk };

/** A file that the compiler owns completely. */
export const whole = (path: string, content: string, more: Partial<OutputFile> = {}): OutputFile =>
  ({ kind: 'whole', path, targets: ['one'], content, executable: false, format: 'markdown', ...more }) as OutputFile;

/** A file of the user in which the compiler owns these keys. */
export const shared = (path: string, edits: readonly KeyEdit[], format: SharedFile['format'] = 'json'): OutputFile => ({
  kind: 'shared',
  path,
  targets: ['one'],
  format,
  edits,
});

export const set = (path: string, value: KeyEdit['value']): KeyEdit => ({ kind: 'set', path: path.split('.'), value });

export const element = (path: string, value: KeyEdit['value']): KeyEdit => ({
  kind: 'element',
  path: path.split('.'),
  value,
});

/** The kind under which a file below `.instr/` is sealed. */
const sealed = (name: string): SealedKind | undefined =>
  /^\.state\/(?:journal|rollback|runs\/[^/]+\/(?:run|undone))\.json$/.test(name)
    ? 'run'
    : name === '.state/written.json'
      ? 'written'
      : undefined;

const roots = new Set<string>();
process.on('exit', () => {
  for (const root of roots) rmSync(root, { recursive: true, force: true });
});

/** A project in a temporary directory, which is removed when the process exits. */
export class Project {
  readonly root: string;

  constructor(parent: string = tmpdir()) {
    this.root = mkdtempSync(join(parent, 'project-'));
    roots.add(this.root);
  }

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), text);
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  exists(path: string): boolean {
    return lstatSync(this.at(path), { throwIfNoEntry: false }) !== undefined;
  }

  /** A copy whose state is valid as if the runs had been made in it. */
  copy(): Project {
    const project = new Project();
    cpSync(this.root, project.root, { recursive: true, verbatimSymlinks: true });
    if (!project.exists('.instr')) return project;
    for (const name of readdirSync(project.at('.instr'), { recursive: true, encoding: 'utf8' })) {
      const kind = sealed(name.replaceAll('\\', '/'));
      if (!kind) continue;
      const path = `.instr/${name}`;
      const text = unsealText(project.read(path).trimEnd(), kind, { root: this.root, disk: nodeDisk });
      if (text !== undefined) project.write(path, sealText(text, kind, { root: project.root, disk: nodeDisk }));
    }
    return project;
  }

  git(...args: string[]): string {
    return execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.org', ...args], {
      cwd: this.root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** Every file with its text, and links as `-> target`, without the compiler's own state. */
  tree(): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (folder: string) => {
      for (const entry of readdirSync(this.at(folder), { withFileTypes: true })) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
        if (path === '.instr/.state' || path === '.git') continue;
        if (entry.isDirectory()) walk(path);
        else found[path] = entry.isSymbolicLink() ? `-> ${readlinkSync(this.at(path))}` : this.read(path);
      }
    };
    walk('');
    return Object.fromEntries(Object.entries(found).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  async compile(files: readonly OutputFile[], options: Options = {}) {
    const found: Diagnostic[] = [];
    const outcome = await writeOutputs(this.request(files, options), diagnostic => found.push(diagnostic));
    return { ...outcome, ...summary(found), states: states(outcome.plan?.entries ?? []) };
  }

  async plan(files: readonly OutputFile[], options: Options = {}) {
    const found: Diagnostic[] = [];
    const outcome = await planOutputs(this.request(files, options), diagnostic => found.push(diagnostic));
    return { ...outcome, ...summary(found), states: states(outcome.plan?.entries ?? []) };
  }

  async undo(force = false, disk: WritableDisk = nodeDisk) {
    const found: Diagnostic[] = [];
    const request = { root: this.root, disk, clock: () => new Date(), force };
    const outcome = await undoLastRun(request, diagnostic => found.push(diagnostic));
    return { ...outcome, ...summary(found) };
  }

  private request(files: readonly OutputFile[], { disk = nodeDisk, force = false, ...rest }: Options): WriteRequest {
    return { root: this.root, disk, clock: () => new Date(), files, force, ...rest };
  }
}

const summary = (found: readonly Diagnostic[]) => ({
  found,
  codes: found.map(({ code }) => code),
});

const states = (entries: readonly { path: string; state: string }[]) =>
  Object.fromEntries(entries.map(({ path, state }) => [path, state]));
