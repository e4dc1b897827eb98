import { fstatSync, statSync } from 'node:fs';

/** Whether a descriptor may lead to a screen: only a device can. */
export function mayBeScreen(descriptor: number): boolean {
  const found = fstatSync(descriptor);
  return found.isCharacterDevice() && found.rdev !== statSync('/dev/null').rdev;
}
