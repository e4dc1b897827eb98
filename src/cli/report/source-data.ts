import { sha256 } from '../../host/hash.ts';

/** A source or another file that a command writes for users. */
export interface WrittenSource {
  readonly path: string;
  readonly content: string | Uint8Array;
  readonly state: 'new' | 'changed' | 'unchanged';
  readonly executable?: boolean | undefined;
}

/** Such a file in the format of the JSON file list; it has no targets. */
export function sourceData({ path, content, state, executable }: WrittenSource): object {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const mode = executable ? '0755' : '0644';
  return { path, targets: [], state, mode, bytes: bytes.length, sha256: sha256(bytes) };
}
