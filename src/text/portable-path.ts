/** Which paths work on all operating systems. */
import { encodeText, hasLoneSurrogate } from './bytes.ts';

/** Characters that some system forbids in file names. The slash is the separator and is checked before. */
const forbidden = /[<>:"|?*\\]/;

const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/**
 * Invisible characters that change how a path looks: bidi controls, zero-width characters, byte order mark.
 */
const invisible = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

/** Folders of version control systems, including the names that some file systems treat as `.git`. */
const versionControl = /^(?:\.git|git~\d+|\.hg|\.svn)$/i;

const longestSegment = 255;
/** The maximum length of a path, short enough to be opened below a home directory on every system. */
const longestPath = 1000;

function segmentProblem(segment: string): string | undefined {
  if (segment === '') return 'has an empty segment';
  if (segment === '.' || segment === '..') return `has the segment "${segment}"`;
  if (control.test(segment)) return 'has a control character';
  if (invisible.test(segment)) return 'has an invisible character';
  const wrong = forbidden.exec(segment);
  if (wrong) return `has the character ${wrong[0]}`;
  if (hasLoneSurrogate(segment)) return 'has a broken character';
  if (/[. ]$/.test(segment)) return 'has a segment that ends with a dot or a space';
  if (segment.startsWith(' ')) return 'has a segment that starts with a space';
  if (isDeviceName(segment)) return `has the segment "${segment}", a device name on Windows`;
  if (encodeText(segment).length > longestSegment)
    return `has a segment of more than ${longestSegment} bytes`;
  return undefined;
}

/**
 * Checks that a path relative to the project root, with `/` between segments, can be used on every system.
 * Returns the problem as the end of a sentence that starts with the path, such as `leaves the project`.
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
    if (versionControl.test(segment)) return `is in ${segment}, which belongs to version control`;
  }
  return undefined;
}

/**
 * A key for comparing paths. Some file systems treat names as equal that differ in case or in Unicode
 * normalization.
 */
export const pathKey = (path: string): string => path.normalize('NFC').toLowerCase().normalize('NFC');

/** Whether Windows reserves a file name as a device name, with any extension. */
export const isDeviceName = (name: string): boolean =>
  /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[\d¹²³])(?:\.|$)/i.test(name);
