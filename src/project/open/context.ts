import type { Compiling, WithSignal } from '../../session/world.ts';

/** Everything that a use case may take. */
export type Context = Compiling & WithSignal;
