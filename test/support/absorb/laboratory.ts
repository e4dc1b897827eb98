/**
 * A project compiled in memory, in which edits of outputs are absorbed one after the other. Each edit starts from the
 * same state; what was derived from the unchanged files is cached.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { memoryDisk, type OverlayDisk, overlayDisk } from '../../../src/host/overlay.ts';
import { readManifest } from '../../../src/plan/manifest.ts';
import { type Absorbed, type AbsorbRequest, absorbProject } from '../../../src/project/absorb/absorb.ts';
import { Workspace } from '../../../src/project/absorb/workspace.ts';
import { type Compiled, compileProject } from '../../../src/project/compile.ts';
import { persistentSession, type Session } from '../../../src/project/session/session.ts';
import type { CompileContext } from '../../../src/project/session/world.ts';
import type { Diagnostic } from '../../../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../../../src/text/diagnostics/render-text.ts';

export type Files = ReadonlyMap<string, string>;

/** A generated file that can be edited as text. */
export interface Output {
  readonly path: string;
  readonly text: string;
  /** The text that a compile would generate. The file itself may have the layout of a user. */
  readonly planned: string;
  /** Paths of the values that the compiler owns in a file of the user. */
  readonly keys?: readonly (readonly string[])[];
  /** Whether it is a main file, which is never an item. */
  readonly isMain?: boolean;
  /** One-line front matter fields of other files in the same folder. */
  readonly beside?: readonly string[];
}

/** The result of an edit. */
export interface Result {
  readonly absorbed: Absorbed;
  /** Texts after `absorb`, and after the compile that follows. */
  readonly between: Files;
  readonly after: Files;
  /** The diagnostics of the compile. */
  readonly said: string;
  readonly broken: boolean;
  /** Whether the compile found drift, an edit that is not in the sources. */
  readonly drifts: boolean;
  /** Whether a second compile would change something. */
  readonly unsettled: boolean;
}

export interface Laboratory {
  readonly name: string;
  /** All texts of the compiled project. */
  readonly files: Files;
  readonly outputs: readonly Output[];
  readonly sources: ReadonlySet<string>;
  absorb(changes: ReadonlyMap<string, string | null>, request: Partial<AbsorbRequest>): Promise<Result>;
}

/** Whether a compile reproduces an edited text. Relocated lines may be at another position. */
export function isReproduced(made: string | null, edited: string | null, { hunks }: Absorbed): boolean {
  if (made === edited || made === null || edited === null) return made === edited;
  const linesOf = (text: string) => text.split('\n').filter(line => line.trim() !== '').sort();
  return hunks.some(({ isRelocated }) => isRelocated) && String(linesOf(made)) === String(linesOf(edited));
}

const root = join(sep, 'proof');

/** Opens and compiles a project. `moveIn` may first convert its files into sources. Throws on errors. */
export async function openLaboratory(
  name: string,
  files: Files,
  moveIn?: (world: CompileContext) => Promise<unknown>,
): Promise<Laboratory> {
  const contents = new Map([...files].map(([path, content]) => [path, { content }]));
  const first = overlayDisk(memoryDisk(root, contents));
  await moveIn?.(worldOf(first, []));
  const { compiled, said, broken } = await compile(first, undefined, moveIn !== undefined);
  if (!compiled || broken) throw new Error(`${name}: ${said}`);
  const texts = textsOf(first);
  const base = memoryDisk(root, new Map([...texts].map(([path, content]) => [path, { content }])));
  const disk = overlayDisk(base);
  const found: Diagnostic[] = [];
  const workspace = new Workspace(worldOf(disk, found), {});
  const session = persistentSession(worldOf(disk, found));
  const manifest = readManifest({ name: 'manifest', text: texts.get('.instr/manifest.json')! }, () => {})!;
  const mains = new Set(compiled.requests.map(({ spec }) => spec.files.instructions?.path));
  const outputs: Output[] = [];
  for (const { path, content, shared } of compiled.entries) {
    const text = texts.get(path);
    if (!content || text === undefined) continue;
    const { keys = [], adopted } = manifest.files.get(path) ?? {};
    const made = adopted ? await workspace.outputOf(path) : undefined;
    outputs.push({
      path,
      text,
      planned: made?.kind === 'whole' ? String(made.content) : text,
      isMain: mains.has(path),
      beside: fieldsBeside(path, texts),
      ...(shared && { keys: keys.map(key => key.path) }),
    });
  }
  return {
    name,
    files: texts,
    outputs,
    sources: new Set(compiled.sources),
    absorb: async (changes, request) => {
      found.length = 0;
      disk.forget();
      for (const [path, text] of changes) write(disk, path, text);
      workspace.restart();
      const world = worldOf(disk, found);
      const absorbed = await absorbProject({ files: [], dryRun: false, added: false, ...request }, world, workspace);
      if (typeof absorbed === 'string') throw new Error(renderText(found));
      const between = textsOf(disk);
      session.change();
      const next = await compile(disk, session, false, changes);
      session.change();
      const again = next.broken || next.drifts ? undefined : await compile(disk, session);
      return {
        absorbed,
        between,
        after: textsOf(disk),
        said: next.said,
        broken: next.broken,
        drifts: next.drifts,
        unsettled: again?.compiled?.work === true,
      };
    },
  };
}

