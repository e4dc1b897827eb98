/** A step of the path to a value: a name, or an index from 0. */
export type Key = string | number;

/** What a value is to be, by its path; `undefined` takes it away, `isNew` puts it before the one at that place of a list. */
export interface Change {
  readonly path: readonly Key[];
  readonly value: unknown;
  readonly isNew?: boolean;
}
