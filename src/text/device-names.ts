const numbered = [...'0123456789¹²³'].flatMap(number => [`com${number}`, `lpt${number}`]);
const devices = new Set(['con', 'prn', 'aux', 'nul', 'conin$', 'conout$', ...numbered]);

/** Whether a file name is that of a device that Windows reserves in every folder, with any ending. */
export function isDeviceName(name: string): boolean {
  const end = name.indexOf('.');
  return devices.has((end === -1 ? name : name.slice(0, end)).toLowerCase());
}
