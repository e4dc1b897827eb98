/** Name of the configured `registry` in the lock file and in unit ids. */
export const REGISTRY = 'registry';

/** The part of the configuration about shared files. `instr.yaml` has been validated. */
export interface RegistrySettings {
  readonly registry?: RegistrySection;
  readonly registries?: { readonly [alias: string]: string | AliasSettings | AliasFolder };
}

/** The section `registry`: a repository, a directory or a URL. */
export interface RegistrySection {
  readonly path?: string;
  readonly url?: string;
  readonly git?: GitSettings;
  readonly cache?: { readonly enabled?: boolean; readonly ttl?: number };
  readonly auth?: HttpAuth;
}

/** The section `registry.git`. */
export interface GitSettings {
  readonly url: string;
  readonly fallbackUrl?: string;
  readonly ref?: string;
  readonly path?: string;
  readonly signers?: readonly string[];
  readonly auth?: GitAuth;
}

/** A local folder. */
export interface AliasFolder {
  readonly path: string;
}

/** The section of one alias in `registries`. */
export interface AliasSettings {
  readonly url: string;
  readonly fallbackUrl?: string;
  readonly root?: string;
  /** Lines of an ssh allowed signers file; only tags signed by one of them are accepted. */
  readonly signers?: readonly string[];
}

/** The section `registry.git.auth`. */
export interface GitAuth {
  readonly type: 'token' | 'ssh';
  readonly token?: string;
  readonly tokenEnvVar?: string;
  readonly sshKeyPath?: string;
}

/** The section `registry.auth`. */
export interface HttpAuth {
  readonly type: 'bearer' | 'basic';
  readonly token?: string;
  readonly tokenEnvVar?: string;
}
