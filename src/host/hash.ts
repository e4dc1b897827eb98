import { createHash } from 'node:crypto';

/** SHA-256 of the bytes, in hexadecimal digits. */
export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
