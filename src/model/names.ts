import { isDeviceName } from '../text/device-names.ts';

/**
 * A name of the user as a file name: letters, digits, `.`, `_` and `-` only, so that it can never leave its
 * directory. Gives an empty string when nothing is left of it.
 */
export function fileNameOf(name: string): string {
  const cleaned = name
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '');
  return isDeviceName(cleaned) ? `${cleaned.replace(/\..*$/, '')}-file` : cleaned.slice(0, 120);
}
