import { isFor } from '../kinds/audience.ts';
import { type DocumentDraft, type Draft, isMain } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { importLine } from '../load/imports.ts';
import type { Layout } from '../load/layout.ts';
import { loadTexts } from '../load/load.ts';
import { plain } from '../text/traced.ts';
import { listedIn, type MainPart } from './homes.ts';

/** A text that a target loads more than once under the layout `once`, because no layout avoids it. */
export interface Repeated {
  readonly request: TargetRequest;
  readonly files: readonly string[];
  /** The paths of its parts in the program; absent: the main text. */
  readonly parts?: readonly string[];
  /** The size of all parts together; absent: that of the shortest of the files. */
  readonly size?: number;
}

/** Finds targets that load a text of the drafts more than once, by their load models. */
export function findRepeated(drafts: readonly Draft[], { files, repeated }: Layout): Repeated[] {
  const mains = drafts.filter(isMainText);
  const texts = new Map(
    mains.map(({ path, imports }) => [
      path,
      `${imports === undefined ? '' : `${imports}\n\n`}Words at ${path}.\n`,
    ]),
  );
  for (const [path, file] of files)
    if (typeof file === 'object' && !texts.has(path)) texts.set(path, `${importLine(path, file.imports)}\n`);
  const holding = new Map<MainPart, Set<string>>();
  const add = (part: MainPart, path: string) => holding.set(part, (holding.get(part) ?? new Set()).add(path));
  for (const draft of mains) for (const part of partsOf(draft)) add(part, draft.path);
  const always = alwaysRead(drafts);
  return [...new Set(mains.map(({ request }) => request))].flatMap((request): Repeated[] => {
    const { spec } = request;
    const main = repeated.get(spec.id);
    if (main) return [{ request, files: main }];
    const rules = always.get(request);
    const loaded = new Set(loadTexts(spec, texts, { at: '', read: [] }).parts.map(({ path }) => path));
    const twice = [...holding].flatMap(([part, paths]) => {
      const own = rules?.get(part.path);
      const where = [...(own === undefined ? [] : [own]), ...[...paths].filter(path => loaded.has(path))];
      return where.length > 1 && isFor(part.audience, spec) ? [{ part, where }] : [];
    });
    if (twice.length === 0) return [];
    return [
      {
        request,
        files: [...new Set(twice.flatMap(({ where }) => where))],
        parts: twice.map(({ part }) => part.path),
        size: twice.reduce((sum, { part, where }) => sum + sizeOf(part) * (where.length - 1), 0),
      },
    ];
  });
}

const isMainText = (draft: Draft): draft is DocumentDraft => isMain(draft) && !draft.guards;

/** The files of rules that are always read, by target and by the path of the rule in the program. */
function alwaysRead(drafts: readonly Draft[]): ReadonlyMap<TargetRequest, ReadonlyMap<string, string>> {
  const found = new Map<TargetRequest, Map<string, string>>();
  for (const draft of drafts) {
    if (draft.kind !== 'content' || !draft.item || !isAlways(draft.item)) continue;
    const rules = found.get(draft.request) ?? new Map<string, string>();
    found.set(draft.request, rules.set(draft.item.path, draft.path));
  }
  return found;
}

const isAlways = (item: { fields: ReadonlyMap<string, unknown> } | undefined): boolean =>
  item?.fields.get('activation') === 'always';

const partsOf = (draft: DocumentDraft): MainPart[] => [
  ...draft.documents,
  ...listedIn(draft).flatMap(({ item, path }) => (path === undefined ? [item] : [])),
];

function sizeOf(part: MainPart): number {
  if ('text' in part) return plain(part.text).length;
  const content = part.fields.get('content');
  return typeof content === 'string' ? content.length : 0;
}
