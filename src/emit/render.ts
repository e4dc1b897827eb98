import { byTarget, type DocumentDraft, type Draft } from '../kinds/draft.ts';
import type { NonEmpty, RenderContext } from '../kinds/kind.ts';
import { Omissions, proseText } from '../kinds/omissions.ts';
import type { Omission, OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/places.ts';
import { renderDrafts } from '../kinds/table.ts';
import { strings } from '../model/data.ts';
import type { DocumentText, Model } from '../model/model.ts';
import { plainText } from '../text/traced.ts';
import type { EmitContext } from './reports.ts';

/**
 * Renders the drafts of all targets for one path to one file; `undefined` after a report when they cannot be
 * merged.
 */
export function renderFile(drafts: NonEmpty<Draft>, rendering: RenderContext): OutputFile | undefined {
  const { clashes, settings } = rendering;
  const [first, ...others] = byTarget(drafts);
  const other = others.find(draft => draft.kind !== first.kind || draft.path !== first.path);
  const path = placeIn(settings, first.path);
  if (other) {
    clashes.add(path, first, other, 1);
    return undefined;
  }
  const { build } = settings;
  const targets = [...new Set(drafts.map(({ request }) => request.spec.id))];
  return renderDrafts(drafts, { path, targets, ...(build !== undefined && { build }) }, rendering);
}

/**
 * The omissions of main documents that are sources: such a file is never written, so everything that is
 * missing in it.
 */
export const omittedAtSources = (
  drafts: readonly Draft[],
  { model, settings, sourceAt }: EmitContext,
): readonly Omission[] =>
  drafts.flatMap(draft => {
    const source = draft.kind === 'document' ? sourceAt(placeIn(settings, draft.path)) : undefined;
    return draft.kind !== 'document' || source === undefined ? [] : omittedAtSource(draft, model, source);
  });

function omittedAtSource(draft: DocumentDraft, model: Model, source: string): readonly Omission[] {
  const { request, path, documents, prose, lists } = draft;
  const omissions = new Omissions(request);
  const advice = `${path} is a source that ${request.spec.title} reads directly, so the compiler adds nothing to it. Write it there, or move the source to .instr/project.md, so that ${path} becomes an output.`;
  for (const document of documents) omissions.add(document.path, missingIn(document, source), advice);
  for (const { key, path: place, title, content } of model.sections)
    if (prose.has(key))
      omissions.add(place, [plainText(title ?? ''), proseText(content)].join('\n').trim(), advice);
  for (const [section, listed] of lists) {
    for (const one of listed) if (one.path === undefined) omissions.item(one.item, section, advice);
    const lines = listed
      .filter(one => one.path !== undefined)
      .map(({ item, path }) => [item.name, ...strings(item.fields.get('description')), path].join(': '));
    omissions.add(section, lines.join('\n'), advice);
  }
  return omissions.found;
}

/** The texts that `@extend` added to a document and that its source file does not contain. */
function missingIn({ text, origin }: DocumentText, source: string): string {
  if (origin?.file !== source) return plainText(text);
  const there = new Set(origin.text.split(/\r?\n/));
  const lines = plainText(text).split('\n');
  return lines.filter(line => !there.has(line)).join('\n');
}
