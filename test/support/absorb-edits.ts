/** Random edits of generated files, and what absorbing one leads to. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from 'yaml';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { renderText } from '../../src/diagnostics/render-text.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import type { WritableDisk } from '../../src/host/host.ts';
import { overlayDisk } from '../../src/host/overlay.ts';
import { type Absorbed, absorbProject } from '../../src/project/absorb/absorb.ts';
import { compileProject } from '../../src/project/compile.ts';
import type { Compiling } from '../../src/session/world.ts';

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A copy of a project, compiled for one target or for those of its configuration, and its generated texts. */
export interface Prepared {
  readonly folder: string;
  readonly outputs: readonly string[];
  readonly sources: readonly string[];
}

export async function prepare(project: string, target?: string): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), 'prs-absorb-'));
  made.push(folder);
  cpSync(project, folder, { recursive: true });
  if (target !== undefined) {
    const path = join(folder, 'instr.yaml');
    const config = parseDocument(readFileSync(path, 'utf8'));
    config.set('targets', [target]);
    writeFileSync(path, String(config));
  }
  const { compiled, said } = await compile(folder, nodeDisk);
  if (typeof compiled === 'string' || compiled.broken) throw new Error(said);
  const outputs = compiled.entries
    .filter(({ content, path }) => content && !content.includes(0) && existsSync(join(folder, path)))
    .map(({ path }) => path);
  return { folder, outputs, sources: compiled.sources };
}

const worldOf = (folder: string, disk: WritableDisk, found: Diagnostic[]): Compiling => ({
  disk,
  clock: () => new Date(0),
  cwd: folder,
  environment: {},
  progress: () => {},
  report: finding => void found.push(finding),
});

async function compile(folder: string, disk: WritableDisk) {
  const found: Diagnostic[] = [];
  const compiled = await compileProject({ mode: 'write' }, worldOf(folder, disk, found));
  return { compiled, said: renderText(found) };
}

export type Random = () => number;

