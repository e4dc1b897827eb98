import type { Clock, WritableDisk } from '../../host/host.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { StartPauses } from '../../text/pieces.ts';

/** The context of use cases, and what compiling needs. Each function asks for the parts that it needs. */
export interface CompileContext {
  readonly disk: WritableDisk;
  readonly report: Report;
  /** Absolute path of the working folder. */
  readonly cwd: string;
  /** The `--config` path, relative to `cwd` or absolute. */
  readonly configPath?: string;
  readonly clock: Clock;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Receives the progress of a long run. */
  readonly progress: (text: string) => void;
  /** Lets other work run between steps. */
  readonly pauses?: StartPauses;
  /** Whether only the disk is used: no registries, no processes, no caches. */
  readonly isolated?: boolean;
  /** Whether the files of a user are compiled instead of those of a project. */
  readonly scope?: 'user';
  /** A disk that only shows the sources of a user. */
  readonly sources?: WritableDisk;
}

export type WithDisk = Pick<CompileContext, 'disk'>;
export type WithReport = Pick<CompileContext, 'report'>;
export type InDirectory = Pick<CompileContext, 'cwd' | 'configPath'>;
export type WithClock = Pick<CompileContext, 'clock'>;
export type WithEnvironment = Pick<CompileContext, 'environment'>;
export type WithIsolation = Pick<CompileContext, 'isolated'>;

/** The inputs of a session. */
export type SessionContext = Omit<CompileContext, 'report'>;

/** The current date in UTC. */
export const dayOf = ({ clock }: WithClock): string => clock().toISOString().slice(0, 10);
