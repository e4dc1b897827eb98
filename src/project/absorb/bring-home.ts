import type { OutputFile } from '../../kinds/output.ts';
import { candidatesFor, placesOf, type Surroundings } from './candidates.ts';
import type { Decide, Fit } from './choices.ts';
import { type Edited, locateHunk, plannedLines } from './edited.ts';
import { type Hunk, hunkKey, hunksOf, splitHunk, withHunk } from './hunks.ts';
import { lostElsewhere, lostWords } from './lost-words.ts';
import type { Candidate, Trial, Workshop } from './trial.ts';

/** An edit of a generated file, and what became of it. */
export interface AbsorbedHunk extends Hunk {
  readonly file: string;
  /** Counted from 1, in the file as it was generated. */
  readonly line: number;
  readonly state: 'absorbed' | 'refused';
  /** Lines of sources that changed for it; none where another file had the same edit. */
  readonly to: readonly { readonly file: string; readonly line: number }[];
  readonly reason?: string;
}

/** A hunk that came home, with what makes it the same one in another run. */
type Done = AbsorbedHunk & { readonly key: string };

/** What a run has and what it has done so far. */
interface Work {
  readonly shop: Workshop;
  readonly files: readonly Edited[];
  trial: Trial;
  readonly done: Done[];
  readonly decide: Decide;
}

/** What became of one hunk; `parts` are to be tried by themselves, `other` is an edit that says something else. */
type Fate =
  | { readonly to: AbsorbedHunk['to'] }
  | { readonly reason: string }
  | { readonly parts: readonly Hunk[] }
  | { readonly other: Done };

/** Hunks of one file are tried so often before the rest of it stays. */
const mostTurns = 400;

/**
 * Brings the edits of files home, one after the other, by changing the sources in the workshop. `base` of a file follows
 * what came home of it. Where two files contradict one another everything begins anew without these edits, so that
 * neither wins by coming first.
 */
export async function bringHome(
  files: readonly Edited[],
  shop: Workshop,
  start: Trial,
  decide: Decide,
): Promise<{ readonly hunks: readonly AbsorbedHunk[]; readonly trial: Trial }> {
  const bases = files.map(({ base }) => base);
  let work: Work = { shop, files, trial: start, done: [], decide };
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    if ((await bringFileHome(file, work)) !== 'contradiction' && !(await refuseHalfMoves(file, work)))
      continue;
    shop.reset();
    for (const [index, base] of bases.entries()) files[index]!.base = base;
    work = { shop, files, trial: start, done: [], decide };
    at = -1;
  }
  const left: AbsorbedHunk[] = [];
  for (const file of files) {
    for (const hunk of await hunksOf(file.base, file.disk)) {
      const reason = reasonFor(hunk, file);
      left.push({ ...hunk, file: file.path, line: hunk.at + 1, state: 'refused', to: [], reason });
    }
  }
  return { hunks: [...work.done.map(({ key, ...hunk }) => hunk), ...left], trial: work.trial };
}

/** Why a hunk stays: what was said about it, or about the part of it that came first. */
function reasonFor(hunk: Hunk, { refused, base }: Edited): string {
  const own = refused.get(hunkKey(base, hunk));
  const lines = new Set([...hunk.removed, ...hunk.added]);
  const isPart = (one: Hunk) => [...one.removed, ...one.added].every(line => lines.has(line));
  const parts = [...refused.values()].filter(one => isPart(one.hunk));
  return (
    (own && own.reason !== noPlace ? own : (parts.find(({ reason }) => reason !== noPlace) ?? own))?.reason ??
    noPlace
  );
}

const noPlace = 'no change of the sources that was tried gives exactly this text';

