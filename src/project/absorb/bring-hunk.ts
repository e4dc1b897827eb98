import type { OutputFile } from '../../kinds/output.ts';
import { candidatesFor, type Surroundings, unique } from './candidates.ts';
import type { Fit } from './choices.ts';
import { type Edited, locateHunk, plannedLines } from './edited.ts';
import { type Hunk, splitHunk, withHunk } from './hunks.ts';
import { losing, reasonOf, repeating, withoutStop } from './reasons.ts';
import type { Candidate, SourceEdit } from './trial.ts';
import { tryOut } from './try-out.ts';
import { type AbsorbedHunk, type Done, surroundingsOf, type Work } from './work.ts';

/** What became of one hunk; `parts` are to be tried by themselves, `other` is an edit that says something else. */
type Fate =
  | { readonly to: AbsorbedHunk['to'] }
  | { readonly reason: string }
  | { readonly parts: readonly Hunk[] }
  | { readonly other: Done };

/** After so many changes in vain a hunk is given only its likeliest ones, so that no edit takes minutes. */
const mostInVain = 150;
const likeliest = 12;

/**
 * Brings one hunk home, if a change of the sources gives what it says. `isWhole`: it is not to be taken apart, as what
 * was moved is not.
 */
export async function bringHunkHome(hunk: Hunk, file: Edited, work: Work, isWhole = false): Promise<Fate> {
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
  const { renamedFiles, renamedItems, renamedSections } = await import('./headings.ts');
  const { addedParts } = await import('./texts.ts');
  const { addedSection } = await import('./section-order.ts');
  const project = await work.shop.project();
  const titles = [
    ...(await renamedSections(here, around, work.trial.compiled.sources)),
    ...(await renamedItems(here, around)),
    ...(project ? await renamedFiles(here, around, project) : []),
  ];
  const inOrder = project ? await addedSection(here, around, project) : [];
  const { withoutSources } = await import('./gone-items.ts');
  const { belowFields } = await import('./below-fields.ts');
  const added = [...(await addedParts(here, around)), ...inOrder, ...(await belowFields(here, around))];
  const { addedMembers } = await import('./members.ts');
  const members = await addedMembers(here, around);
  const isElement = (await listsEdited(output, file)).length > 0;
  const candidates = isElement
    ? fields
    : [
        ...(await asLines(file, output, around)),
        ...members,
        ...(await onLines(here, around)),
        ...titles,
        ...(await withoutSources(here, around)),
        ...added,
        ...fields,
      ];
  let wrong: string | undefined;
  let lost: readonly string[] | undefined;
  let repeated: readonly string[] | undefined;
  const most = work.vain > mostInVain ? likeliest : candidates.length;
  for (const candidate of candidates.slice(0, most)) {
    work.vain++;
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
      work.vain = 0;
      return {
        to: [
          ...decided.candidate.edits.map(({ file: path, at: line }) => ({ file: path, line: line + 1 })),
          ...(decided.candidate.moves ?? []).map(({ file: path }) => ({ file: path, line: 1 })),
        ],
      };
    }
  }
  const parts = isElement || isWhole ? [] : splitHunk(hunk);
  if (
    parts.length > 0 &&
    (await isReadable(file, planned, { ...parts[0]!, at: at + parts[0]!.at - hunk.at }))
  )
    return { parts };
  if (isElsewhere)
    return { reason: 'what it comes from stands in other lines of this file, too, which say something else' };
  if (lost) return { reason: losing(lost) };
  if (repeated) return { reason: repeating(repeated) };
  if (wrong !== undefined) return { reason: `the sources that say so would be wrong: ${withoutStop(wrong)}` };
  const unsaid = await whyNotSaid(here, file, planned, file.disk);
  if (unsaid !== undefined) return { reason: unsaid };
  return { reason: await reasonOf(here, around) };
}

/**
 * Lines of ours in a file of lines of the user become those that somebody made of them: what is planned has ours beside
 * them again, so that a hunk does not tell.
 */
async function asLines(
  file: Edited,
  output: OutputFile | undefined,
  around: Surroundings,
): Promise<Candidate[]> {
  if (!file.linesBefore) return [];
  const { linesInstead } = await import('./owned.ts');
  const edits: SourceEdit[] = [];
  for (const [line, next] of linesInstead(output, file.disk, file.linesBefore)) {
    const at = around.lines.findIndex(one => one.trim() === line);
    const [first] = await candidatesFor({ at, removed: [line], added: [next] }, around);
    if (!first) return [];
    edits.push(...first.edits);
  }
  return unique([{ edits }]);
}

/** The lists of the user in which an element of ours was edited. */
export async function listsEdited(
  output: OutputFile | undefined,
  file: Edited,
): Promise<(readonly string[])[]> {
  if (output?.kind !== 'shared' || output.format === 'lines') return [];
  const { isRead, readFields } = await import('./data.ts');
  const { editedLists } = await import('./owned.ts');
  const fields = await readFields(file, file.disk);
  return isRead(fields) ? editedLists(output, fields.data) : [];
}

/** Whether a hunk changes one of some lists, or leaves nothing that can be read. */
export async function changesList(
  hunk: Hunk,
  lists: readonly (readonly string[])[],
  file: Edited,
): Promise<boolean> {
  const { changesOf, isRead, readFields } = await import('./data.ts');
  const [before, after] = [
    await readFields(file, file.base),
    await readFields(file, withHunk(file.base, hunk)),
  ];
  if (!isRead(before) || !isRead(after)) return true;
  const changes = await changesOf(before.data, after.data);
  return changes.some(({ path }) =>
    lists.some(list => list.every((key, at) => at >= path.length || String(path[at]) === key)),
  );
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

/** Candidates on the lines that a hunk came from, those that change all sources which say the same last. */
async function onLines(hunk: Hunk, around: Surroundings): Promise<Candidate[]> {
  const { changedEverywhere } = await import('./everywhere.ts');
  return unique([...(await candidatesFor(hunk, around)), ...(await changedEverywhere(hunk, around))]);
}
