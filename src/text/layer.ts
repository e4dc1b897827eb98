/** The origin of a file, as merging and policies need it. Files of the project have the layer `@project`. */
export interface Layer {
  /** The reference as written in the files of the project, or `@project`. */
  readonly reference: string;
  /** `false` for files of the project itself. Only those may read `${VAR}`. */
  readonly remote: boolean;
  /** URL of the registry or repository of a remote file, without credentials. */
  readonly registry?: string;
  /** The version in the reference (tag, range, branch, commit), if any. */
  readonly version?: string;
  /** The tag or branch that the version was resolved to, where the registry has such names. */
  readonly chosen?: string;
  /** Whether the registry is a local directory, which has no versions and is not locked. */
  readonly directory?: boolean;
  /** Whether that directory is in the repository of the project and is reviewed with it. */
  readonly own?: boolean;
}
