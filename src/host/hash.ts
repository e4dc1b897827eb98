import { createRequire } from 'node:module';
import { withInitialFlags } from './optimization.ts';

type Crypto = typeof import('node:crypto');

let crypto: Crypto | undefined;

/** Loaded with the first hash: it takes longer to open than a small project takes to check. */
const loadCrypto = (): Crypto =>
  withInitialFlags(() => createRequire(process.execPath)('node:crypto') as Crypto);

/** SHA-256 of the bytes, in hexadecimal digits. */
export function sha256(bytes: Uint8Array): string {
  crypto ??= loadCrypto();
  // Made for short texts, of which there are many; it came with Node 20.12.
  if (crypto.hash) return crypto.hash('sha256', bytes, 'hex');
  return crypto.createHash('sha256').update(bytes).digest('hex');
}