/** Numbers from 0 to 1 that a seed decides. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const pick = <T>(values: readonly T[], random: Random): T => values[Math.floor(random() * values.length)]!;

export const kinds = [
  'word', 'word', 'word', 'line', 'insert', 'insert', 'insert paragraph', 'delete', 'delete', 'move', 'section', 'delete section', 'two words', 'delete file',
] as const;
export type Kind = (typeof kinds)[number];

const words = ['lantern', 'carefully', 'seventeen', 'harbour', 'mild', 'quickly', 'orchard'];

const hasWords = (line: string | undefined): boolean => /\p{L}/u.test(line ?? '');

/** The text after an edit; `undefined`: there is nothing to be edited like that. A file that goes is `null`. */
export function edit(text: string, kind: Kind, random: Random): string | null | undefined {
  if (kind === 'delete file') return null;
  const lines = text.split('\n');
  const spoken = lines.flatMap((line, at) => (hasWords(line) ? [at] : []));
  if (spoken.length < 2) return undefined;
  const at = pick(spoken, random);
  const head = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  /** Keys of data are not reworded, and prose does not come between them. */
  const key = /^\s*(?:"[^"]*"|[\w.-]+)\s*[:=]\s|^\s*[\w.-]+:$/.exec(lines[at]!)?.[0].length ?? 0;
  if (at <= head && /insert|move|line/.test(kind)) return undefined;
  const word = () => {
    const places = [...lines[at]!.matchAll(/\p{L}{3,}/gu)].filter(({ index }) => index >= key || at > head && head !== -1);
    if (places.length === 0) return false;
    const { index, 0: old } = pick(places, random);
    lines[at] = lines[at]!.slice(0, index) + pick(words, random) + lines[at]!.slice(index + old.length);
    return true;
  };
  const like = (line: string) => {
    const [, marks] = /^(\s*(?:[-*+] |\d+\. |> )?)/.exec(line)!;
    return `${marks}${pick(words, random)} ${pick(words, random)} ${Math.floor(random() * 1000)}`;
  };
  const headings = lines.flatMap((line, index) => (/^#{2,6} /.test(line) ? [index] : []));
  switch (kind) {
    case 'word':
      if (!word()) return undefined;
      break;
    case 'two words': {
      if (!word()) return undefined;
      const other = edit(lines.join('\n'), 'word', random);
      return other;
    }
    case 'line': {
      const [, marks, rest] = /^(\s*(?:[-*+] |\d+\. |> |#{1,6} |"?[\w-]+"?: )?)(.*)$/s.exec(lines[at]!)!;
      lines[at] = `${marks}${pick(words, random)} and ${pick(words, random)}${/["',]+$/.exec(rest!)?.[0] ?? ''}`;
      break;
    }
    case 'insert':
      if (/^#|^---/.test(lines[at]!)) return undefined;
      lines.splice(at + 1, 0, like(lines[at]!));
      break;
    case 'insert paragraph':
      if (/^---/.test(lines[at]!)) return undefined;
      lines.splice(at + 1, 0, '', `Mind the ${pick(words, random)} ${pick(words, random)}.`);
      break;
    case 'delete':
      lines.splice(at, 1);
      break;
    case 'move': {
      const [line] = lines.splice(at, 1);
      lines.splice(pick(spoken, random), 0, line!);
      break;
    }
    case 'section': {
      if (headings.length === 0) return undefined;
      const heading = pick(headings, random);
      const marks = /^#+/.exec(lines[heading]!)![0];
      lines.splice(heading, 0, `${marks} About the ${pick(words, random)}`, '', `Mind the ${pick(words, random)}.`, '');
      break;
    }
    case 'delete section': {
      if (headings.length === 0) return undefined;
      const heading = pick(headings, random);
      const level = /^#+/.exec(lines[heading]!)![0].length;
      let end = heading + 1;
      while (end < lines.length && !(/^#+ /.test(lines[end]!) && /^#+/.exec(lines[end]!)![0].length <= level)) end++;
      lines.splice(heading, end - heading);
      break;
    }
  }
  const next = lines.join('\n');
  return next === text ? undefined : next;
}

export interface Outcome {
  readonly path: string;
  readonly kind: Kind;
  /** `home`: reproduced exactly. `refused`: it stays where it is, with a reason. `part`: some of its hunks are home. */
  readonly result: 'home' | 'refused' | 'part' | 'same';
  readonly reasons: readonly string[];
  /** What must never be. */
  readonly wrong: readonly string[];
  readonly before: string;
  readonly after: string | null;
}

const comments = (text: string): string[] =>
  text.split('\n').filter(line => /^\s*#(?!#* )/.test(line) || /^\s*# /.test(line));

/** Edits a file in memory, absorbs and compiles. */
export async function absorbEdit(
  { folder, sources }: Prepared,
  path: string,
  kind: Kind,
  random: Random,
): Promise<Outcome | undefined> {
  const before = readFileSync(join(folder, path), 'utf8');
  const after = edit(before, kind, random);
  if (after === undefined) return undefined;
  const disk = overlayDisk(nodeDisk);
  if (after === null) disk.removeFile(join(folder, path));
  else disk.writeBytes(join(folder, path), new TextEncoder().encode(after));
  const found: Diagnostic[] = [];
  const absorbed = await absorbProject({ files: after === null ? [path] : [], dryRun: false, added: false }, worldOf(folder, disk, found));
  if (typeof absorbed === 'string') throw new Error(renderText(found));
  const text = (name: string) => {
    const bytes = disk.readBytes(join(folder, name));
    return bytes && new TextDecoder().decode(bytes);
  };
  const wrong: string[] = [];
  if ((text(path) ?? null) !== after) wrong.push('absorbing changed the edited file');
  const refused = absorbed.hunks.filter(({ state }) => state === 'refused');
  const home = absorbed.hunks.filter(({ state }) => state === 'absorbed');
  wrong.push(...lostComments(absorbed, sources, folder, text, kind));
  const { compiled, said } = await compile(folder, disk);
  const broken = typeof compiled === 'string' || compiled.broken;
  const drifts = /PRS8002/.test(said);
  if (broken && !drifts) wrong.push(`the sources are broken: ${said}`);
  if (refused.length === 0) {
    if (home.length > 0 && drifts) wrong.push('what came home is an edit to the next compile');
    if (home.length > 0 && (text(path) ?? null) !== after) wrong.push('the next compile says something else');
  } else if ((text(path) ?? null) !== after && after !== null) wrong.push('a refused edit is lost');
  const isShared = typeof compiled !== 'string' && compiled.entries.some(one => one.path === path && one.shared);
  const result =
    absorbed.hunks.length === 0 ? 'same' : refused.length === 0 ? 'home' : home.length > 0 ? 'part' : 'refused';
  if (result === 'same' && after !== null && !drifts && !isShared && text(path) !== after) wrong.push('the edit was lost unseen');
  if (result === 'same' && drifts) wrong.push('an edit was not seen');
  return { path, kind, result, reasons: refused.map(({ reason }) => reason!), wrong, before, after };
}

function lostComments(
  { sources }: Absorbed,
  _all: readonly string[],
  _folder: string,
  text: (name: string) => string | undefined,
  kind: Kind,
): string[] {
  if (/delete/.test(kind)) return [];
  return sources.flatMap(({ path, before = '' }) => {
    if (!path.endsWith('.prs')) return [];
    const now = comments(text(path) ?? '');
    const lost = comments(before).filter(line => /^\s*# /.test(line) && !now.includes(line));
    return lost.length > 1 ? [`${path} lost ${lost.join(' | ')}`] : [];
  });
}
