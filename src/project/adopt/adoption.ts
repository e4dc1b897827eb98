import type { TargetSpec } from '../../generated/types/target.ts';
import type { Disk } from '../../host/host.ts';
import type { SourceReference } from '../../migrate/foreign/entry.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { FoundFiles } from './scan.ts';

/** A main text, the paths where it was found, and the tools that read it there. */
export interface AdoptedDocument {
  readonly source: string;
  readonly text: string;
  readonly places: readonly string[];
  readonly targets: readonly TargetSpec[];
}

/** An original that is not adopted, and the tools that read it. */
export interface UnadoptedFile {
  readonly path: string;
  readonly specs: readonly TargetSpec[];
  readonly reason: string;
}

export interface AdoptedFile {
  readonly path: string;
  readonly source: string;
  /** Its source does not have an `into` yet, so a stricter form is left to try. */
  readonly mayPin?: boolean;
  /** Ids of the tools that read it, when it shares a source although its fields differ. */
  readonly unitedFor?: ReadonlySet<string> | undefined;
}

/** The result for the originals. Each kind of original adds to it. */
export interface AdoptedParts {
  /** Files below `.instr/`, except the entry. */
  readonly sources: SourceFile[];
  /** Sources that are not discovered automatically; the entry must name them. */
  readonly references: SourceReference[];
  readonly adopted: AdoptedFile[];
  readonly left: UnadoptedFile[];
}

/** Before anything is added. */
export const newParts = (): AdoptedParts => ({ sources: [], references: [], adopted: [], left: [] });

export interface Adoption extends AdoptedParts {
  readonly targets: readonly AdoptedTarget[];
  readonly documents: readonly AdoptedDocument[];
  /** The only document is the entry itself. */
  readonly isOneText: boolean;
}

export interface AdoptedTarget {
  readonly spec: TargetSpec;
  /** Skills that the tool has already; absent: the tool may get all skills. */
  readonly skills?: readonly string[];
  /** Options with which the tool writes its files to the existing paths. */
  readonly options?: ReadonlyMap<string, string>;
}

/** The ids of the tools that read a source; `undefined` when these are all tools. */
export function audienceOf(
  specs: readonly TargetSpec[],
  readers: Iterable<TargetSpec>,
): readonly string[] | undefined {
  const wanted = new Set(readers);
  const ids = specs.filter(spec => wanted.has(spec)).map(({ id }) => id);
  return ids.length === specs.length ? undefined : ids;
}

export interface Constraints {
  /** Paths of originals that a compile would change, with the reason. */
  readonly excluded: ReadonlyMap<string, string>;
  /** Originals whose sources name the output path in `into`. Main files of folders among them become documents. */
  readonly pinned: ReadonlySet<string>;
  /** Originals that need a source of their own, because a source shared by several tools would change them. */
  readonly separate: ReadonlySet<string>;
  /** Structured originals of one item each, with what a compile would write for them. */
  readonly planned: ReadonlyMap<string, string>;
}

export const noConstraints: Constraints = {
  excluded: new Map(),
  pinned: new Set(),
  separate: new Set(),
  planned: new Map(),
};

/** What all attempts to adopt a project share. */
export interface Setting {
  readonly root: string;
  readonly disk: Disk;
  readonly found: FoundFiles;
  readonly specs: readonly TargetSpec[];
  readonly tools: readonly TargetSpec[];
  /** Those of them without files: they get the content that the others have. */
  readonly added: readonly TargetSpec[];
  readonly universalDir: string | undefined;
  readonly name: string;
  readonly registry: string | undefined;
  readonly isNew: boolean;
  /** Errors that a compile has already are accepted. */
  readonly conflictsStay: boolean;
  /** The user did not name the tools, so a tool may be left out. */
  readonly mayDropTools: boolean;
  /** What a compile would do without the adoption. */
  readonly before: ReadonlyMap<string, PlanEntry>;
}

/** One way to adopt a project. A compile checks it. */
export interface AdoptionAttempt {
  readonly tools: readonly TargetSpec[];
  /** The folder whose skills and commands are sources in place; `undefined` when there is none. */
  readonly universalDir: string | undefined;
  /** The only text for all tools may be the entry itself. */
  readonly asOneText: boolean;
  readonly constraints: Constraints;
  /** Rules whose errors the configuration makes warnings, and the errors. */
  readonly lenient: ReadonlySet<string>;
  readonly findings: readonly Diagnostic[];
  /** Tools that are left out, with the reason. */
  readonly dropped: ReadonlyMap<TargetSpec, string>;
  /** Tools without a settings file of ours, with the option that disables it. */
  readonly withoutSettings: ReadonlyMap<TargetSpec, string>;
}

/** What an adoption is planned from. */
export type AdoptionInput = Setting & AdoptionAttempt;
