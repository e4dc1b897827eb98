import type { Report } from '../diagnostics/diagnostic.ts';
import type { Model } from '../model/model.ts';
import type { Draft } from './draft.ts';
import type { EmitSettings, SourceAt } from './emit-settings.ts';
import type { Layouter } from './write/convention.ts';

/** A key of a structured file for which two tools that read it want different values. */
export interface ClashingKey {
  readonly key: readonly string[];
  /** The entry of the program that it is made of; settings have none. */
  readonly about: string | undefined;
}

/** Takes down drafts that want different contents at one path. */
export interface ClashNotes {
  /** How many were noted so far. */
  readonly count: number;
  /** `at` is the first line that differs, or the key of a structured file with the entry that it is about. */
  add(path: string, first: Draft, second: Draft, at: number | ClashingKey): void;
}

/** What bringing the drafts for one path together needs beside them. */
export interface Rendering {
  readonly model: Model;
  readonly settings: EmitSettings;
  readonly layouter: (convention: string) => Layouter;
  /** The source that lies at a path. */
  readonly sourceAt: SourceAt;
  readonly clashes: ClashNotes;
  readonly report: Report;
}
