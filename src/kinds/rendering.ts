import type { Report } from '../diagnostics/diagnostic.ts';
import type { Model } from '../model/model.ts';
import type { Draft } from './draft.ts';
import type { EmitSettings, SourceAt } from './emit-settings.ts';
import type { OutputBase } from './output.ts';
import type { Layouter } from './write/convention.ts';

/** A key of a structured file for which two tools that read it want different values. */
export interface ClashingKey {
  readonly key: readonly string[];
  /** The entry of the program that it is made of; settings have none. */
  readonly about: string | undefined;
}

/** What bringing the drafts for one path together needs beside them. */
export interface Rendering {
  /** Path, targets and build of the file. */
  readonly base: OutputBase;
  readonly model: Model;
  readonly settings: EmitSettings;
  readonly layouter: (convention: string) => Layouter;
  /** The source that lies at a path. */
  readonly sourceAt: SourceAt;
  /**
   * Called for drafts that want different contents at `path`; `at` is the first line that differs, or the key of a
   * structured file with the entry that it is about.
   */
  readonly clash: (path: string, first: Draft, second: Draft, at: number | ClashingKey) => void;
  readonly report: Report;
}
