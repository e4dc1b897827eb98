/** The part of the configuration that says where shared files come from. `instr.yaml` is validated before it gets here. */
export interface RegistrySettings {
  readonly registry?: RegistrySection;
  readonly registries?: { readonly [alias: string]: string | AliasSettings };
}

export interface RegistrySection {
  readonly path?: string;
  readonly url?: string;
  readonly git?: GitSettings;
  readonly cache?: { readonly enabled?: boolean; readonly ttl?: number };
  readonly auth?: HttpAuth;
}

export interface GitSettings {
  readonly url: string;
  readonly fallbackUrl?: string;
  readonly ref?: string;
  readonly path?: string;
  readonly auth?: GitAuth;
}

export interface AliasSettings {
  readonly url: string;
  readonly fallbackUrl?: string;
  readonly root?: string;
}

export interface GitAuth {
  readonly type: 'token' | 'ssh';
  readonly token?: string;
  readonly tokenEnvVar?: string;
  readonly sshKeyPath?: string;
}

export interface HttpAuth {
  readonly type: 'bearer' | 'basic';
  readonly token?: string;
  readonly tokenEnvVar?: string;
}
