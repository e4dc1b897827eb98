import type { Clock, WritableDisk } from '../../host/host.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { StartPauses } from '../../text/pieces.ts';

/** Parts of the context of use cases. Each function asks for the parts that it needs. */

export interface WithDisk {
  readonly disk: WritableDisk;
}

export interface WithReport {
  readonly report: Report;
}

export interface InDirectory {
  /** Absolute path of the working folder. */
  readonly cwd: string;
  /** The `--config` path, relative to `cwd` or absolute. */
  readonly configPath?: string;
}

export interface WithClock {
  readonly clock: Clock;
}

export interface WithEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Receives the progress of a long run. */
export interface WithProgress {
  readonly progress: (text: string) => void;
}

export interface WithPauses {
  /** Lets other work run between steps. */
  readonly pauses?: StartPauses;
}

export interface WithIsolation {
  /** Whether only the disk is used: no registries, no processes, no caches. */
  readonly isolated?: boolean;
}

export interface WithScope {
  /** Whether the files of a user are compiled instead of those of a project. */
  readonly scope?: 'user';
  /** A disk that only shows the sources of a user. */
  readonly sources?: WritableDisk;
}

/** The inputs of a session. */
export type SessionContext = WithDisk &
  InDirectory &
  WithEnvironment &
  WithIsolation &
  WithPauses &
  WithScope &
  Partial<WithClock & WithProgress>;

/** What reading a configuration needs. Registries also need the optional parts. */
export type ConfigContext = WithDisk &
  InDirectory &
  WithReport &
  WithScope &
  Partial<WithEnvironment & WithClock & WithProgress & WithIsolation>;

/** What compiling needs. */
export type CompileContext = SessionContext & WithReport & WithClock & WithProgress;
