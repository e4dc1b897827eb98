/** Which paths work on every system that checks a project out. */
import { encodeText, hasHalfCharacter } from './bytes.ts';

/** Characters that have no place in a file name on some system; the slash is the separator and judged before. */
const forbidden = /[<>:"|?*\\]/;

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** Characters that change how a path looks without showing: bidi controls, zero-width, byte order mark. */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** The folder in which version control keeps itself, under the names that some systems take for it. */
const versionControl = /^(?:\.git|git~\d+|\.hg|\.svn)$/i;

const longestSegment = 255;
/** The longest path: every system can still open it below a home directory. */
const longestPath = 1000;

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'has an empty segment';
  if (segment === '.' || segment === '..') return `has the segment "${segment}"`;
  if (control.test(segment)) return 'has a control character';
  if (invisible.test(segment)) return 'has an invisible character';
  const wrong = forbidden.exec(segment);
  if (wrong) return `has the character ${wrong[0]}`;
  if (hasHalfCharacter(segment)) return 'has a broken character';
  if (/[. ]$/.test(segment)) return 'has a segment that ends with a dot or a space';
  if (segment.startsWith(' ')) return 'has a segment that starts with a space';
  if (isDeviceName(segment)) return `has the segment "${segment}", a device name on Windows`;
  if (encodeText(segment).length > longestSegment)
    return `has a segment of more than ${longestSegment} bytes`;
  return undefined;
}

/**
 * Whether a path, relative to the project root with `/` between segments, can be used on every system.
 * Gives what is wrong as the end of a sentence that starts with the path, such as `leaves the project`.
 */
export function checkRelativePath(path: string): string | undefined {
  if (path === '') return 'is empty';
  if (/^[/\\]/.test(path)) return 'is absolute';
  if (/^[a-z]:/i.test(path)) return 'starts with a drive letter';
  if (path.length > longestPath) return `has more than ${longestPath} characters`;
  const segments = path.split('/');
  if (segments.includes('..')) return 'leaves the project with ".."';
  for (const segment of segments) {
    const problem = segmentProblem(segment);
    if (problem) return problem;
    if (versionControl.test(segment)) return `lies in ${segment}, where version control keeps itself`;
  }
  return undefined;
}

/**
 * What a path is compared by: some file systems take names that differ in case, or in how an accent is put
 * together, for one name.
 */
export const pathKey = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

const devices = new Set(['con', 'prn', 'aux', 'nul', 'conin$', 'conout$']);
const digits = '0123456789¹²³';

/** Whether a file name is that of a device that Windows reserves in every folder, with any ending. */
export function isDeviceName(name: string): boolean {
  const end = name.indexOf('.');
  const stem = (end === -1 ? name : name.slice(0, end)).toLowerCase();
  const isNumbered = stem.length === 4 && (stem.startsWith('com') || stem.startsWith('lpt'));
  return isNumbered ? digits.includes(stem.charAt(3)) : devices.has(stem);
}
