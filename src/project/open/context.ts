import type { Report } from '../../diagnostics/diagnostic.ts';
import type { EmitMemory } from '../../emit/memory.ts';
import type { Clock, WritableDisk } from '../../host/host.ts';
import type { Model } from '../../model/model.ts';
import type { PlanInput } from '../../plan/plan-context.ts';
import type { Document } from '../../syntax/ast.ts';
import type { Source } from '../../text/source.ts';
import type { KeptContents } from '../write/kept-contents.ts';
import type { chooseBuilds } from './builds.ts';
import type { openProject } from './open.ts';

/** What every use case is given: the outside world, where to start, and where findings go. */
export interface Context {
  readonly disk: WritableDisk;
  /** Where sources are read: a disk that takes notes while watching, otherwise `disk` itself. */
  readonly sourceDisk?: WritableDisk;
  /** The disk is all there is: no registry over the network, no files that a formatter looks for by itself. */
  readonly detached?: boolean;
  readonly clock: Clock;
  /** Absolute path of the directory the user is in. */
  readonly cwd: string;
  /** Path of the configuration as given by the user, relative to `cwd` or absolute. */
  readonly configPath?: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly report: Report;
  /** Tells people what takes long; shown on terminals only. */
  readonly progress: (text: string) => void;
  /** What compiles that follow one another hand on; absent: each by itself. */
  readonly memory?: Memory;
  /** Aborted when the user stops the program. */
  readonly signal: AbortSignal;
}

/** Each does what the use case would do without it, and finds again what was done before. */
export interface Memory {
  readonly parse: (source: Source, report: Report) => Document;
  readonly open: typeof openProject;
  readonly choose: typeof chooseBuilds;
  /** The model of a build, with what is as it was. */
  readonly model: (model: Model, build: string | undefined) => Model;
  readonly emit: EmitMemory;
  readonly plan: Required<Pick<PlanInput, 'encode' | 'hash'>>;
  /** Contents of outputs. */
  readonly contents: KeptContents;
}
