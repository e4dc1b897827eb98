import type { Report } from '../diagnostics/diagnostic.ts';
import type { Model } from '../model/model.ts';
import type { Draft } from './draft.ts';
import type { EmitSettings, SourceAt } from './emit-settings.ts';
import type { OutputBase } from './output.ts';
import type { Layouter } from './write/convention.ts';

/** What bringing the drafts for one path together needs beside them. */
export interface Rendering {
  /** Path, targets and build of the file. */
  readonly base: OutputBase;
  readonly model: Model;
  readonly settings: EmitSettings;
  readonly layouter: (convention: string) => Layouter;
  /** The source that lies at a path. */
  readonly sourceAt: SourceAt;
  /** Told of drafts that want different things at `path`; `line` is the first that differs. */
  readonly clash: (path: string, first: Draft, second: Draft, line: number) => void;
  readonly report: Report;
}
