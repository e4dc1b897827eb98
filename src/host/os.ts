import { createRequire } from 'node:module';

/** Node's `os`, which takes half a millisecond to load and which most runs ask nothing. */
export const os = (): typeof import('node:os') => createRequire(process.execPath)('node:os');