async function bringFileHome(file: Edited, work: Work): Promise<'contradiction' | undefined> {
  const refuse = (hunk: Hunk, reason: string, of = file) => {
    const key = hunkKey(of.base, hunk);
    if (!of.refused.has(key)) of.refused.set(key, { hunk, reason });
  };
  if (await bringMoveHome(file, work)) return undefined;
  let parts: readonly Hunk[] = [];
  for (let turn = 0; turn < mostTurns; turn++) {
    const isOpen = (hunk: Hunk) => !file.refused.has(hunkKey(file.base, hunk));
    const [first, ...others] = parts;
    const hunk = first ?? (await hunksOf(file.base, file.disk)).find(isOpen);
    if (!hunk) return undefined;
    if (first) parts = others;
    if (!isOpen(hunk)) continue;
    const fate = await bringHunkHome(hunk, file, work);
    if ('to' in fate) {
      work.done.push(absorbed(hunk, file, fate.to));
      file.base = withHunk(file.base, hunk);
      if (plannedLines(work.trial.entries.get(file.path))?.join('\n') === file.disk.join('\n')) {
        await takeRest(file, work);
        return undefined;
      }
      const by = hunk.added.length - hunk.removed.length;
      const end = hunk.at + hunk.removed.length;
      parts = parts.map(part => (part.at >= end ? { ...part, at: part.at + by } : part));
    } else if ('parts' in fate) {
      refuse(hunk, noPlace);
      parts = [...fate.parts, ...parts];
    } else if ('other' in fate) {
      const { other } = fate;
      const owner = work.files.find(({ path }) => path === other.file)!;
      refuse(hunk, contradicts(other, hunk));
      owner.refused.set(other.key, {
        hunk: other,
        reason: contradicts({ ...hunk, file: file.path, line: hunk.at + 1 }, other),
      });
      return 'contradiction';
    } else refuse(hunk, fate.reason);
  }
  return undefined;
}

/**
 * What was moved comes home as a whole: with one half of it the sources would have a text twice, or no more. Says
 * whether halves came home that are refused now.
 */
async function refuseHalfMoves(file: Edited, { done }: Work): Promise<boolean> {
  const left = await hunksOf(file.base, file.disk);
  const wordsOf = (lines: readonly string[]) => lines.map(line => line.trim()).filter(Boolean);
  const [came, went] = [
    left.flatMap(({ added }) => wordsOf(added)),
    left.flatMap(({ removed }) => wordsOf(removed)),
  ];
  const isHalf = ({ removed, added }: Hunk) =>
    wordsOf(removed).some(line => came.includes(line) && !wordsOf(added).includes(line)) ||
    wordsOf(added).some(line => went.includes(line) && !wordsOf(removed).includes(line));
  const halves = done.filter(one => one.file === file.path && isHalf(one));
  const reason = 'it was moved, and only one half of the move has a place in the sources';
  for (const half of halves) file.refused.set(half.key, { hunk: half, reason });
  return halves.length > 0;
}

/** An edit that only moved a part of a file: the sources have the same parts in another order then. */
async function bringMoveHome(file: Edited, work: Work): Promise<boolean> {
  const { swapped, swapsIn, wholeHunk } = await import('./moves.ts');
  const whole = wholeHunk(file.base, file.disk);
  const swaps = swapsIn(whole);
  const planned = plannedLines(work.trial.entries.get(file.path));
  if (swaps.length === 0 || planned?.join('\n') !== file.base.join('\n')) return false;
  const around = await surroundingsOf(file, planned, work);
  for (const swap of swaps.slice(0, mostSwaps)) {
    for (const candidate of await swapped(swap, around)) {
      const took = await tryOut(candidate, file.disk.join('\n'), whole, file, work);
      if (typeof took !== 'object' || !('trial' in took)) continue;
      work.trial = took.trial;
      const to = candidate.edits.map(({ file: path, at }) => ({ file: path, line: at + 1 }));
      for (const hunk of await hunksOf(file.base, file.disk)) work.done.push(absorbed(hunk, file, to));
      file.base = [...file.disk];
      return true;
    }
  }
  return false;
}

const mostSwaps = 4;

const absorbed = (hunk: Hunk, { path, base }: Edited, to: AbsorbedHunk['to']): Done => ({
  ...hunk,
  key: hunkKey(base, hunk),
  file: path,
  line: hunk.at + 1,
  state: 'absorbed',
  to,
});

const surroundingsOf = async (
  { path }: Edited,
  lines: readonly string[],
  { shop, trial }: Work,
): Promise<Surroundings> => ({
  lines,
  sources: trial.compiled.sources,
  originsOf: await shop.originsIn(path, lines.join('\n')),
  sourceLines: source => shop.linesOf(source),
});

/** What else was edited says what the sources say now: one value that stands in several places was edited in all of them. */
async function takeRest(file: Edited, { done }: Work): Promise<void> {
  for (const hunk of await hunksOf(file.base, file.disk)) done.push(absorbed(hunk, file, []));
  file.base = [...file.disk];
}

const said = (lines: readonly string[]) => JSON.stringify(lines.join(' ').trim());

