import { headingOption } from '../../kinds/document/text.ts';
import { canonicalBlock, isPortable } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import { header } from '../../syntax/build.ts';
import { isIdentifier } from '../../syntax/print-values.ts';
import type { Source } from '../../text/source.ts';
import type { Project } from '../open/open.ts';
import { entryCandidates, entryOf } from './entry-candidates.ts';
import type { Hunk } from './hunks.ts';
import { withOutputOption } from './output-option.ts';
import { appendTo, declarationsOf, insertAfterBrace, printBlock, prsSources } from './prs-source.ts';
import { isShorthand } from './prs-values.ts';
import { headingWords } from './text-change.ts';
import type { Candidate, Surroundings } from './workspace.ts';

/** The candidates for a changed heading: of a section, of an item, or of all main files. */
export function changedTitle(
  { at, removed, added }: Hunk,
  around: Surroundings,
  project: Project | undefined,
): Candidate[] {
  if (removed.length !== 1 || added.length !== 1) return [];
  const [old, title] = [headingWords(removed[0]!), headingWords(added[0]!)];
  if (old === undefined || title === undefined) return [];
  const isMain = [removed[0]!, added[0]!].every(line => line.startsWith('# '));
  return [
    ...titleOfSection(at, title, around),
    ...titleOfItem(at, title, around),
    ...(isMain && project ? titleOfFiles(at, title, around, project) : []),
  ];
}

/** The title of all main files is an option of the configuration. */
function titleOfFiles(at: number, title: string, around: Surroundings, project: Project): Candidate[] {
  const isTitle = around
    .originsOf(at)
    .some(
      ({ operation, path }) =>
        operation === 'layout' && (path === headingOption || path.endsWith('/sections.yaml: heading')),
    );
  return isTitle ? withOutputOption('heading', JSON.stringify(title), around, project) : [];
}

/** The title of an item is a field of its entry. */
function titleOfItem(at: number, title: string, around: Surroundings): Candidate[] {
  const entry = entryOf(around, { from: at, end: at + 1 });
  const text = entry && around.sourceLines(entry.file)?.join('\n');
  return text !== undefined && isPortable(entry!.block, 'title') && !isShorthand(text, entry!)
    ? entryCandidates(entry!, [{ path: ['title'], value: title }], around)
    : [];
}

/** The title of a section, which is the name of a block or field or that of the catalogue, is changed by `@header`. */
function titleOfSection(at: number, title: string, around: Surroundings): Candidate[] {
  const section = sectionAt(at, around);
  if (!section) return [];
  const { block, key } = section;
  const items = [header(title, key)];
  const own = prsSources(around);
  const isBlock = (source: Source) =>
    declarationsOf(source).filter(
      one => one.kind === 'block' && canonicalBlock(one.name) === canonicalBlock(block),
    );
  const found = own.flatMap(source =>
    isBlock(source).flatMap(one =>
      one.kind === 'block' ? [insertAfterBrace(source, one.body.span.start, printBlock(items)[0]!)] : [],
    ),
  );
  return found.length > 0 || !own[0] ? found : [appendTo(own[0], printBlock(items, block))];
}

/** The block, or field of one, whose section a heading begins. */
export function sectionAt(
  at: number,
  around: Surroundings,
): { readonly block: string; readonly key?: string } | undefined {
  for (const { path, operation } of around.originsOf(at)) {
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
