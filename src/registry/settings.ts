/** The part of the configuration that says where shared files come from. `instr.yaml` is validated before it gets here. */
export interface RegistrySettings {
  readonly registry?: RegistrySection;
  readonly registries?: { readonly [alias: string]: string | AliasSettings | AliasFolder };
}

/** The section `registry`: a repository, a directory or an address. */
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

/** A folder of this machine. */
export interface AliasFolder {
  readonly path: string;
}

/** The section of one alias in `registries`. */
export interface AliasSettings {
  readonly url: string;
  readonly fallbackUrl?: string;
  readonly root?: string;
  /** Lines of an allowed signers file: only tags that one of them has signed are read. */
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
