import { bringHunkHome, changesList, listsEdited } from './bring-hunk.ts';
import type { Decide } from './choices.ts';
import { type Edited, editsLeft, plannedLines } from './edited.ts';
import { type Hunk, hunkKey, withHunk } from './hunks.ts';
import { contradicts, noPlace, reasonFor } from './reasons.ts';
import type { Trial, Workshop } from './trial.ts';
import { type AbsorbedHunk, absorbed, type Done, type Work } from './work.ts';

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
  apart: boolean,
): Promise<{ readonly hunks: readonly AbsorbedHunk[]; readonly trial: Trial }> {
  const bases = files.map(({ base }) => base);
  let work: Work = { shop, files, trial: start, done: [], decide, apart, vain: 0 };
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    const { refuseTakenApart, structureFor } = await import('./move-home.ts');
    const structure = structureFor(file, work);
    const isTakenApart = async () =>
      structure !== undefined && (await refuseTakenApart(structure, bases[at]!, file, work));
    const isContradicted = (await bringFileHome(file, work)) === 'contradiction';
    if (!isContradicted && !(await isHalfMoved(file, work)) && !(await isTakenApart())) continue;
    shop.reset();
    for (const [index, base] of bases.entries()) files[index]!.base = base;
    work = { shop, files, trial: start, done: [], decide, apart, vain: 0 };
    at = -1;
  }
  const left: AbsorbedHunk[] = [];
  for (const file of files) {
    const hunks = await editsLeft(file);
    if (apart && hunks.length > 0 && (await bringApart(hunks, file, work))) continue;
    for (const hunk of hunks) {
      const reason = reasonFor(hunk, file);
      left.push({ ...hunk, file: file.path, line: hunk.at + 1, state: 'refused', to: [], reason });
    }
  }
  return { hunks: [...work.done.map(({ key, ...hunk }) => hunk), ...left], trial: work.trial };
}

/** A file with edits that stay becomes a source of its own, if it can. */
async function bringApart(left: readonly Hunk[], file: Edited, work: Work): Promise<boolean> {
  const { setApart } = await import('./apart.ts');
  const kept = await setApart(file, work);
  if (!kept) return false;
  work.trial = kept.trial;
  const to = kept.candidate.moves!.map(({ file: source }) => ({ file: source, line: 1 }));
  work.done.push(...left.map(hunk => absorbed(hunk, file, to)));
  file.base = [...file.disk];
  return true;
}

async function isHalfMoved(file: Edited, { done }: Work): Promise<boolean> {
  const left = await editsLeft(file);
  if (left.length === 0 || !done.some(one => one.file === file.path)) return false;
  const { refuseHalfMoves } = await import('./move-home.ts');
  return refuseHalfMoves(left, file, done);
}

async function bringFileHome(file: Edited, work: Work): Promise<'contradiction' | undefined> {
  const refuse = (hunk: Hunk, reason: string) => {
    const key = hunkKey(file.base, hunk);
    if (!file.refused.has(key)) file.refused.set(key, { hunk, reason, again: true });
  };
  let tried = work.done.length;
  const { bringMoveHome } = await import('./move-home.ts');
  if (await bringMoveHome(file, work)) return undefined;
  const element = file.shared ? await bringElementHome(file, work) : undefined;
  if (element === 'home') return undefined;
  const { isSwap } = await import('./moves.ts');
  const isMoved = isSwap(file.base, file.disk);
  let parts: readonly Hunk[] = [];
  for (let turn = 0; turn < mostTurns; turn++) {
    const isOpen = (hunk: Hunk) => !file.refused.has(hunkKey(file.base, hunk));
    const [first, ...others] = parts;
    const hunk = first ?? (await editsLeft(file)).find(isOpen);
    if (!hunk) {
      if (work.done.length === tried || !reopen(file, work.done)) return undefined;
      tried = work.done.length;
      continue;
    }
    if (first) parts = others;
    if (!isOpen(hunk)) continue;
    // Ours stands beside what it became: a part of that alone would make of the sources what nobody wrote.
    if (element && (await changesList(hunk, element.lists, file))) {
      refuse(hunk, element.reason);
      continue;
    }
    const fate = await bringHunkHome(hunk, file, work, isMoved);
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

/** A line that moved can come where it stands now once it is gone from where it stood: a list has a member once. */
function reopen({ path, refused }: Edited, done: readonly Done[]): boolean {
  const lines = new Set(
    done.flatMap(one => (one.file === path ? [...one.added, ...one.removed] : [])).map(line => line.trim()),
  );
  lines.delete('');
  const open = [...refused].filter(
    ([, { hunk, again }]) =>
      again === true && [...hunk.added, ...hunk.removed].some(line => lines.has(line.trim())),
  );
  for (const [key] of open) refused.delete(key);
  return open.length > 0;
}

/** What else was edited says what the sources say now: one value that stands in several places was edited in all of them. */
async function takeRest(file: Edited, { done }: Work): Promise<void> {
  for (const hunk of await editsLeft(file)) done.push(absorbed(hunk, file, []));
  file.base = [...file.disk];
}

/**
 * An edited element of ours in a list of the user, or lines of ours in a file of lines: the whole difference of the file
 * says what it says now. Otherwise the lists with such elements, and why these stay.
 */
async function bringElementHome(
  file: Edited,
  work: Work,
): Promise<'home' | { readonly lists: readonly (readonly string[])[]; readonly reason: string } | undefined> {
  const lists = await listsEdited(await work.shop.outputOf(file.path), file);
  if (!file.linesBefore && lists.length === 0) return undefined;
  const { wholeHunk } = await import('./moves.ts');
  const whole = wholeHunk(file.base, file.disk);
  const known = file.refused.get(hunkKey(file.base, whole));
  const fate = known ?? (await bringHunkHome(whole, file, work, true));
  if ('to' in fate) {
    work.done.push(absorbed(whole, file, fate.to));
    file.base = [...file.disk];
    return 'home';
  }
  const reason = 'reason' in fate ? fate.reason : noPlace;
  return lists.length === 0 ? undefined : { lists, reason };
}
