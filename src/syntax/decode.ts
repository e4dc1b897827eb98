import { binaryFile, mergeConflict, notUtf8, sourceTooLarge } from '../generated/diagnostics.ts';
import { decodeLeniently, decodeWithoutMark, firstInvalidByte } from '../text/bytes.ts';
import { conflictMark } from '../text/conflict.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { fencedLines } from '../text/fences.ts';
import { megabyte, sourceLimit } from '../text/sizes.ts';
import type { Source, Span } from '../text/source.ts';

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
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    report(notUtf8({ file: name, found: 'the byte order mark of UTF-16' }, { file: name }));
    return undefined;
  }
  const spanAt = (text: string, start: number, length: number): Span => ({
    source: { name, text },
    start,
    end: start + length,
  });
  const zero = bytes.indexOf(0);
  if (zero !== -1) {
    const shown = decodeLeniently(bytes);
    report(binaryFile({ file: name, offset: zero }, { span: spanAt(shown, shown.indexOf('\0'), 1) }));
    return undefined;
  }
  const text = decodeWithoutMark(bytes);
  if (text === undefined) {
    const { text: shown, byte, at } = firstInvalidByte(bytes);
    report(notUtf8({ file: name, found: `the byte ${byte}` }, { span: spanAt(shown, at, 1) }));
    return undefined;
  }
  const conflict = conflictIn(text);
  if (conflict === undefined) return { name, text };
  report(mergeConflict({ file: name }, { span: spanAt(text, conflict, 7) }));
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
