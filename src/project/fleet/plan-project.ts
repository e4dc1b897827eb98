import type { RegistryOverrides } from '../../registry/overrides.ts';
import type { Parse } from '../../session/documents.ts';
import type { Compiling } from '../../session/world.ts';
import type { Cache, Entry } from './cache.ts';
import { type Change, isReached, overridesFor } from './change.ts';
import {
  type Baseline,
  type Changed,
  compileAsIs,
  compileChanged,
  filterAsync,
  nothing,
  type ProjectPlan,
} from './compile-project.ts';
import { type Ask, keyOf, type SourceReads, saysTheSame } from './reads.ts';

/** A source that a project reads. */
export type Place = Pick<SourceReads, 'source' | 'url'>;

/** Plans projects one after the other; what they share is read once. */
export interface Planner {
  /** `cached`: it was not compiled. */
  plan(
    context: Compiling,
  ): Promise<{ readonly plan: ProjectPlan; readonly cached: boolean; readonly places: readonly Place[] }>;
}

/** Prepares for many projects. Without a change, a plan says what a compile would do as things are. */
export function createPlanner(
  change: Change | undefined,
  { cache, since, parse }: { readonly cache: Cache; readonly since: number; readonly parse: Parse },
): Planner {
  /** What the sources are after the change, once a project has opened them. */
  const asks = new Map<string, Ask>();
  const registryOverrides: RegistryOverrides = { ...(change && overridesFor(change)), since };

  const make = async (
    before: Baseline,
    to: Change,
    context: Compiling,
    entry: Entry,
  ): Promise<ProjectPlan> => {
    const {
      traced,
      plan,
      sources,
      asks: opened,
    } = await compileChanged(before, to, context, parse, registryOverrides);
    for (const [key, ask] of opened) asks.set(key, ask);
    entry.write(slotOf(to), { sources, plan } satisfies Changed, traced);
    return plan;
  };

  const keptPlan = async (to: Change, context: Compiling, entry: Entry): Promise<ProjectPlan | undefined> => {
    const kept = entry.read<Changed>(slotOf(to), context);
    return kept && kept.sources.length > 0 && (await isUntouched(kept.sources, asks)) ? kept.plan : undefined;
  };

  return {
    async plan(context) {
      const entry = cache.open(context.cwd, context.disk);
      const known = entry.read<Baseline>('as it is', context);
      const before = known ?? (await compileAsIs(context, entry, parse));
      const places = before.sources.map(({ source, url }) => ({ source, url }));
      const isKnown = known !== undefined;
      if (!change) return { plan: asItIs(before), cached: isKnown, places };
      if (before.broken) return { plan: { ...nothing, ...errorOf(before) }, cached: isKnown, places };
      const reached = await filterAsync(before.sources, place => isReached(change, place));
      let made: ProjectPlan | undefined;
      // Only a run of a project opens what it uses: its settings have the credentials.
      if (reached.some(place => !asks.has(keyOf(place)))) made = await make(before, change, context, entry);
      const plan = (await isUntouched(reached, asks))
        ? nothing
        : before.error !== undefined
          ? { ...nothing, ...errorOf(before) }
          : (made ?? (await keptPlan(change, context, entry)));
      const cached = isKnown && made === undefined && plan !== undefined;
      return { plan: plan ?? (await make(before, change, context, entry)), cached, places };
    },
  };
}

/** A folder is tried again and again; what it was like before is of no use. */
const slotOf = ({ name, text, to }: Change): string => (to.kind === 'folder' ? `${name} folder` : text);

const asItIs = (before: Baseline): ProjectPlan =>
  before.broken ? { ...nothing, ...errorOf(before) } : { ...nothing, files: before.files };

const errorOf = ({ error = 'It cannot be read.' }: Baseline) => ({ error });

/** Whether all that was read of some sources is the same after the change; not known before they were opened. */
async function isUntouched(
  sources: readonly SourceReads[],
  asks: ReadonlyMap<string, Ask>,
): Promise<boolean> {
  for (const source of sources) {
    const ask = asks.get(keyOf(source));
    if (!ask || !(await saysTheSame(source, ask))) return false;
  }
  return true;
}
