import type { Report } from '../diagnostics/diagnostic.ts';
import type { Clock, WritableDisk } from '../host/host.ts';
import type { Document } from '../syntax/ast.ts';
import type { Source } from '../text/source.ts';

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
  /** How sources are parsed where several compiles follow one another; absent: each by itself. */
  readonly parse?: (source: Source, report: Report) => Document;
  /** Aborted when the user stops the program. */
  readonly signal: AbortSignal;
}
