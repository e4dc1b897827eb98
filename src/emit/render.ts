import { byTarget, type Draft } from '../kinds/draft.ts';
import type { Several } from '../kinds/kind.ts';
import type { OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/paths.ts';
import type { Rendering } from '../kinds/rendering.ts';
import { kindOfDrafts } from '../kinds/table.ts';
import type { WrittenDraft } from './limits.ts';

/** Renders the drafts of all targets for one path as one file; `undefined` after a report when they cannot be one. */
export function renderFile(drafts: Several<Draft>, rendering: Rendering): OutputFile | undefined {
  const { clashes, settings } = rendering;
  const kind = kindOfDrafts(drafts);
  if (!kind || drafts.some(({ path }) => path !== drafts[0].path)) {
    const [first, ...others] = byTarget(drafts);
    const other = others.find(draft => draft.kind !== first.kind || draft.path !== first.path);
    if (other) clashes.add(placeIn(settings, first.path), first, other, 1);
    return undefined;
  }
  const { build } = settings;
  const path = placeIn(settings, drafts[0].path);
  const targets = [...new Set(drafts.map(({ request }) => request.spec.id))];
  return kind.render(drafts, { path, targets, ...(build !== undefined && { build }) }, rendering);
}

/** The drafts of a text file with its content, for limits; none for other files. */
export const writtenDrafts = (drafts: Several<Draft>, file: OutputFile | undefined): WrittenDraft[] => {
  if (file?.kind !== 'whole' || typeof file.content !== 'string') return [];
  const { path, content } = file;
  return byTarget(drafts).map(draft => ({ draft, path, content }));
};
