import type { DocumentDraft, Draft } from '../kinds/draft.ts';
import { activeFiles } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { partOf } from '../spec/part-of.ts';
import { groupBy } from '../text/group.ts';
import type { Elsewhere } from './elsewhere.ts';

/** Ids of targets that do without rules: they have them as skills, or as a list of files where they have no skills. */
export type Ruleless = ReadonlySet<string>;

/**
 * The targets whose main file would give their scoped rules to others with every request, whatever these work on: by lines
 * that the others follow, or in full, because the target knows neither rules nor skills. `drafts` are laid out.
 */
export function ruleless(
  elsewhere: readonly Elsewhere[],
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
): Ruleless {
  const imported = new Set(
    elsewhere.flatMap(({ how, imported: is, by }) => (how === 'always' && is ? by : [])),
  );
  const inFull = givingInFull(drafts);
  const found = requests.filter(
    request =>
      request.guardsAsSkills &&
      ((imported.has(request.spec.id) && hasSkills(request)) || inFull.has(request)),
  );
  return new Set(found.map(({ spec }) => spec.id));
}

const hasSkills = ({ spec, version, options }: TargetRequest): boolean =>
  activeFiles(spec, version, options).some(({ file }) => partOf(file) === 'skills');

/** Targets whose rules stand in full in a main file that others share, which have them elsewhere. */
function givingInFull(drafts: readonly Draft[]): ReadonlySet<TargetRequest> {
  const mains = drafts.filter((draft): draft is DocumentDraft => draft.kind === 'document' && !draft.guards);
  const giving = (draft: DocumentDraft) => (draft.lists.get('guards')?.length ?? 0) > 0;
  const shared = [...groupBy(mains, ({ path }) => path).values()].filter(all => !all.every(giving));
  return new Set(shared.flatMap(all => all.filter(giving).map(({ request }) => request)));
}
