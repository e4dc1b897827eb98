export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text that bytes are in UTF-8, with a byte order mark at its start where they have one; `undefined`: they are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

/** The same without the mark. */
export const decodeUnmarked = (bytes: Uint8Array): string | undefined => {
  const text = decodeText(bytes);
  return text?.startsWith('\ufeff') ? text.slice(1) : text;
};

/** The text of a file, without a mark; pictures, archives and the like have none. */
export const textIn = (bytes: Uint8Array): string | undefined =>
  bytes.includes(0) ? undefined : decodeUnmarked(bytes);

/** The text as UTF-8. */
export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** The bytes in the letters of base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096)
    binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
}

/** The text that bytes are in UTF-8, without a mark, and with U+FFFD for what is no UTF-8. */
export const lenientText = (bytes: Uint8Array): string => new TextDecoder('utf-8').decode(bytes);

/**
 * The first byte that is no UTF-8, as `0xE9`, and its place in the lenient text. The decoder does not say where it failed: it
 * puts U+FFFD there, and the bytes tell which one is false.
 */
export function firstBadByte(bytes: Uint8Array): { text: string; at: number; byte: string } {
  const text = lenientText(bytes);
  let offset = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  let at = 0;
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isWritten = bytes[offset] === 0xef && bytes[offset + 1] === 0xbf && bytes[offset + 2] === 0xbd;
    if (unit === 0xfffd && !isWritten) break;
    // A pair of surrogates stands for four bytes, two for each half.
    offset += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
  }
  const byte = `0x${(bytes[offset] ?? 0).toString(16).padStart(2, '0').toUpperCase()}`;
  return { text, at, byte };
}

/** Whether a text has half of a surrogate pair, which no file can hold. */
export const hasHalfCharacter = (text: string): boolean => /\p{Surrogate}/u.test(text);
