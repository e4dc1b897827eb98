import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import type { SourceReference } from '../../migrate/foreign/entry.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { FoundFiles } from './scan.ts';

/** A main text with the places where it stood and the tools that read it there. */
export interface AdoptedDocument {
  readonly source: string;
  readonly bytes: Uint8Array;
  readonly places: readonly string[];
  readonly targets: readonly TargetSpec[];
}

/** An original that stays as it is, and who reads it. */
export interface UnadoptedFile {
  readonly path: string;
  readonly specs: readonly TargetSpec[];
  readonly reason: string;
}

export interface AdoptedFile {
  readonly path: string;
  readonly source: string;
}

/** What becomes of originals: each kind of them adds to it. */
export interface AdoptedParts {
  /** Files below `.instr/` beside the entry. */
  readonly sources: SourceFile[];
  /** Sources that are not found by themselves: the entry has to name them. */
  readonly references: SourceReference[];
  readonly adopted: AdoptedFile[];
  /** Originals whose sources do not name the file yet that they are written to. */
  readonly unpinned: Set<string>;
  /** Originals that share a source with others that have other fields, by the ids of the tools that read them. */
  readonly united: Map<string, ReadonlySet<string>>;
  readonly left: UnadoptedFile[];
}

/** Before anything is added. */
export const newParts = (): AdoptedParts => ({
  sources: [],
  references: [],
  adopted: [],
  unpinned: new Set(),
  united: new Map(),
  left: [],
});

export interface Adoption extends AdoptedParts {
  readonly targets: readonly AdoptedTarget[];
  readonly documents: readonly AdoptedDocument[];
  /** The only document is the entry itself. */
  readonly isOneText: boolean;
}

export interface AdoptedTarget {
  readonly spec: TargetSpec;
  /** Skills that the tool has already; absent: it may have all. */
  readonly skills?: readonly string[];
  /** Options by which it writes where its files are. */
  readonly options?: ReadonlyMap<string, string>;
}

export interface Constraints {
  /** Paths of originals that do not come out as they are, with the reason. */
  readonly excluded: ReadonlyMap<string, string>;
  /** Originals whose sources name the file that they are written to; main files of folders among them become documents. */
  readonly pinned: ReadonlySet<string>;
  /** Originals that need a source of their own, because one for several tools did not give them as they are. */
  readonly separate: ReadonlySet<string>;
  /** Structured originals of one item each, with what a compile would write there. */
  readonly planned: ReadonlyMap<string, string>;
}

export const noConstraints: Constraints = {
  excluded: new Map(),
  pinned: new Set(),
  separate: new Set(),
  planned: new Map(),
};

/** What all attempts to adopt a project have in common. */
export interface Setting {
  readonly root: string;
  readonly disk: Disk;
  readonly found: FoundFiles;
  readonly specs: readonly TargetSpec[];
  readonly tools: readonly TargetSpec[];
  /** Those of them that have no files yet: they get what the others have. */
  readonly added: readonly TargetSpec[];
  readonly universalDir: string | undefined;
  readonly name: string;
  readonly isNew: boolean;
  /** What is in the way of a compile already may stay in the way. */
  readonly conflictsStay: boolean;
  /** Nobody named the tools: one may be left out. */
  readonly mayDropTools: boolean;
  /** What a compile would do without the adoption. */
  readonly before: ReadonlyMap<string, PlanEntry>;
}

/** One way to adopt a project, which a compile then checks. */
export interface AdoptionAttempt {
  readonly tools: readonly TargetSpec[];
  /** The folder in which skills and commands are sources where they lie; `undefined`: they are not. */
  readonly universalDir: string | undefined;
  /** One text for all tools may be the entry itself. */
  readonly asOneText: boolean;
  readonly constraints: Constraints;
  /** Rules whose errors the configuration makes warnings, and the errors. */
  readonly lenient: ReadonlySet<string>;
  readonly findings: readonly Diagnostic[];
  /** Tools that are left out, with the reason. */
  readonly dropped: ReadonlyMap<TargetSpec, string>;
  /** Tools that do without their settings file, with the option that says so. */
  readonly withoutSettings: ReadonlyMap<TargetSpec, string>;
}

/** What an adoption is planned from. */
export type AdoptionInput = Pick<Setting, 'root' | 'disk' | 'found' | 'added'> &
  Pick<AdoptionAttempt, 'tools' | 'universalDir' | 'dropped' | 'withoutSettings'>;
