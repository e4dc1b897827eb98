import { binaryFile, mergeConflict, notUtf8, sourceTooLarge } from '../generated/diagnostics.ts';
import { decodeLeniently, decodeWithoutMark, firstInvalidByte } from '../text/bytes.ts';
import { conflictMark } from '../text/conflict.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { fencedLines } from '../text/fences.ts';
import { megabyte, sourceLimit } from '../text/sizes.ts';
import type { Source } from '../text/source.ts';

/**
 * Decodes a source file: strict UTF-8, without a byte order mark, line ends unchanged. Reports files that are
 * too large, binary or not UTF-8 (at the first invalid byte) and returns `undefined` for them.
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
  const text = decodeWithoutMark(bytes);
  if (text !== undefined && !text.includes('\0')) {
    const start = conflictIn(text);
    if (start === undefined) return { name, text };
    report(mergeConflict({ file: name }, { span: { source: { name, text }, start, end: start + 7 } }));
    return undefined;
  }
  const zero = bytes.indexOf(0);
  if (zero !== -1) {
    const shown = decodeLeniently(bytes);
    const start = shown.indexOf('\0');
    const span = { source: { name, text: shown }, start, end: start + 1 };
    report(binaryFile({ file: name, offset: zero }, { span }));
  } else reportBadByte(name, bytes, report);
  return undefined;
}

/** The offset of the first merge conflict outside code fences. */
function conflictIn(text: string): number | undefined {
  const mark = conflictMark(text);
  if (!mark) return undefined;
  const line = text.slice(0, mark.start).split('\n').length - 1;
  return fencedLines(text.split('\n'))[line] ? undefined : mark.start;
}

/** Prepares a text that replaces `bytes`: an existing byte order mark is kept. */
export const withByteOrderMark = (bytes: Uint8Array | undefined, text: string): string =>
  bytes?.[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? `\ufeff${text}` : text;

const hasUtf16Mark = (bytes: Uint8Array) =>
  (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);

function reportBadByte(name: string, bytes: Uint8Array, report: Report): void {
  const { text, byte, at } = firstInvalidByte(bytes);
  const span = { source: { name, text }, start: at, end: at + 1 };
  report(notUtf8({ file: name, found: `the byte ${byte}` }, { span }));
}
