import { createRequire } from 'node:module';
import { askBindings } from './bindings.ts';
import { withInitialFlags } from './optimization.ts';

type Digest = (bytes: Uint8Array) => string;

let digest: Digest | undefined;

/** SHA-256 of the bytes, in hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  digest ??= findDigest() ?? loadDigest();
  return digest(bytes);
}

function loadDigest(): Digest {
  type Crypto = typeof import('node:crypto');
  const crypto = withInitialFlags(() => createRequire(process.execPath)('node:crypto') as Crypto);
  // Made for short texts, of which there are many; it came with Node 20.12.
  if (crypto.hash) return bytes => crypto.hash('sha256', bytes, 'hex');
  return bytes => crypto.createHash('sha256').update(bytes).digest('hex');
}

/**
 * The binding behind `crypto.hash`: `node:crypto` loads ciphers and streams besides, 3 ms of a fresh run of 90. It is
 * asked with the arguments that the source of this Node gives it; where that gives others, there is none.
 */
const findDigest = (): Digest | undefined =>
  askBindings((binding: Binding) => {
    if (!asksSo.test(binding('natives')['internal/crypto/hash'] ?? '')) return undefined;
    const { oneShotDigest } = binding('crypto');
    const ids: Parameters<OneShot>[2] = {};
    const ask: Digest = bytes => oneShotDigest('sha256', ids.sha256 ?? -1, ids, bytes, 'hex', hexadecimal);
    return ask(new Uint8Array()) === ofNothing ? ask : undefined;
  });

type OneShot = (
  algorithm: string,
  id: number,
  ids: { sha256?: number },
  bytes: Uint8Array,
  encoding: string,
  encodingNumber: number,
) => string;

interface Binding {
  (name: 'natives'): { readonly [name: string]: string };
  (name: 'crypto'): { readonly oneShotDigest: OneShot };
}

const asksSo =
  /\boneShotDigest\(\s*algorithm,\s*getCachedHashId\(algorithm\),\s*getHashCache\(\),\s*input,\s*normalized,\s*encodingsMap\[normalized\],?\s*\)/;

/** The place of `hex` in Node's list of encodings. */
const hexadecimal = 5;

const ofNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
