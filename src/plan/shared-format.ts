import type { Json } from '../kinds/output.ts';
import type { Step } from './shared-values.ts';

/** The value of a structured text, or what is wrong with it and at which offset. */
export type Parsed = { readonly value: Json } | { readonly problem: string; readonly offset: number };

/**
 * Changes single values in a text that belongs to the user: everything outside the value stays, byte for byte. All
 * functions take the text without byte order mark, and only such that `parse` accepts.
 */
export interface SharedFormat {
  /** A text without any value counts as an empty object. Objects have no prototype: any key is data. */
  parse(text: string): Parsed;
  /**
   * Sets the value at a path. What is missing on the way is made; what is there must be an object, or an array
   * before a number. An element one past the end is appended.
   */
  set(text: string, path: readonly Step[], value: Json): string;
  /** Removes the value at a path that exists. */
  remove(text: string, path: readonly Step[]): string;
  /** Whether nothing but blanks is left in the object or array at a path: no value, and no comment either. */
  isBare(text: string, path: readonly Step[]): boolean;
  /** The value without what the format cannot say, such as an empty object that exists by its fields only. */
  comparable(value: Json): Json;
  /** A whole new file. */
  create(value: Json): string;
}
