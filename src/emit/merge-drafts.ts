import { byTarget, type Draft } from '../kinds/draft.ts';
import type { Several } from '../kinds/kind.ts';
import type { OutputBase, OutputFile } from '../kinds/output.ts';
import { placeIn } from '../kinds/paths.ts';
import type { Rendering } from '../kinds/rendering.ts';
import { kindOfDrafts } from '../kinds/table.ts';
import type { Changing } from '../text/changing.ts';
import type { LimitWatch } from './limits.ts';

/** What the drafts for each path are brought together with. */
export interface Merging extends Rendering {
  readonly limits: LimitWatch;
}

/** Brings the drafts of all targets for one path together; gives no file when they cannot be one. */
export function mergeDrafts(wanted: Several<Draft>, merging: Merging): OutputFile | undefined {
  const { limits, clashes, settings } = merging;
  const kind = kindOfDrafts(wanted);
  const { path, request } = wanted[0];
  if (!kind || wanted.some(draft => draft.path !== path)) {
    const [first, ...others] = byTarget(wanted);
    const other = others.find(draft => draft.kind !== first.kind || draft.path !== first.path);
    if (other) clashes.add(placeIn(settings, first.path), first, other, 1);
    return undefined;
  }
  const base: Changing<OutputBase> = {
    path: placeIn(settings, path),
    targets:
      wanted.length === 1 ? [request.spec.id] : [...new Set(wanted.map(draft => draft.request.spec.id))],
  };
  if (settings.build !== undefined) base.build = settings.build;
  const file = kind.render(wanted, base, merging);
  if (file?.kind === 'whole' && typeof file.content === 'string')
    for (const draft of byTarget(wanted)) limits.see(draft, base.path, file.content);
  return file;
}
