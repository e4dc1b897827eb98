/** Where a file comes from, as far as merging and policies care. Files of the project have the layer `@project`. */
export interface Layer {
  /** The reference as the files of the project write it, or `@project`. */
  readonly reference: string;
  /** `false` for files of the project itself: only those may read `${VAR}`. */
  readonly remote: boolean;
  /** Where a remote file came from, without credentials: URL of the registry or repository. */
  readonly registry?: string;
  /** The version in the reference (tag, range, branch, commit), if any. */
  readonly version?: string;
  /** The tag or branch that this led to, where the registry has such names. */
  readonly chosen?: string;
  /** The registry is a directory of this machine: it has no versions, and no lock pins it. */
  readonly directory?: boolean;
  /** The directory is in the repository of the project, and is reviewed with it. */
  readonly own?: boolean;
}
