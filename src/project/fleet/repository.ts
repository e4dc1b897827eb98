import type { Address } from '../../registry/address.ts';

/** A repository of a fleet: how it is called, and where it lies. */
export interface Repository {
  readonly name: string;
  /** Absolute. */
  readonly root: string;
  /** Somebody named it: then it is wrong that there is no project in it. */
  readonly named?: boolean;
  /** Where it is cloned from, when a list has its address. */
  readonly address?: Address;
  /** Why it cannot be read. */
  readonly error?: string;
}
