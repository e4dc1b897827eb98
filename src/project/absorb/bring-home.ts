import type { OutputFile } from '../../kinds/output.ts';
import { candidatesFor } from './candidates.ts';
import type { Decide, Fit } from './choices.ts';
import { type Edited, locateHunk, plannedLines } from './edited.ts';
import { type Hunk, hunkKey, hunksOf, splitHunk, withHunk } from './hunks.ts';
import { contradicts, losing, noPlace, reasonFor, reasonOf, repeating } from './reasons.ts';
import type { Candidate, Trial, Workshop } from './trial.ts';
import { tryOut } from './try-out.ts';
import { type AbsorbedHunk, absorbed, type Done, surroundingsOf, type Work } from './work.ts';

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
  apart: boolean,
): Promise<{ readonly hunks: readonly AbsorbedHunk[]; readonly trial: Trial }> {
  const bases = files.map(({ base }) => base);
  let work: Work = { shop, files, trial: start, done: [], decide, apart };
  for (let at = 0; at < files.length; at++) {
    const file = files[at]!;
    if ((await bringFileHome(file, work)) !== 'contradiction' && !(await isHalfMoved(file, work))) continue;
    shop.reset();
    for (const [index, base] of bases.entries()) files[index]!.base = base;
    work = { shop, files, trial: start, done: [], decide, apart };
    at = -1;
  }
  const left: AbsorbedHunk[] = [];
  for (const file of files) {
    const hunks = await hunksOf(file.base, file.disk);
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
  const left = await hunksOf(file.base, file.disk);
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
  if (file.shared && (await bringElementHome(file, work))) return undefined;
  let parts: readonly Hunk[] = [];
  for (let turn = 0; turn < mostTurns; turn++) {
    const isOpen = (hunk: Hunk) => !file.refused.has(hunkKey(file.base, hunk));
    const [first, ...others] = parts;
    const hunk = first ?? (await hunksOf(file.base, file.disk)).find(isOpen);
    if (!hunk) {
      if (work.done.length === tried || !reopen(file, work.done)) return undefined;
      tried = work.done.length;
      continue;
    }
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
  for (const hunk of await hunksOf(file.base, file.disk)) done.push(absorbed(hunk, file, []));
  file.base = [...file.disk];
}

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
  const broken = await whyBroken(here, file, planned, file.disk);
  if (broken !== undefined) return { reason: broken };
  const output = await work.shop.outputOf(file.path);
  const fields = await fieldsFor(here, file, ids, around, output);
  const { renamedSections } = await import('./headings.ts');
  const titles = await renamedSections(here, around, work.trial.compiled.sources);
  const { addedParts } = await import('./texts.ts');
  const added = await addedParts(here, around);
  const isElement = await isOfElement(output, file);
  const candidates = isElement
    ? fields
    : [...(await candidatesFor(here, around)), ...titles, ...added, ...fields];
  let wrong: string | undefined;
  let lost: readonly string[] | undefined;
  let repeated: readonly string[] | undefined;
  for (const candidate of candidates) {
    const took = await tryOut(candidate, wanted, here, file, work, output, fields.length > 0);
    if (took === 'elsewhere') isElsewhere = true;
    else if (took && 'lost' in took) lost ??= took.lost;
    else if (took && 'repeated' in took) repeated ??= took.repeated;
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
  const parts = isElement ? [] : splitHunk(hunk);
  if (
    parts.length > 0 &&
    (await isReadable(file, planned, { ...parts[0]!, at: at + parts[0]!.at - hunk.at }))
  )
    return { parts };
  if (isElsewhere)
    return { reason: 'what it comes from stands in other lines of this file, too, which say something else' };
  if (lost) return { reason: losing(lost) };
  if (repeated) return { reason: repeating(repeated) };
  if (wrong !== undefined) return { reason: `the sources that say so would be wrong: ${wrong}` };
  const unsaid = await whyNotSaid(here, file, planned);
  if (unsaid !== undefined) return { reason: unsaid };
  return { reason: await reasonOf(here, around) };
}

/** An edited element of ours in a list of the user: the whole difference of the file says what it says now. */
async function bringElementHome(file: Edited, work: Work): Promise<boolean> {
  if (!(await isOfElement(await work.shop.outputOf(file.path), file))) return false;
  const { wholeHunk } = await import('./moves.ts');
  const whole = wholeHunk(file.base, file.disk);
  if (file.refused.has(hunkKey(file.base, whole))) return false;
  const fate = await bringHunkHome(whole, file, work);
  if (!('to' in fate)) return false;
  work.done.push(absorbed(whole, file, fate.to));
  file.base = [...file.disk];
  return true;
}

async function isOfElement(output: OutputFile | undefined, file: Edited): Promise<boolean> {
  if (output?.kind !== 'shared') return false;
  const { isRead, readFields } = await import('./data.ts');
  const { hasEditedElement } = await import('./owned.ts');
  const fields = await readFields(file, file.disk);
  return isRead(fields) && hasEditedElement(output, fields.data);
}

/** Whether a file that is data is still that with a part of an edit alone. */
async function isReadable(file: Edited, lines: readonly string[], part: Hunk): Promise<boolean> {
  const { isRead, readFields } = await import('./data.ts');
  const [after, before] = [await readFields(file, withHunk(lines, part)), await readFields(file, lines)];
  return !after || isRead(after) || (before !== undefined && !isRead(before));
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
