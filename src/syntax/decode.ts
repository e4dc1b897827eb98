import type { Report } from '../diagnostics/diagnostic.ts';
import { binaryFile, notUtf8, sourceTooLarge } from '../generated/diagnostics.ts';
import { decodeUnmarked } from '../text/bytes.ts';
import { megabyte, sourceLimit } from '../text/sizes.ts';
import type { Source } from '../text/source.ts';

/**
 * Turns the bytes of a source file into text: strict UTF-8, without a byte order mark, line ends as they are.
 * Reports files that are too large, binary or not UTF-8 (at the first byte that is not) and returns `undefined`.
 */
export function decodeSource(name: string, bytes: Uint8Array, report: Report): Source | undefined {
  if (bytes.length > sourceLimit) {
    const size = (Math.floor((bytes.length / megabyte) * 10) / 10).toFixed(1);
    report(sourceTooLarge({ file: name, size, limit: sourceLimit / megabyte }, { file: name }));
    return undefined;
  }
  if (hasUtf16Mark(bytes)) {
    report(notUtf8({ file: name, found: 'the byte order mark of UTF-16' }, { file: name }));
    return undefined;
  }
  const text = decodeUnmarked(bytes);
  if (text !== undefined && !text.includes('\0')) return { name, text };
  const zero = bytes.indexOf(0);
  if (zero !== -1) report(binaryFile({ file: name, offset: zero }, { file: name }));
  else reportBadByte(name, bytes, report);
  return undefined;
}

/** A text that takes the place of `bytes`: a byte order mark that was there stays. */
export const withMark = (bytes: Uint8Array | undefined, text: string): string =>
  bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? `\ufeff${text}` : text;

const hasUtf16Mark = (bytes: Uint8Array) =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

/** The decoder does not say where it failed; a lenient pass puts U+FFFD there, and the bytes tell which one is false. */
function reportBadByte(name: string, bytes: Uint8Array, report: Report): void {
  const text = new TextDecoder('utf-8').decode(bytes);
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let index = 0;
  for (; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit === 0xfffd && !(bytes[at] === 0xef && bytes[at + 1] === 0xbf && bytes[at + 2] === 0xbd)) break;
    // A pair of surrogates stands for four bytes, two for each half.
    at += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  const byte = `the byte 0x${(bytes[at] ?? 0).toString(16).padStart(2, '0').toUpperCase()}`;
  report(
    notUtf8({ file: name, found: byte }, { span: { source: { name, text }, start: index, end: index + 1 } }),
  );
}
