import type { DocumentDraft, Draft, ListedItem } from '../kinds/draft.ts';
import { Omissions } from '../kinds/omissions.ts';
import type { Omission } from '../kinds/output.ts';
import { placeIn } from '../kinds/paths.ts';
import { proseText } from '../kinds/write/prose-text.ts';
import { strings } from '../model/data.ts';
import type { DocumentText, Model } from '../model/model.ts';
import { plain } from '../text/traced.ts';
import type { LayoutContext } from './layout-context.ts';

/**
 * The omissions of main documents whose files are themselves sources. Such a file is never written, so everything that it
 * lacks is left out.
 */
export const omittedAtSources = (
  drafts: readonly Draft[],
  { model, settings, sourceAt }: LayoutContext,
): readonly Omission[] =>
  drafts.flatMap(draft => {
    const source = draft.kind === 'document' ? sourceAt(placeIn(settings, draft.path)) : undefined;
    return draft.kind !== 'document' || source === undefined ? [] : omittedAtSource(draft, model, source);
  });

/** `source` is the file as the sources name it. */
function omittedAtSource(draft: DocumentDraft, model: Model, source: string): readonly Omission[] {
  const { request, path, documents, prose, lists } = draft;
  const omissions = new Omissions(request);
  const advice = `${path} is a source that ${request.spec.title} reads as it stands, so nothing is added to it: write it there, or keep the source in .instr/project.md, and ${path} becomes an output.`;
  for (const document of documents) omissions.add(document.path, missingIn(document, source), advice);
  for (const { key, path: place, title, content } of model.sections)
    if (prose.has(key))
      omissions.add(place, [plain(title ?? ''), proseText(content)].join('\n').trim(), advice);
  for (const [section, listed] of lists) {
    for (const one of listed) if (one.path === undefined) omissions.item(one.item, section, advice);
    const indexed = listed.filter(one => one.path !== undefined);
    omissions.add(section, indexed.map(indexLine).join('\n'), advice);
  }
  return omissions.found;
}

/** What a document that is the file itself lacks there: the texts that `@extend` added to it. */
function missingIn({ text, origin }: DocumentText, source: string): string {
  if (origin?.file !== source) return plain(text);
  const there = new Set(origin.text.split(/\r?\n/));
  const lines = plain(text).split('\n');
  return lines.filter(line => !there.has(line)).join('\n');
}

const indexLine = ({ item, path }: ListedItem): string =>
  [item.name, ...strings(item.fields.get('description')), path].join(': ');
