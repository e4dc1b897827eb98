import { createRequire } from 'node:module';
import { askBindings } from './bindings.ts';

/** Node's `os`, which takes half a millisecond to load and which most runs ask nothing. */
export const os = (): typeof import('node:os') => createRequire(process.execPath)('node:os');

/** The name of this machine, which every run that writes asks for. */
export const hostName = (): string =>
  askBindings((binding: (name: 'os') => { getHostname(failure: object): string }) =>
    binding('os').getHostname({}),
  ) ?? os().hostname();
