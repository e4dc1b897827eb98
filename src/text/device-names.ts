const devices = new Set(['con', 'prn', 'aux', 'nul', 'conin$', 'conout$']);
const digits = '0123456789¹²³';

/** Whether a file name is that of a device that Windows reserves in every folder, with any ending. */
export function isDeviceName(name: string): boolean {
  const end = name.indexOf('.');
  const stem = (end === -1 ? name : name.slice(0, end)).toLowerCase();
  const isNumbered = stem.length === 4 && (stem.startsWith('com') || stem.startsWith('lpt'));
  return isNumbered ? digits.includes(stem.charAt(3)) : devices.has(stem);
}
