import { conventions } from '../../../generated/conventions.ts';
import type { TargetSpec } from '../../../generated/types/target.ts';
import type { Data } from '../../../model/model.ts';
import { equalUnordered } from '../../../text/data.ts';
import type { FrontMatter } from '../../../text/front-matter.ts';
import type { ReadContext } from '../../kind.ts';
import { documentsOf, itemFilesOf } from '../../places.ts';
import type { ImportedItem } from '../../read/items.ts';
import { partOf } from '../../read/parts.ts';
import { type MappedBlock, mapMarkdown } from './map.ts';
import type { MarkdownFile } from './markdown.ts';

/** Reads a text that is not an item: as sections by their words, or as a rule for its folder. */
export function readProse(
  { source, front, body, markdown }: MarkdownFile,
  reading: ReadContext,
): MappedBlock[] {
  if (reading.scope !== '') return [partOf(nestedRule(reading.scope, body), source)];
  const headings = headingsOf(reading.specs, source.name);
  const parts = mapMarkdown(markdown, front.lines, headings, reading.inPlace);
  return withFrontMatter(parts, front, reading);
}

/** Converts the main document of a nested package to a rule for the files of that package. */
const nestedRule = (scope: string, content: string): ImportedItem => ({
  block: 'guards',
  key:
    scope
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'package',
  fields: new Map<string, Data>([
    ['applyTo', [`${scope}/**`]],
    ['placement', 'nested'],
    ['content', content],
  ]),
  unknown: new Map(),
});

/** Main headings without information: the common one, those of tools, and the file name. */
const headingsOf = (specs: readonly TargetSpec[], path: string): ReadonlySet<string> =>
  new Set([
    conventions.catalogue.heading,
    path.replace(/^.*\//, ''),
    ...specs.flatMap(documentsOf).flatMap(({ heading }) => heading ?? []),
  ]);

/** Front matter of a main document that no row of the spec explains is kept as a comment. */
function withFrontMatter(parts: MappedBlock[], front: FrontMatter, { spec }: ReadContext): MappedBlock[] {
  const own = spec ? [...documentsOf(spec), ...itemFilesOf(spec, 'guards')] : [];
  const rows = own.flatMap(({ frontmatter = [] }) => frontmatter);
  const kept = [...front.fields].filter(
    ([key, value]) =>
      value !== null &&
      value !== '' &&
      !rows.some(
        row =>
          row.key === key &&
          row.from === undefined &&
          (equalUnordered(row.value, value) || typeof value === 'boolean'),
      ),
  );
  const [first, ...rest] = parts;
  if (kept.length === 0 || !first) return parts;
  const lines = kept.map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const review = [
    ...(first.review === undefined ? [] : [first.review]),
    'The front matter of the file also said:',
    ...lines,
  ].join('\n');
  return [{ ...first, review }, ...rest];
}
