/** Bytes of one MB, in all limits and messages. */
export const megabyte = 1024 * 1024;

/** The maximum size of a source file in bytes, wherever it comes from. */
export const sourceLimit = 10 * megabyte;

/** Prints bytes as `1.5 MB`, for limits in messages. */
export function megabytes(bytes: number): string {
  return `${Number((bytes / megabyte).toFixed(1))} MB`;
}