const contradicts = (
  other: Pick<AbsorbedHunk, 'file' | 'line' | 'added'>,
  { added }: Pick<Hunk, 'added'>,
): string => `it says ${said(added)} where ${other.file}:${other.line} says ${said(other.added)}`;

async function bringHunkHome(hunk: Hunk, file: Edited, work: Work): Promise<Fate> {
  const planned = plannedLines(work.trial.entries.get(file.path));
  if (!planned) return { reason: 'the sources make no such file any more' };
  const at = await locateHunk(hunk, file.base, planned);
  if (at === 'home') return { to: [] };
  if (at === 'other') {
    const other = work.done.find(one => one.file !== file.path && isAboutSame(one, hunk));
    return other ? { other } : { reason: 'the sources say something else here since it was generated' };
  }
  const here: Hunk = { ...hunk, at };
  const around = await surroundingsOf(file, planned, work);
  const wanted = withHunk(planned, here).join('\n');
  let isElsewhere = false;
  const ids = work.trial.entries.get(file.path)?.targets ?? [];
  const { fieldsFor, whyBroken, whyNotSaid } = await import('./fields.ts');
  const broken = await whyBroken(here, file.path, planned, file.disk);
  if (broken !== undefined) return { reason: broken };
  const output = await work.shop.outputOf(file.path);
  const fields = await fieldsFor(here, file.path, ids, around, output);
  const { renamedSections } = await import('./headings.ts');
  const titles = await renamedSections(here, around, work.trial.compiled.sources);
  const { addedParts } = await import('./texts.ts');
  const added = await addedParts(here, around);
  const candidates = [...(await candidatesFor(here, around)), ...titles, ...added, ...fields];
  let wrong: string | undefined;
  let lost: readonly string[] | undefined;
  for (const candidate of candidates) {
    const took = await tryOut(candidate, wanted, here, file, work, output);
    if (took === 'elsewhere') isElsewhere = true;
    else if (took && 'lost' in took) lost ??= took.lost;
    else if (took && 'wrong' in took) {
      if (fields.includes(candidate)) wrong ??= took.wrong;
    } else if (took) {
      const decided = await decide({ candidate, ...took }, candidates, wanted, here, file, work);
      if (typeof decided === 'string') return { reason: decided };
      work.trial = decided.trial;
      return {
        to: decided.candidate.edits.map(({ file: path, at: line }) => ({ file: path, line: line + 1 })),
      };
    }
  }
  const parts = splitHunk(hunk);
  if (
    parts.length > 0 &&
    (await isReadable(file.path, planned, { ...parts[0]!, at: at + parts[0]!.at - hunk.at }))
  )
    return { parts };
  if (isElsewhere)
    return { reason: 'what it comes from stands in other lines of this file, too, which say something else' };
  if (lost) return { reason: losing(lost) };
  if (wrong !== undefined) return { reason: `the sources that say so would be wrong: ${wrong}` };
  const unsaid = await whyNotSaid(here, file.path, planned);
  if (unsaid !== undefined) return { reason: unsaid };
  return { reason: await reasonOf(here, around) };
}

/** Whether the sources would only give the text because they say nothing of it any more. */
async function isHeldBack(
  before: OutputFile | undefined,
  { path, disk }: Edited,
  shop: Workshop,
): Promise<boolean> {
  if (before?.kind !== 'shared') return false;
  const { readFields } = await import('./data.ts');
  const { isLeftBehind } = await import('./owned.ts');
  const fields = await readFields(path, disk);
  return typeof fields === 'object' && isLeftBehind(before, await shop.outputOf(path), fields.data);
}

/** The generated files that there are, as texts. */
function plannedTexts({ entries }: Trial): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [path, entry] of entries) {
    const lines = entry.state === 'removed' ? undefined : plannedLines(entry);
    if (lines) texts.set(path, lines.join('\n'));
  }
  return texts;
}

const losing = (words: readonly string[]): string =>
  `the sources would lose more with it than the edit takes away (${JSON.stringify(words.slice(0, 6).join(' '))}); to take an item out of the sources, delete its own file and run \`prs absorb\` with its name`;

/** Whether a file that is data is still that with a part of an edit alone. */
async function isReadable(path: string, lines: readonly string[], part: Hunk): Promise<boolean> {
  const { readFields } = await import('./data.ts');
  return (
    (await readFields(path, withHunk(lines, part))) !== 'unreadable' ||
    (await readFields(path, lines)) === 'unreadable'
  );
}

