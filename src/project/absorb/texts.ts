import type { BodyItem, Declaration } from '../../syntax/ast.ts';
import { block as blockOf, documentOf, field, header, item, str, textItem, use } from '../../syntax/build.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printDocument } from '../../syntax/print.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { positionAt } from '../../text/source.ts';
import { newestSyntax } from '../../text/version.ts';
import { anchorsAround, blankEndsOff, type Surroundings } from './candidates.ts';
import { headingWords } from './headings.ts';
import type { Hunk } from './hunks.ts';
import { shiftHeadings } from './transfer.ts';
import type { Candidate } from './trial.ts';

/**
 * Ways to put lines that came into a `.prs` source as a part of its own: a text or item of the block that the lines around
 * them come from, or a block beside it where they begin with a heading.
 */
export async function addedParts({ at, removed, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const lines = blankEndsOff(added);
  if (removed.some(line => line.trim() !== '') || lines.length === 0) return [];
  const { before, behind } = await anchorsAround(at, at + removed.length, around);
  const isLast = around.lines.slice(at + removed.length).every(line => line.trim() === '');
  const found: Candidate[] =
    isLast && headingWords(lines[0]!) !== undefined ? closingWith(lines, around) : [];
  const sides = [
    ...before.slice(0, 2).map(place => ({ place, isBefore: false })),
    ...behind.slice(0, 2).map(place => ({ place, isBefore: true })),
  ];
  for (const { place, isBefore } of sides) {
    const { file } = place;
    const source = around.sourceLines(file)!;
    if (isMarkdownPath(file) || !file.endsWith('.prs')) continue;
    const own = { name: file, text: source.join('\n') };
    const isAround = ({ span }: Declaration | BodyItem) =>
      positionAt(own, span.start).line <= place.at + 1 && positionAt(own, span.end).line >= place.at + 1;
    const declaration = parseDocument(own, () => {}).declarations.find(isAround);
    if (!declaration || !('body' in declaration) || !declaration.body) continue;
    const beside = declaration.body.items.find(isAround);
    const put = (part: { readonly span: { start: number; end: number } }, insert: readonly string[]) =>
      found.push(besideOf(file, source, part.span, isBefore, insert));
    if (beside) for (const form of itemForms(lines)) put(beside, form);
    const title = headingWords(lines[0]!);
    if (title !== undefined)
      put(declaration, isBefore ? [...asBlock(title, lines), ''] : ['', ...asBlock(title, lines)]);
  }
  return found;
}

/** Lines as a part of a body: a text, whose headings may count from the block on, or items. */
function itemForms(lines: readonly string[]): string[][] {
  const texts = [0, -1, -2].map(by => shiftHeadings(lines, by).join('\n'));
  const forms = [...new Set(texts)].map(text => printedIn([textItem(text)]));
  const items = lines.map(line => /^[-*+] +(.*\S)\s*$/.exec(line)?.[1]);
  if (items.every(one => one !== undefined)) forms.unshift(items.flatMap(one => printedIn([item(str(one))])));
  return forms;
}

/** The block whose sections stand last, with another one, or a block with this one at the end of the first source. */
function closingWith(lines: readonly string[], { sources, sourceLines }: Surroundings): Candidate[] {
  const own = sources.filter(file => file.endsWith('.prs') && sourceLines(file));
  const found: Candidate[] = [];
  for (const file of own) {
    const source = sourceLines(file)!;
    const { declarations } = parseDocument({ name: file, text: source.join('\n') }, () => {});
    for (const declaration of declarations) {
      const last =
        declaration.kind === 'block' && declaration.name === 'closing' && declaration.body.items.at(-1);
      if (last)
        found.push(
          besideOf(file, source, last.span, false, ['', ...printedIn([textItem(lines.join('\n'))])]),
        );
    }
  }
  const [file] = own;
  if (file === undefined) return entryWith(lines, { sources, sourceLines });
  const source = sourceLines(file)!;
  const end = source.findLastIndex(line => line.trim() !== '') + 1;
  const printed = printDocument(documentOf([blockOf('closing', [textItem(lines.join('\n'))])]));
  return [
    ...found,
    { edits: [{ file, at: end, remove: 0, insert: ['', ...printed.trimEnd().split('\n')] }] },
  ];
}

/** An entry for a project of Markdown alone, which uses the one that there was and has a section behind all others. */
function entryWith(
  lines: readonly string[],
  { sources, sourceLines }: Pick<Surroundings, 'sources' | 'sourceLines'>,
): Candidate[] {
  const [entry, old] = ['.instr/project.prs', '.instr/project.md'];
  if (!sources.includes(old) || sourceLines(entry)) return [];
  const meta = blockOf('meta', [field('id', str('project')), field('syntax', str(newestSyntax))]);
  const closing = blockOf('closing', [textItem(lines.join('\n'))]);
  return [
    {
      edits: [],
      moves: [{ file: entry, text: printDocument(documentOf([meta, use('./project.md'), closing])) }],
    },
  ];
}

/** Parts of a block, as lines of it. */
const printedIn = (parts: readonly BodyItem[]): string[] =>
  printDocument(documentOf([blockOf('a', parts)]))
    .trimEnd()
    .split('\n')
    .slice(1, -1);

/** A section as a block, named by its title. */
export function asBlock(title: string, [, ...lines]: readonly string[]): string[] {
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.join('-').replace(/^(?=\p{N})/u, 'part-');
  const text = blankEndsOff(lines).join('\n');
  const parts: BodyItem[] = [header(title), ...(text === '' ? [] : [textItem(text)])];
  return printDocument(documentOf([blockOf(name || 'notes', parts)]))
    .trimEnd()
    .split('\n');
}

/** Lines before or behind a part of a source, which may share its lines with others. */
export function besideOf(
  file: string,
  lines: readonly string[],
  { start, end }: { readonly start: number; readonly end: number },
  isBefore: boolean,
  insert: readonly string[],
): Candidate {
  const source = { name: file, text: lines.join('\n') };
  const { line, column } = positionAt(source, isBefore ? start : end);
  const own = lines[line - 1]!;
  const [head, tail] = [own.slice(0, column - 1), own.slice(column - 1)];
  if (isBefore && head.trim() === '') return { edits: [{ file, at: line - 1, remove: 0, insert }] };
  if (!isBefore && /^\s*(?:#.*)?$/.test(tail)) return { edits: [{ file, at: line, remove: 0, insert }] };
  const edit = [head.trimEnd(), ...insert, tail.trimStart()];
  return { edits: [{ file, at: line - 1, remove: 1, insert: edit }] };
}
