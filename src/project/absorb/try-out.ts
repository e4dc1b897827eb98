import type { OutputFile } from '../../kinds/output.ts';
import { type Edited, plannedLines } from './edited.ts';
import type { Hunk } from './hunks.ts';
import { lostElsewhere, lostFromSources, repeatedElsewhere } from './lost-words.ts';
import type { Candidate, Trial, Workshop } from './trial.ts';
import type { Work } from './work.ts';

/**
 * Changes the sources and compiles; they stay so when the file says what is wanted, or all that it says on the disk, and
 * nothing is wrong now. `strict`: it is about fields, of which other files may make something else. `elsewhere`: it
 * would say it, but other lines change with it.
 */
export async function tryOut(
  candidate: Candidate,
  wanted: string,
  { at, removed, added }: Hunk,
  file: Edited,
  { shop, trial: before }: Work,
  output?: OutputFile,
  strict = false,
): Promise<
  | { readonly trial: Trial; readonly takeBack: () => void }
  | { readonly wrong: string }
  | { readonly lost: readonly string[] }
  | { readonly repeated: readonly string[] }
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
  const usable = typeof trial !== 'string' && trial.sound ? trial : undefined;
  const lines = usable && plannedLines(usable.entries.get(file.path));
  const text = lines?.join('\n');
  const isSaid =
    usable &&
    text !== undefined &&
    (text === wanted || text === disk || (await saysAnew(text, wanted, file, before)));
  const isRight = isSaid && !(await isHeldBack(output, file, shop));
  const lost = isRight
    ? [
        ...lostFromSources(rewritten, removed),
        ...lostElsewhere(plannedTexts(before), plannedTexts(usable), file.path, removed),
      ]
    : [];
  if (isRight && lost.length === 0) {
    const texts = [plannedTexts(before), plannedTexts(usable)] as const;
    const edit = { removed, added: added.length > 0 ? added : insteadOf(removed, file) };
    const repeated = repeatedElsewhere(...texts, file.path, edit, strict);
    if (repeated.length > 0) {
      takeBack();
      return { repeated };
    }
  }
  if (isRight && lost.length === 0) return { trial: usable, takeBack };
  takeBack();
  if (isRight) return { lost };
  if (typeof trial !== 'string' && trial.errors[0]) return { wrong: trial.errors[0].message };
  return isThere(lines) ? 'elsewhere' : undefined;
}

/**
 * What a file of the user says where an element of ours in a list was edited: ours is planned behind it again, so that the
 * hunk has only that. Lines of another field are none of it.
 */
function insteadOf(removed: readonly string[], { shared, disk }: Edited): readonly string[] {
  const fieldOf = (line: string) => /^\s*(?:"[^"]*":|[\w-]+ *[:=])?/.exec(line)![0];
  const fields = new Set(removed.map(fieldOf));
  return shared ? disk.filter(line => !removed.includes(line) && fields.has(fieldOf(line))) : [];
}

/** Whether a text says what is wanted in another layout, where what was planned before did not. */
async function saysAnew(
  text: string,
  wanted: string,
  { path, saysSame }: Edited,
  before: Trial,
): Promise<boolean> {
  const last = plannedLines(before.entries.get(path))?.join('\n');
  if (!saysSame || last === undefined) return false;
  return (await saysSame(text, wanted)) && !(await saysSame(last, wanted));
}

/** Whether the sources would only give the text because they say nothing of it any more. */
async function isHeldBack(before: OutputFile | undefined, file: Edited, shop: Workshop): Promise<boolean> {
  if (before?.kind !== 'shared') return false;
  if (before.format === 'lines') {
    const { areLinesLeftBehind } = await import('./owned.ts');
    return areLinesLeftBehind(before, await shop.outputOf(file.path), file.disk, file.linesBefore);
  }
  const { isRead, readFields } = await import('./data.ts');
  const { isLeftBehind } = await import('./owned.ts');
  const fields = await readFields(file, file.disk);
  return isRead(fields) && isLeftBehind(before, await shop.outputOf(file.path), fields.data);
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