/** The place that counts of those where a hunk fits, with the sources changed; or why it is none. */
async function decide(
  first: Fit & { readonly takeBack: () => void },
  candidates: readonly Candidate[],
  wanted: string,
  here: Hunk,
  file: Edited,
  work: Work,
): Promise<Fit | string> {
  const { shop, decide: by } = work;
  if (by === 'likeliest') return first;
  first.takeBack();
  const { choiceOf, otherFits } = await import('./choices.ts');
  const fits = await otherFits(first, candidates, shop, async candidate => {
    const took = await tryOut(candidate, wanted, here, file, work);
    return typeof took === 'object' && 'trial' in took ? took : undefined;
  });
  const choices = fits.map(fit => choiceOf(fit, shop));
  const places = choices.map(({ file: path, line }) => `${path}:${line}`).join(' and ');
  if (fits.length > 1 && by === 'certain') return `it fits at ${places}; \`prs absorb\` on a terminal asks`;
  const chosen = fits.length === 1 || by === 'certain' ? 0 : await by(here, file.path, choices);
  if (chosen === undefined) return `it fits at ${places}, and none of them was chosen`;
  const fit = fits[chosen]!;
  shop.apply(fit.candidate);
  return fit;
}

/** Whether two hunks of different files are about the same words, whatever marks stand around them. */
function isAboutSame(one: Hunk, other: Hunk): boolean {
  const words = (line: string) => (line.match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');
  const own = new Set(one.removed.map(words).filter(Boolean));
  return other.removed.some(line => own.has(words(line)));
}

/**
 * Changes the sources and compiles; they stay so when the file says what is wanted, or all that it says on the disk, and
 * nothing is wrong now. `elsewhere`: it would say it, but other lines change with it.
 */
async function tryOut(
  candidate: Candidate,
  wanted: string,
  { at, removed, added }: Hunk,
  file: Edited,
  { shop, trial: before }: Work,
  output?: OutputFile,
): Promise<
  | { readonly trial: Trial; readonly takeBack: () => void }
  | { readonly wrong: string }
  | { readonly lost: readonly string[] }
  | 'elsewhere'
  | undefined
> {
  const applied = shop.apply(candidate);
  if (!applied) return undefined;
  const { takeBack, rewritten } = applied;
  const isThere = (lines: readonly string[] | undefined) =>
    removed.length === added.length && added.every((line, index) => lines?.[at + index] === line);
  const disk = file.disk.join('\n');
  const draft = await shop.mayGive(file.path, [wanted, disk]);
  if (draft !== true) {
    takeBack();
    if (draft.errors[0]) return { wrong: draft.errors[0].message };
    return isThere(draft.text?.split('\n')) ? 'elsewhere' : undefined;
  }
  const trial = await shop.compile();
  const usable = typeof trial !== 'string' && !trial.compiled.broken ? trial : undefined;
  const lines = usable && plannedLines(usable.entries.get(file.path));
  const text = lines?.join('\n');
  const isSaid = usable && text !== undefined && (text === wanted || text === disk);
  const isRight = isSaid && !(await isHeldBack(output, file, shop));
  const lost = isRight
    ? [
        ...lostWords(rewritten, removed),
        ...lostElsewhere(plannedTexts(before), plannedTexts(usable), file.path, removed),
      ]
    : [];
  if (isRight && lost.length === 0) return { trial: usable, takeBack };
  takeBack();
  if (isRight) return { lost };
  if (typeof trial !== 'string' && trial.errors[0]) return { wrong: trial.errors[0].message };
  return isThere(lines) ? 'elsewhere' : undefined;
}

/** Why none of the ways was right, as far as the place tells. */
async function reasonOf({ at, removed }: Hunk, around: Surroundings): Promise<string> {
  const lines = removed.length > 0 ? removed.map((_, index) => at + index) : [at - 1, at];
  for (const line of lines) {
    const origins = await around.originsOf(line);
    const remote = origins.find(({ registry }) => registry !== undefined);
    if (remote)
      return `it comes from ${remote.registry}, which is not of this project: write \`@override ${remote.path} { … }\`, or \`@extend\` to add to it`;
    if ((await placesOf(line, around)).length > 0) continue;
    const layout = origins.find(({ file }) => file === undefined);
    if (layout) return `its words are those of ${layout.path}, not of the sources`;
  }
  return noPlace;
}
