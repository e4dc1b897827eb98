/** `node:module` of a page: the modules that the compiler asks for when it needs them. */
import { hash } from './crypto.ts';
import { missing } from './missing.ts';

export const createRequire = () => (name: string) => (name === 'node:crypto' ? { hash } : missing(name));
export default { createRequire };
