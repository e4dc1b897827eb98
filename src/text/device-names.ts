const digits = '0123456789¹²³';

/** Whether a file name is that of a device that Windows reserves in every folder, with any ending. */
export function isDeviceName(name: string): boolean {
  const end = name.indexOf('.');
  const stem = (end === -1 ? name : name.slice(0, end)).toLowerCase();
  switch (stem) {
    case 'con':
    case 'prn':
    case 'aux':
    case 'nul':
    case 'conin$':
    case 'conout$':
      return true;
    default:
      return (
        stem.length === 4 &&
        (stem.startsWith('com') || stem.startsWith('lpt')) &&
        digits.includes(stem.charAt(3))
      );
  }
}
