/** One MB, in every limit and every message. */
export const megabyte = 1024 * 1024;

/** Files beyond this size are no sources, wherever they come from. */
export const sourceLimit = 10 * megabyte;

/** `1.5 MB`: for limits in messages. */
export function megabytes(bytes: number): string {
  return `${Number((bytes / megabyte).toFixed(1))} MB`;
}
