import type { Report } from '../diagnostics/diagnostic.ts';
import { mainFileDoubled, mainFileShadowed } from '../generated/diagnostics.ts';
import { type Draft, isMain } from '../kinds/draft.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { loadTexts } from '../load/load.ts';
import { readablePaths } from '../spec/reads.ts';
import { groupBy } from '../text/group.ts';
import { fewNames } from '../text/names.ts';

/**
 * Reports main files of other targets that a tool loads instead of its own one, which they shadow, or in addition to it,
 * which doubles the text. A file that targets share is no overlap.
 */
export function reportMainOverlaps(
  requests: readonly TargetRequest[],
  drafts: readonly Draft[],
  report: Report,
): void {
  const mains = drafts.filter(isMain);
  const byPath = groupBy(mains, ({ path }) => path);
  const byRequest = groupBy(mains, ({ request }) => request);
  // Some tools load equal files once. All files count as different here.
  const texts = new Map([...byPath.keys()].map(path => [path, path]));
  for (const request of requests) {
    const { spec, at } = request;
    const paths = (byRequest.get(request) ?? []).map(({ path }) => path);
    const [own] = paths;
    if (!spec.reads || own === undefined) continue;
    const loaded = loadTexts(spec, texts, { at: '', read: [] }).parts.map(({ path }) => path);
    const others = loaded.filter(path => !paths.includes(path));
    // A tool whose own file is not in its `reads` loads it by rules that the spec does not describe.
    const isUndescribed = !readablePaths(spec.reads).includes(own) && spec.reads.mode === 'all';
    const isDoubled = loaded.includes(own) || isUndescribed;
    for (const file of isDoubled ? others : others.slice(0, 1)) {
      const by = fewNames(byPath.get(file)!.map(({ request: { spec: writer } }) => writer.id));
      const where = { file, span: at, target: spec.id };
      const holes = { target: spec.id, own, file, by };
      report(isDoubled ? mainFileDoubled(holes, where) : mainFileShadowed(holes, where));
    }
  }
}
