/** Browser replacement of `node:crypto`: synchronous SHA-256 only. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { missingModule } from './missing.ts';

export function createHash(_algorithm: 'sha256') {
  const hash = sha256.create();
  const hasher = {
    update(data: Uint8Array | string) {
      hash.update(typeof data === 'string' ? new TextEncoder().encode(data) : data);
      return hasher;
    },
    digest: (_encoding: 'hex'): string => bytesToHex(hash.digest()),
  };
  return hasher;
}
export const { createHmac, randomBytes, timingSafeEqual } = missingModule('node:crypto');
export default { createHash, createHmac, randomBytes, timingSafeEqual };
