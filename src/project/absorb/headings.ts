import { basename } from 'node:path';
import { headingOption } from '../../kinds/document/text.ts';
import { canonicalBlock, isPortable } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import type { BlockDeclaration } from '../../syntax/ast.ts';
import { block as blockOf, documentOf, header } from '../../syntax/build.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { printDocument } from '../../syntax/print.ts';
import { isIdentifier } from '../../syntax/print-values.ts';
import { positionAt } from '../../text/source.ts';
import type { Project } from '../open/open.ts';
import type { Surroundings } from './candidates.ts';
import { changeTo, entryOf, waysForAll } from './fields.ts';
import type { Hunk } from './hunks.ts';
import { withOutput } from './output-option.ts';
import { isShorthand } from './source-values.ts';
import type { Candidate } from './trial.ts';

/** The section of a block that a heading belongs to: a field, or the block itself. */
export interface Section {
  readonly block: string;
  readonly key?: string;
}

/** The words of a line that is a heading. */
export const headingWords = (line: string): string | undefined => /^#{1,6} +(.*\S)\s*$/.exec(line)?.[1];

/** The way to give main files the title that somebody gave one of them: the configuration says it (`output.heading`). */
export async function renamedFiles(
  { at, removed, added }: Hunk,
  around: Surroundings,
  { loaded }: Project,
): Promise<Candidate[]> {
  const [old, title] =
    removed.length === 1 && added.length === 1 ? [removed[0]!, added[0]!].map(titleWords) : [];
  if (old === undefined || title === undefined) return [];
  const isGiven = (await around.originsOf(at)).some(
    ({ operation, path }) => operation === 'layout' && givesTitle(path),
  );
  const config = basename(loaded.path);
  const text = isGiven ? around.sourceLines(config)?.join('\n') : undefined;
  const next = text === undefined ? undefined : withOutput(text, 'heading', JSON.stringify(title), loaded);
  return next === undefined ? [] : [await changeTo(new Map([[config, next]]), around)];
}

/** The way to give an item the title that somebody gave its section: a field of the entry says what people see. */
export async function renamedItems({ at, removed, added }: Hunk, around: Surroundings): Promise<Candidate[]> {
  const [old, title] =
    removed.length === 1 && added.length === 1 ? [...removed, ...added].map(headingWords) : [];
  if (old === undefined || title === undefined) return [];
  const entry = await entryOf(around, { from: at, end: at + 1 });
  const text = entry && around.sourceLines(entry.file)?.join('\n');
  if (text === undefined || !isPortable(entry!.block, 'title') || isShorthand(text, entry!)) return [];
  return waysForAll(entry!, [{ path: ['title'], value: title }], around);
}

const givesTitle = (path: string): boolean =>
  path === headingOption || path.endsWith('/sections.yaml: heading');

const titleWords = (line: string): string | undefined => (/^# /.test(line) ? headingWords(line) : undefined);

/**
 * Ways to give a section the title that somebody gave it: the name of a block or field, or the one that the catalogue of
 * sections has for it, is reworded by `@header`.
 */
export async function renamedSections(
  { at, removed, added }: Hunk,
  around: Surroundings,
  sources: readonly string[],
): Promise<Candidate[]> {
  const title = added.length === 1 && removed.length === 1 ? headingWords(added[0]!) : undefined;
  const section =
    title !== undefined && headingWords(removed[0]!) !== undefined ? await sectionAt(at, around) : undefined;
  if (title === undefined || !section) return [];
  const own = sources.filter(file => file.endsWith('.prs') && around.sourceLines(file));
  const found = own.flatMap(file => withHeader(file, around.sourceLines(file)!, section, title));
  return found.length > 0 || own.length === 0
    ? found
    : [withBlock(own[0]!, around.sourceLines(own[0]!)!, section, title)];
}

/** The section that a heading of a file is that of. */
export async function sectionAt(at: number, around: Surroundings): Promise<Section | undefined> {
  for (const { path, operation } of await around.originsOf(at)) {
    if (operation === 'layout') {
      const block = /: sections\.([\w-]+)\.title$/.exec(path)?.[1];
      if (block !== undefined) return { block };
      continue;
    }
    const [block, key] = parseNodePath(path) ?? [];
    if (typeof block !== 'string') continue;
    if (key === undefined) return { block };
    if (typeof key === 'string' && isIdentifier(key)) return { block, key };
  }
  return undefined;
}

const printed = ({ block, key }: Section, title: string): string =>
  printDocument(documentOf([blockOf(block, [header(title, key)])])).trimEnd();

/** The line that says it, as it stands in a block. */
const lineOf = (section: Section, title: string): string => printed(section, title).split('\n')[1]!;

function withHeader(file: string, lines: readonly string[], section: Section, title: string): Candidate[] {
  const source = { name: file, text: lines.join('\n') };
  const isIt = (one: { readonly kind: string }): one is BlockDeclaration =>
    one.kind === 'block' && canonicalBlock((one as BlockDeclaration).name) === canonicalBlock(section.block);
  return parseDocument(source, () => {})
    .declarations.filter(isIt)
    .flatMap(({ body }) => {
      const { line, column } = positionAt(source, body.span.start);
      const opening = lines[line - 1]!;
      const isAlone = opening.slice(column).trim() === '' || /^\s*#/.test(opening.slice(column));
      const said = lineOf(section, title);
      const insert = isAlone
        ? [opening, said]
        : [`${opening.slice(0, column)} ${said.trim()}${opening.slice(column)}`];
      return [{ edits: [{ file, at: line - 1, remove: 1, insert }] }];
    });
}

/** A block of its own at the end of a source. */
function withBlock(file: string, lines: readonly string[], section: Section, title: string): Candidate {
  const end = lines.findLastIndex(line => line.trim() !== '') + 1;
  const insert = ['', ...printed(section, title).split('\n')];
  return { edits: [{ file, at: end, remove: 0, insert }] };
}
