import type { Clock, WritableDisk } from '../../host/host.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { StartPauses } from '../../text/pieces.ts';

/* The outside world in parts: a use case asks for those that it takes. */

/** The files. */
export interface WithDisk {
  readonly disk: WritableDisk;
}

/** Where findings go. */
export interface WithReport {
  readonly report: Report;
}

/** Where the user is. */
export interface InDirectory {
  /** Absolute path of the directory. */
  readonly cwd: string;
  /** Path of the configuration as given by the user, relative to `cwd` or absolute. */
  readonly configPath?: string;
}

/** The time. */
export interface WithClock {
  readonly clock: Clock;
}

/** The variables of the environment. */
export interface WithEnvironment {
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Shows what a long run is doing, on terminals only. */
export interface WithProgress {
  readonly progress: (text: string) => void;
}

/** Where long work lets other work go first. */
export interface WithPauses {
  /** Other work can be done between the pieces of long work. */
  readonly pauses?: StartPauses;
}

/** Whether anything outside of the disk may be asked. */
export interface WithIsolation {
  /** The disk is all there is: no registry over the network, no files that a formatter looks for by itself. */
  readonly isolated?: boolean;
}

/** Whose files are compiled. */
export interface WithScope {
  /** Those of a user, below the home folder, and not those of a project. */
  readonly scope?: 'user';
  /** Where sources are looked for, when not on the whole disk. */
  readonly sources?: WritableDisk;
}

/** What the values of a session are derived from. */
export type SessionContext = WithDisk &
  InDirectory &
  WithEnvironment &
  WithIsolation &
  WithPauses &
  WithScope &
  Partial<WithClock & WithProgress>;

/** What finding and reading the configuration takes; what lies in a registry is found where the rest is there too. */
export type ConfigContext = WithDisk &
  InDirectory &
  WithReport &
  WithScope &
  Partial<WithEnvironment & WithClock & WithProgress & WithIsolation>;

/** What reading and compiling sources takes, registries included. */
export type CompileContext = SessionContext & WithReport & WithClock & WithProgress;