const worldOf = (disk: OverlayDisk, found: Diagnostic[]): CompileContext & { isolated: boolean } => ({
  disk,
  clock: () => new Date(0),
  cwd: root,
  environment: {},
  progress: () => {},
  report: finding => void found.push(finding),
  isolated: true,
});

/**
 * `edited`: files of the user that an edit may have made unreadable. Errors about them are expected, because only the
 * user can repair them.
 */
async function compile(disk: OverlayDisk, session?: Session, force = false, edited?: ReadonlyMap<string, unknown>) {
  const found: Diagnostic[] = [];
  const compiled = await compileProject({ mode: 'write', force }, worldOf(disk, found), session);
  const isTheirs = ({ code, file, span }: Diagnostic) =>
    /^PRS80(?:01|10)$/.test(code) && edited?.has(file ?? span?.source.name ?? '') === true;
  const errors = found.filter(one => one.severity === 'error' && !isTheirs(one));
  const codes = new Set(errors.map(({ code }) => code));
  const drifts = codes.delete('PRS8002');
  return {
    compiled: typeof compiled === 'string' ? undefined : (compiled as Compiled),
    said: renderText(found),
    drifts,
    broken: typeof compiled === 'string' || codes.size > 0,
  };
}

function write(disk: OverlayDisk, path: string, text: string | null): void {
  const file = join(root, path);
  if (text === null) {
    disk.removeFile(file);
    return;
  }
  disk.makeDirectory(join(file, '..'));
  disk.writeBytes(file, new TextEncoder().encode(text));
}

function textsOf(disk: OverlayDisk, folder = root, texts = new Map<string, string>()): Map<string, string> {
  for (const { name, kind } of disk.list(folder) ?? []) {
    const path = join(folder, name);
    if (kind === 'directory') textsOf(disk, path, texts);
    else texts.set(relative(root, path).split(sep).join('/'), new TextDecoder().decode(disk.readBytes(path)));
  }
  return texts;
}

const folderOf = (path: string): string => path.replace(/(?:\/SKILL\.md|\/[^/]+)$/, '').replace(/(?<=\/skills)\/.*/, '');

/** Front matter lines of other files in the folder, except those that identify the item. */
function fieldsBeside(path: string, texts: Files): string[] {
  const found = new Set<string>();
  for (const [other, text] of texts) {
    if (other === path || folderOf(other) !== folderOf(path)) continue;
    const front = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1] ?? '';
    for (const line of front.split('\n'))
      if (/^(?!name|description|globs|paths|applyTo|trigger)[\w-]+: [^\s|>[{&*]/.test(line)) found.add(line);
  }
  return [...found].sort();
}

/** The texts of a folder on disk. */
export function readFolder(folder: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name);
    if (statSync(path).isFile()) texts.set(name.split(sep).join('/'), readFileSync(path, 'utf8'));
  }
  return texts;
}
