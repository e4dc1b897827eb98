/** Bytes, in the words that every engine of JavaScript has. */
export const sameOneByOne = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, at) => byte === b[at]);

/** What Node has for it: megabytes take a fiftieth of the time. */
const { Buffer: node } = globalThis as {
  Buffer?: {
    compare?(a: Uint8Array, b: Uint8Array): number;
    prototype?: {
      indexOf?: (this: Uint8Array, byte: number) => number;
      utf8Slice?: (this: Uint8Array, start: number, end: number) => string;
    };
  };
};
const compareAtOnce = node?.compare;
const indexAtOnce = node?.prototype?.indexOf;
const decodeAtOnce = node?.prototype?.utf8Slice;

export const sameBytes: (a: Uint8Array, b: Uint8Array) => boolean = compareAtOnce
  ? (a, b) => a.length === b.length && compareAtOnce(a, b) === 0
  : sameOneByOne;

/** Whether one of the bytes is this one. */
export const holdsByte: (bytes: Uint8Array, byte: number) => boolean = indexAtOnce
  ? (bytes, byte) => indexAtOnce.call(bytes, byte) !== -1
  : (bytes, byte) => bytes.includes(byte);

const encoder = new TextEncoder();
let decoder: InstanceType<typeof TextDecoder> | undefined;

/** The text that bytes are in UTF-8, with a byte order mark at its start where they have one; `undefined`: they are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    // The decoder of the standard is a script of Node's that each run compiles; this one puts U+FFFD for what is wrong.
    const text = decodeAtOnce?.call(bytes, 0, bytes.length);
    if (text !== undefined && !text.includes('\ufffd')) return text;
    decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
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
  holdsByte(bytes, 0) ? undefined : decodeUnmarked(bytes);

/** The text as UTF-8. */
export const encodeText = (text: string): Uint8Array => encoder.encode(text);

/** The bytes in the letters of base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 4096)
    binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
  return btoa(binary);
}
