import type { Report } from '../diagnostics/diagnostic.ts';
import { textRepeats } from '../generated/diagnostics.ts';
import { isFor } from '../kinds/audience.ts';
import { type DocumentDraft, type Draft, isMain, listedIn, type MainPart } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { importLine } from '../load/imports.ts';
import type { Layout } from '../load/layout.ts';
import { loadTexts } from '../load/load.ts';
import { groupBy } from '../text/group.ts';
import { fewNames, fewQuoted } from '../text/names.ts';
import { plain } from '../text/traced.ts';

/** A part of the main text with the files in which a target loads it. */
interface Repeated {
  readonly part: MainPart;
  readonly files: readonly string[];
}

/** Reports texts that targets load more than once under the layout `once`, with their size in the `written` files. */
export function reportRepeatedTexts(
  drafts: readonly Draft[],
  layout: Layout,
  written: ReadonlyMap<string, string>,
  report: Report,
): void {
  const mains = drafts.filter((draft): draft is DocumentDraft => isMain(draft) && !draft.guards);
  const texts = textsOf(mains, layout);
  const files = groupBy(
    mains.flatMap(draft => partsOf(draft).map(part => ({ part, path: draft.path }))),
    ({ part }) => part,
  );
  const rules = groupBy(drafts.flatMap(alwaysRule), ({ request }) => request);
  for (const request of new Set(mains.map(one => one.request))) {
    const target = request.spec.id;
    const reportRepeat = (paths: readonly string[], what: string, copies: string, size: number) => {
      const holes = { target, what, files: fewNames(paths), copies, size };
      report(textRepeats(holes, { file: paths[0]!, span: request.at, target }));
    };
    const main = layout.repeated.get(target);
    if (main) {
      const shortest = Math.min(...main.map(path => written.get(path)?.length ?? 0));
      reportRepeat(main, 'the main text', `${main.length} times`, shortest * (main.length - 1));
      continue;
    }
    const loaded = new Set(
      loadTexts(request.spec, texts, { at: '', read: [] }).parts.map(({ path }) => path),
    );
    const ownRules = new Map((rules.get(request) ?? []).map(({ rule, path }) => [rule, path]));
    const twice = [...files].flatMap(([part, all]): Repeated[] => {
      const own = ownRules.get(part.path);
      const paths = new Set(all.map(({ path }) => path).filter(path => loaded.has(path)));
      const found = [...(own === undefined ? [] : [own]), ...paths];
      return found.length > 1 && isFor(part.audience, request.spec) ? [{ part, files: found }] : [];
    });
    if (twice.length === 0) continue;
    const size = twice.reduce((sum, one) => sum + sizeOf(one.part) * (one.files.length - 1), 0);
    const names = fewQuoted(twice.map(({ part }) => part.path));
    reportRepeat([...new Set(twice.flatMap(one => one.files))], names, 'more than once', size);
  }
}

/** The main files as far as loading them goes: each has words of its own and its import line. */
function textsOf(mains: readonly DocumentDraft[], layout: Layout): ReadonlyMap<string, string> {
  const texts = new Map(
    mains.map(({ path, imports }) => [path, `${imports ? `${imports}\n\n` : ''}Words at ${path}.\n`]),
  );
  for (const [path, file] of layout.files)
    if (file !== 'text' && !texts.has(path)) texts.set(path, `${importLine(path, file.imports)}\n`);
  return texts;
}

/** The rule of a file that its tool always loads. */
const alwaysRule = (draft: Draft): { request: TargetRequest; rule: string; path: string }[] =>
  draft.kind === 'content' && draft.item?.fields.get('activation') === 'always'
    ? [{ request: draft.request, rule: draft.item.path, path: draft.path }]
    : [];

/** The texts and rules that a main document has in full. */
const partsOf = (draft: DocumentDraft): MainPart[] => [
  ...draft.documents,
  ...listedIn(draft).flatMap(({ item, path }) => (path === undefined ? [item] : [])),
];

function sizeOf(part: MainPart): number {
  const text = 'text' in part ? plain(part.text) : part.fields.get('content');
  return typeof text === 'string' ? text.length : 0;
}
