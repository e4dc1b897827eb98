type Character = { readonly kind: 'character'; readonly character: string };

/** What a pattern is made of. */
export type PatternPart =
  | Character
  | { readonly kind: 'any' | 'star' | 'everything' | 'folders' }
  | { readonly kind: 'class'; readonly not: boolean; readonly ranges: readonly (readonly [string, string])[] }
  | { readonly kind: 'group'; readonly sign: string; readonly choices: readonly (readonly PatternPart[])[] };

/** A place in a pattern: what is read there, and where it goes on. */
interface State {
  /** Absent: nothing is read. */
  readonly reads?: (character: string) => boolean;
  /** Only behind a `/`. */
  readonly atStart?: true;
  /** Goes on behind anything in the segment that this does not match. */
  readonly not?: Machine;
  to: readonly number[];
}

/** A pattern as a machine that is in many states at once, so that a path is read once. */
interface Machine {
  readonly states: readonly State[];
  readonly start: number;
  readonly end: number;
}

/** A parsed pattern with the characters that every path begins and ends with: most paths are told apart by these. */
export interface Pattern {
  readonly machine: Machine;
  readonly front: string;
  readonly back: string;
}

/** Prepares the parts of a pattern for matching. */
export function patternOf(parts: readonly PatternPart[]): Pattern {
  const fixed = (from: readonly PatternPart[]): string[] => {
    const length = from.findIndex(({ kind }) => kind !== 'character');
    return from.slice(0, length === -1 ? from.length : length).map(part => (part as Character).character);
  };
  const back = fixed([...parts].reverse())
    .reverse()
    .join('');
  return { machine: machineOf([parts]), front: fixed(parts).join(''), back };
}

function machineOf(choices: readonly (readonly PatternPart[])[]): Machine {
  const states: State[] = [];
  const add = (state: State) => states.push(state) - 1;
  /** The state in which parts begin that are followed by another state. */
  const begin = (parts: readonly PatternPart[], next: number): number =>
    parts.reduceRight((after, part) => beginPart(part, after), next);
  const beginAll = (all: readonly (readonly PatternPart[])[], next: number) =>
    all.map(parts => begin(parts, next));
  const again = (reads: (character: string) => boolean, next: number): number => {
    const here = add({ to: [] });
    states[here]!.to = [add({ reads, to: [here] }), next];
    return here;
  };
  const beginPart = (part: PatternPart, next: number): number => {
    switch (part.kind) {
      case 'character':
        return add({ reads: character => character === part.character, to: [next] });
      case 'any':
        return add({ reads: inSegment, to: [next] });
      case 'class':
        return add({ reads: character => isIn(part, character), to: [next] });
      case 'star':
        return again(inSegment, next);
      case 'everything':
        return again(anything, next);
      case 'folders': {
        const inside = again(anything, add({ atStart: true, to: [next] }));
        return add({ to: [inside, next] });
      }
      case 'group':
        return beginGroup(part.sign, part.choices, next);
    }
  };
  const beginGroup = (sign: string, all: readonly (readonly PatternPart[])[], next: number): number => {
    if (sign === '!') return add({ not: machineOf(all), to: [next] });
    if (sign === '@') return add({ to: beginAll(all, next) });
    if (sign === '?') return add({ to: [...beginAll(all, next), next] });
    const behind = add({ to: [] });
    const before = add({ to: beginAll(all, behind) });
    states[behind]!.to = [before, next];
    return sign === '*' ? behind : before;
  };
  const end = add({ to: [] });
  return { start: add({ to: beginAll(choices, end) }), end, states };
}

const anything = () => true;
const inSegment = (character: string) => character !== '/';

/** For each place of a path, the end included, whether a match may end there. */
type Ends = Uint8Array;

/** Where the parts that exclude may end, by the place where they begin; each is asked once for a path. */
type Known = Map<State, Map<number, Ends>>;

/** Whether a whole path matches. */
export const matchesWhole = ({ machine, front, back }: Pattern, path: string): boolean =>
  path.startsWith(front) && path.endsWith(back) && endsOf(machine, path, 0, new Map())[path.length] === 1;

function endsOf({ states, start, end }: Machine, path: string, from: number, known: Known): Ends {
  const ends = new Uint8Array(path.length + 1);
  /** States that wait for a place further on. */
  const later = new Map<number, Set<number>>();
  const seen = new Int32Array(states.length).fill(-1);
  let now = [start];
  for (let at = from; at <= path.length && (now.length > 0 || later.size > 0); at++) {
    now.push(...(later.get(at) ?? []));
    later.delete(at);
    const next: number[] = [];
    for (let id = now.pop(); id !== undefined; id = now.pop()) {
      if (seen[id] === at) continue;
      seen[id] = at;
      const state = states[id]!;
      if (id === end) ends[at] = 1;
      else if (state.reads) {
        if (at < path.length && state.reads(path[at]!)) next.push(...state.to);
      } else if (state.not) {
        const free = notEnds(state, state.not, path, at, known);
        if (free[at]) now.push(...state.to);
        for (let place = free.indexOf(1, at + 1); place !== -1; place = free.indexOf(1, place + 1)) {
          const waiting = later.get(place) ?? new Set();
          later.set(place, waiting);
          for (const next of state.to) waiting.add(next);
        }
      } else if (!state.atStart || path[at - 1] === '/') now.push(...state.to);
    }
    now = next;
  }
  return ends;
}

/** Where what stands in a segment and is not matched may end. */
function notEnds(state: State, not: Machine, path: string, start: number, known: Known): Ends {
  const asked = known.get(state) ?? new Map<number, Ends>();
  known.set(state, asked);
  let ends = asked.get(start);
  if (!ends) {
    const matched = endsOf(not, path, start, known);
    ends = new Uint8Array(path.length + 1);
    for (let at = start; at < ends.length && (at === start || path[at - 1] !== '/'); at++)
      if (!matched[at]) ends[at] = 1;
    asked.set(start, ends);
  }
  return ends;
}

const isIn = ({ not, ranges }: PatternPart & { kind: 'class' }, character: string): boolean =>
  character !== '/' && ranges.some(([from, to]) => character >= from && character <= to) !== not;
