export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Decodes UTF-8 and keeps a byte order mark. Returns `undefined` when the bytes are not valid UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Decodes UTF-8 and drops a byte order mark. Returns `undefined` when the bytes are not valid UTF-8. */
export const decodeWithoutMark = (bytes: Uint8Array): string | undefined => {
  const text = decodeText(bytes);
  return text?.startsWith('\ufeff') ? text.slice(1) : text;
};

/**
 * The decoded text of a file without its byte order mark; `undefined` for binary files such as images and
 * archives.
 */
export const textOfFile = (bytes: Uint8Array): string | undefined =>
  bytes.includes(0) ? undefined : decodeWithoutMark(bytes);

export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** Encodes bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096)
    binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
}

/** Decodes UTF-8, drops a byte order mark, and replaces invalid bytes with U+FFFD. */
export const decodeLeniently = (bytes: Uint8Array): string => new TextDecoder('utf-8').decode(bytes);

/**
 * The first byte that is not valid UTF-8, as `0xE9`, and its offset in the leniently decoded text. The
 * decoder does not report where it failed, so the U+FFFD it inserted is compared with the bytes.
 */
export function firstInvalidByte(bytes: Uint8Array): { text: string; at: number; byte: string } {
  const text = decodeLeniently(bytes);
  let offset = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let at = 0;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isWritten = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (unit === 0xfffd && !isWritten) break;
    // A surrogate pair takes four bytes: two for each half.
    offset += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  const byte = `0x${(bytes[offset] ?? 0).toString(16).padStart(2, '0').toUpperCase()}`;
  return { text, at, byte };
}

/** Whether a text contains a lone surrogate, which cannot be encoded as UTF-8. */
export const hasLoneSurrogate = (text: string): boolean => /\p{Surrogate}/u.test(text);
