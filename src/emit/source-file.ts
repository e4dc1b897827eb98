import type { DocumentDraft, Draft, ListedItem } from '../kinds/draft.ts';
import type { EmitSettings, SourceAt } from '../kinds/emit-settings.ts';
import { Omissions } from '../kinds/omissions.ts';
import type { Omission } from '../kinds/output.ts';
import { placeIn } from '../kinds/paths.ts';
import { proseText } from '../kinds/write/prose-text.ts';
import { strings } from '../model/data.ts';
import type { DocumentText, Model } from '../model/model.ts';
import { plain } from '../text/traced.ts';

/** Lists what main documents lack whose files are themselves sources. */
export function omittedAtSources(
  drafts: readonly Draft[],
  model: Model,
  settings: EmitSettings,
  sourceAt: SourceAt,
): readonly Omission[] {
  return drafts.some(isDocument) ? omittedOf(drafts, model, settings, sourceAt) : none;
}

const none: readonly Omission[] = [];
const isDocument = ({ kind }: Draft): boolean => kind === 'document';

function omittedOf(
  drafts: readonly Draft[],
  model: Model,
  settings: EmitSettings,
  sourceAt: SourceAt,
): readonly Omission[] {
  return drafts.flatMap(draft => {
    if (draft.kind !== 'document') return [];
    const source = sourceAt(placeIn(settings, draft.path));
    return source === undefined ? [] : omittedAtSource(draft, model, source);
  });
}

/**
 * What a main document would say beside what stands in its file, where that file is itself a source: it is never
 * written, so all of it is left out. `source` is the file as the sources call it.
 */
function omittedAtSource(draft: DocumentDraft, model: Model, source: string): readonly Omission[] {
  const { request, path, documents, prose, lists } = draft;
  const omissions = new Omissions(request);
  const advice = `${path} is a source that ${request.spec.title} reads as it stands, so nothing is added to it: write it there, or keep the source in .instr/project.md, and ${path} becomes an output.`;
  for (const document of documents) omissions.add(document.path, missingIn(document, source), advice);
  for (const { key, path: place, title, content } of model.sections) {
    if (prose.has(key))
      omissions.add(place, [plain(title ?? ''), proseText(content)].join('\n').trim(), advice);
  }
  for (const [section, listed] of lists) {
    const indexed = listed.filter(one => one.path !== undefined);
    for (const one of listed) if (one.path === undefined) omissions.item(one.item, section, advice);
    omissions.add(section, indexed.map(indexLine).join('\n'), advice);
  }
  return omissions.found;
}

/** What a document lacks that is the file itself: the texts that `@extend` added to it. */
function missingIn({ text, origin }: DocumentText, source: string): string {
  if (origin?.file !== source) return plain(text);
  const there = new Set(origin.text.split(/\r?\n/));
  return plain(text)
    .split('\n')
    .filter(line => !there.has(line))
    .join('\n');
}

const indexLine = ({ item, path }: ListedItem): string =>
  [item.name, ...strings(item.fields.get('description')), path].join(': ');
