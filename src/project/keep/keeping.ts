import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import type { Brought } from '../../migrate/foreign/entry.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { FoundFiles } from './find-files.ts';

/** What moving in by keeping starts from. */
export interface KeepingInput {
  readonly root: string;
  readonly disk: Disk;
  readonly found: FoundFiles;
  /** The tools that are written for. */
  readonly specs: readonly TargetSpec[];
  /** Those of them that have no files yet: they get what the others have. */
  readonly added: readonly TargetSpec[];
  readonly universalDir: string | undefined;
  /** Tools in use that are not written for, with the reason. */
  readonly dropped: ReadonlyMap<TargetSpec, string>;
  /** Tools that do without a settings file of theirs, with the option that says so. */
  readonly quiet: ReadonlyMap<TargetSpec, string>;
}

/** A main text with the places where it stood and the tools that read it there. */
export interface KeptDocument {
  readonly source: string;
  readonly bytes: Uint8Array;
  readonly places: readonly string[];
  readonly targets: readonly TargetSpec[];
}

/** An original that stays as it is, and who reads it. */
export interface Reading {
  readonly path: string;
  readonly specs: readonly TargetSpec[];
  /** A clause that says why. */
  readonly reason: string;
}

/** An original and the source that its text stands in now. */
export interface Kept {
  readonly path: string;
  readonly source: string;
}

/** What a migration would write and leave. */
export interface Keeping {
  readonly targets: readonly KeptTarget[];
  readonly documents: readonly KeptDocument[];
  /** Files below `.instr/` beside the entry. */
  readonly sources: readonly SourceFile[];
  /** Those that nobody finds: the entry has to bring them. */
  readonly brought: readonly Brought[];
  readonly kept: readonly Kept[];
  /** Originals that could still be told where to stand, were they not to come out there by themselves. */
  readonly free: ReadonlySet<string>;
  /** Originals that share a source with others that say other fields, by the ids of the tools that read them. */
  readonly united: ReadonlyMap<string, ReadonlySet<string>>;
  readonly left: readonly Reading[];
}

/** A tool that the project is compiled for, and how. */
export interface KeptTarget {
  readonly spec: TargetSpec;
  /** Skills that the tool has already; absent: it may have all. */
  readonly skills?: readonly string[];
  /** Options by which it writes where its files are. */
  readonly options?: ReadonlyMap<string, string>;
}

/** What was found to come out otherwise than it stood: paths of originals, with the reason. */
export type Refused = ReadonlyMap<string, string>;

/** What was found out in earlier rounds. */
export interface Learned {
  /** Originals that were found to come out otherwise than they stood, with the reason. */
  readonly refused: Refused;
  /** Originals whose sources have to say where they stand; main files of folders among them become documents. */
  readonly placed: ReadonlySet<string>;
  /** Originals that need a source of their own, because one for several tools did not give them as they stood. */
  readonly apart: ReadonlySet<string>;
  /** Structured originals of one item each, with what a compile would write there. */
  readonly planned: ReadonlyMap<string, string>;
}

/** Before the first round. */
export const nothingLearned: Learned = {
  refused: new Map(),
  placed: new Set(),
  apart: new Set(),
  planned: new Map(),
};
