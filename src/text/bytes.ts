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
