/** `node:crypto` of a page, as far as the compiler asks for it: SHA-256 in hexadecimal digits. */
import { missing } from './missing.ts';
import { sha256 } from './sha256.ts';

export const hash = (_algorithm: 'sha256', bytes: Uint8Array, _encoding: 'hex'): string => sha256(bytes);
export const { createHash, randomBytes } = missing('node:crypto');
export default { createHash, hash, randomBytes };
