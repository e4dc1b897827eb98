import type { DocumentDraft, Draft } from '../kinds/draft.ts';
import { activeFiles, type Place } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { partOf } from '../spec/part-of.ts';
import { groupBy } from '../text/group.ts';
import type { Elsewhere } from './elsewhere.ts';

/** What a target has otherwise than its spec says, so that others do not find it. */
export interface Otherwise {
  /** Its rules are skills, or a list of files where it has no skills. */
  readonly withoutRules?: true;
  /** Its rules lie where the tool alone looks. */
  readonly apart?: true;
  /** Paths of hooks in the program, to the variable of the tool that they leave alone. */
  readonly leaves?: ReadonlyMap<string, string>;
}

/**
 * What has to be otherwise, by target, so that under the layout `once` no tool is given twice, or whatever it works on, what
 * it finds of others: rules that a main file brings them by its lines, or holds in full because its target knows neither
 * rules nor skills; rules in a folder that another tool reads without their conditions; hooks that another tool runs beside
 * its own. `drafts` are laid out.
 */
export function otherwiseFor(
  elsewhere: readonly Elsewhere[],
  drafts: readonly Draft[],
  requests: readonly TargetRequest[],
): ReadonlyMap<string, Otherwise> {
  const always = elsewhere.filter(({ how }) => how === 'always');
  const bringing = (is: boolean) =>
    new Set(always.flatMap(({ imported, by }) => ((imported ?? false) === is ? by : [])));
  const [imported, found] = [bringing(true), bringing(false)];
  const inFull = givingInFull(drafts);
  const changed = requests.flatMap((request): [string, Otherwise][] => {
    const { id } = request.spec;
    const places = placesOf(request);
    const hasSkills = places.some(({ file }) => partOf(file) === 'skills');
    const withoutRules = request.guardsAsSkills && ((imported.has(id) && hasSkills) || inFull.has(request));
    const apart = found.has(id) && places.some(({ file }) => apartOf(file) !== undefined);
    const leaves = leftBy(request, elsewhere);
    if (!withoutRules && !apart && leaves.size === 0) return [];
    const otherwise = {
      ...(withoutRules && { withoutRules }),
      ...(apart && { apart }),
      ...(leaves.size > 0 && { leaves }),
    };
    return [[id, otherwise as Otherwise]];
  });
  return new Map(changed);
}

const placesOf = ({ spec, version, options }: TargetRequest): readonly Place[] =>
  activeFiles(spec, version, options);

const apartOf = (file: Place['file']): string | undefined => (file.kind === 'items' ? file.apart : undefined);

/** A place as it is otherwise; nothing when the target does without it. */
export function placedOtherwise(place: Place, { withoutRules, apart, leaves }: Otherwise): Place | undefined {
  const { file } = place;
  if (withoutRules && partOf(file) === 'guards') return undefined;
  if (apart && file.kind === 'items' && file.apart !== undefined)
    return { ...place, file: { ...file, path: file.apart } };
  // By a variable of the tool the commands are for POSIX shells anyway.
  if (leaves && file.kind === 'entries' && file.hooks?.root?.env !== undefined) {
    const hooks = { ...file.hooks, leaves };
    return { ...place, file: { ...file, hooks } };
  }
  return place;
}

/**
 * The hooks of a target that a tool with hooks of its own runs as well, with the variable by which they can know it. So that
 * they stay equal, those that are found by tools which take equal hooks once have the same.
 */
function leftBy({ spec }: TargetRequest, elsewhere: readonly Elsewhere[]): ReadonlyMap<string, string> {
  const read = spec.reads?.also?.hooks ?? [];
  const left = elsewhere.flatMap(({ kind, how, request, by, files, entries }): [string, string][] => {
    const variable = request.spec.reads?.also?.hookVariable;
    if (kind !== 'hooks' || how !== 'twice' || variable === undefined || request.spec.id === spec.id)
      return [];
    const isOurs = by.includes(spec.id) || files.some(path => read.includes(path));
    return isOurs ? entries.map(entry => [entry, variable]) : [];
  });
  return new Map(left);
}

/** Targets whose rules stand in full in a main file that others share, which have them elsewhere. */
function givingInFull(drafts: readonly Draft[]): ReadonlySet<TargetRequest> {
  const mains = drafts.filter((draft): draft is DocumentDraft => draft.kind === 'document' && !draft.guards);
  const giving = (draft: DocumentDraft) => (draft.lists.get('guards')?.length ?? 0) > 0;
  const shared = [...groupBy(mains, ({ path }) => path).values()].filter(all => !all.every(giving));
  return new Set(shared.flatMap(all => all.filter(giving).map(({ request }) => request)));
}
