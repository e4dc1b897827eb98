import { fstatSync, statSync } from 'node:fs';

/** Whether a file descriptor may be a terminal: only a character device can be one. */
export function mayBeScreen(descriptor: number): boolean {
  const found = fstatSync(descriptor);
  return found.isCharacterDevice() && found.rdev !== statSync('/dev/null').rdev;
}
