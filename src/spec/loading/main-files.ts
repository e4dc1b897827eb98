import type { Reads, TargetSpec } from '../../generated/types/target.ts';
import { memoizeByObject } from '../../text/memo.ts';
import { readablePaths } from '../reads.ts';
import { importLine, uncutTexts } from './load.ts';

/** A target that needs the main text, as input of the layout search. */
export interface LayoutReader {
  readonly spec: TargetSpec;
  readonly own: string;
  readonly places: readonly string[];
  /** Whether only its own file can contain its text, because its format or path was configured. */
  readonly ownOnly: boolean;
  /** Whether its own file is plain Markdown that other tools can read, equal to other plain main files. */
  readonly plain: boolean;
  /** Kinds of entries that have no place of their own in this tool and must be in its main file. */
  readonly needs: readonly string[];
}

/** The content of a main file: the text, or a line that imports it from another path. */
export type MainFile = 'text' | { readonly imports: string };

/**
 * The content of a main file that exists in any case. Text or an import line can be added to an `open` one.
 */
export type ExistingContent = 'text' | 'other' | 'open';

/** What a search has decided about a path so far. */
export type MainFileState = MainFile | 'none';
/** What is decided about each main file, by path. */
export type MainFileStates = Map<string, MainFileState>;

/** The path of a text that is placed later. No real path has this character. */
export const placedLater = '\0later';

const noReads: Reads = { mode: 'all', files: [] };

/**
 * Compared in order, lower is better: targets without the text, copies, sections that only other targets need,
 * texts, import lines, and targets that do not use the file of their own spec.
 */
export type LayoutCost = readonly number[];

/** The cost of no change. */
export const noCost: LayoutCost = [0, 0, 0, 0, 0, 0];

/** The cost of a file for a tool that reads it. */
export function costOf(state: MainFileState): LayoutCost {
  if (state === 'none') return noCost;
  return state === 'text' ? [0, 0, 0, 1, 0, 0] : [0, 0, 0, 0, 1, 0];
}

/** Adds two costs component by component. */
export const addCost = (a: LayoutCost, b: LayoutCost): LayoutCost => a.map((part, at) => part + b[at]!);

/** Negative when `a` is better. */
export function compareCost(a: LayoutCost, b: LayoutCost): number {
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return 0;
}

/** The main texts that a tool loads for a choice of main files. */
interface Delivery {
  /** Text files that the tool loads. */
  readonly texts: readonly string[];
  /** The same without files that only some products of the tool load. */
  readonly sure: readonly string[];
}

/** Computes which main texts tools load at the root, with a cache. */
export class Deliveries {
  /** By the states of the paths that decide what a tool loads. */
  private readonly known = memoizeByObject((_reader: LayoutReader) => new Map<string, Delivery>());

  /** `plainPaths` have the same bytes when they contain the text. */
  constructor(
    private readonly present: ReadonlyMap<string, ExistingContent>,
    private readonly plainPaths: ReadonlySet<string>,
  ) {}

  /** Called many times with the same files. */
  of(reader: LayoutReader, states: MainFileStates): Delivery {
    const known = this.known(reader);
    const key = pathsOf(reader)
      .map(path => codeOf(states.get(path)))
      .join('|');
    const delivery = known.get(key) ?? this.find(reader, states);
    known.set(key, delivery);
    return delivery;
  }

  private find({ spec, own }: LayoutReader, states: MainFileStates): Delivery {
    const { reads } = spec;
    const contents = new Map<string, string>();
    // An imported text may not be placed yet.
    for (const state of states.values()) if (typeof state === 'object') contents.set(state.imports, '');
    for (const path of [...this.present.keys(), ...states.keys()])
      contents.set(path, this.contentAt(path, states.get(path)));
    // For a main file outside of `reads`, the spec does not describe when it is loaded.
    const always = reads && readablePaths(reads).includes(own) ? [] : [own];
    const parts = uncutTexts({ reads: reads ?? noReads }, contents, { at: '', read: [], always });
    const texts = parts.filter(
      ({ path, importedBy }) => importedBy !== undefined || states.get(path) === 'text',
    );
    const sure = texts.filter(({ path, importedBy = path }) => !reads?.partial?.includes(importedBy));
    return { texts: texts.map(({ path }) => path), sure: sure.map(({ path }) => path) };
  }

  /** The content of a file, as far as it matters to tools that load equal files once. */
  private contentAt(path: string, state: MainFileState | undefined): string {
    if (typeof state === 'object') return importLine(path, state.imports);
    return state === 'text' && this.plainPaths.has(path) ? 'The text.' : `Something at ${path}.`;
  }
}

const codeOf = (state: MainFileState | undefined): string =>
  typeof state === 'object' ? `@${state.imports}` : (state ?? '');

/** The paths that decide what a tool loads. */
export const pathsOf = memoizeByObject(({ spec, own }: LayoutReader): readonly string[] => [
  ...new Set([own, ...(spec.reads ? readablePaths(spec.reads) : [])]),
]);
