/**
 * Invisible characters, with which a person and a machine can read different things in the same text. The
 * kind `bidi` changes the order of the text around it; `tag` characters spell invisible letters.
 */
export type HiddenKind = 'bidi' | 'zero-width' | 'tag' | 'control' | 'filler' | 'surrogate';

/** A hidden character with its offsets in the text. */
interface HiddenCharacter {
  readonly kind: HiddenKind;
  /** `U+202E` */
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

const suspicious =
  /\u034f|[\ufe00-\ufe0f]|[\x00-\x08\x0b\x0e-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** The kinds of characters, by ranges of code points; all others are `zero-width`. */
const ranges: readonly (readonly [HiddenKind, first: number, last: number])[] = [
  ['control', 0x00, 0x1f],
  ['control', 0x7f, 0x9f],
  ['bidi', 0x61c, 0x61c],
  ['filler', 0x115f, 0x1160],
  ['bidi', 0x200e, 0x200f],
  ['bidi', 0x202a, 0x202e],
  ['bidi', 0x2066, 0x206f],
  ['filler', 0x3164, 0x3164],
  ['surrogate', 0xd800, 0xdfff],
  ['filler', 0xffa0, 0xffa0],
  ['tag', 0xe0000, 0xe0fff],
];

const kindOf = (point: number): HiddenKind =>
  ranges.find(([, first, last]) => first <= point && point <= last)?.[0] ?? 'zero-width';

/**
 * Finds the hidden characters of a text, in order. Legitimate uses are skipped: joiners inside emoji and in
 * scripts that join letters, tags of a flag, direction marks beside letters of a right-to-left script, one
 * variation selector after a character, and a byte order mark at the very start. Tabs, line ends and form
 * feeds are not hidden characters.
 */
export function findHidden(text: string): HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  // `matchAll` copies the pattern first, which is wasted time for nearly all texts.
  if (text.search(suspicious) === -1) return found;
  for (const match of text.matchAll(suspicious)) {
    const start = match.index;
    const end = start + match[0].length;
    const point = match[0].codePointAt(0)!;
    if (isNeeded(text, start, end, point)) continue;
    const hex = point.toString(16).toUpperCase().padStart(4, '0');
    found.push({ kind: kindOf(point), name: `U+${hex}`, start, end });
  }
  return found;
}

function isNeeded(text: string, start: number, end: number, point: number): boolean {
  const before = characterBefore(text, start);
  const after = end < text.length ? String.fromCodePoint(text.codePointAt(end)!) : '';
  if (point === 0xfeff) return start === 0;
  // A joiner combines several emoji into one, or two letters into one letter form.
  if (point === 0x200d && /[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f/u.test(before)) {
    return /\p{Extended_Pictographic}/u.test(after);
  }
  if (point === 0x200c || point === 0x200d) return joining().test(before);
  // One variation selector says how to draw the character before it; a run of them is a hidden message.
  if (point >= 0xfe00 && point <= 0xfe0f)
    return before !== '' && !/\s|[\ufe00-\ufe0f]/u.test(before) && selectable(before, point);
  if (point >= 0xe0100 && point <= 0xe01ef) return /\p{Script=Han}/u.test(before);
  if (point >= 0xe0020 && point <= 0xe007f) return isFlag(text, start, end);
  // Direction marks are legitimate in right-to-left text.
  if (point === 0x200e || point === 0x200f || point === 0x061c) return nearRightToLeft(text, start, end);
  // A soft hyphen is legitimate between two letters.
  if (point === 0x00ad) return /\p{L}/u.test(before) && /\p{L}/u.test(after);
  if (point === 0x180e) return /\p{Script=Mongolian}/u.test(before);
  if (point === 0x115f || point === 0x1160) return /\p{Script=Hangul}/u.test(before + after);
  return false;
}

/** Created on first use: V8 needs long to build it. */
const joining = () =>
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Manichaean}\p{Script=Phags_Pa}\p{Mn}]/u;

/** Selectors 15 and 16 choose between text and emoji; the others belong to symbols and ideographs. */
function selectable(before: string, point: number): boolean {
  if (point >= 0xfe0e) return /[\p{Emoji}\p{S}\p{P}\u2000-\u2bff\u3030\u303d\u3297\u3299]/u.test(before);
  return /[\p{S}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}\p{Nd}]/u.test(before);
}

/** A subdivision flag such as that of England: a black flag, tag letters, and the end tag. */
function isFlag(text: string, start: number, end: number): boolean {
  const head = /\u{1f3f4}[\u{e0020}-\u{e007e}]{0,6}$/u.test(text.slice(Math.max(0, start - 14), start));
  const own = text.codePointAt(start);
  return head && (own === 0xe007f || /^[\u{e0020}-\u{e007e}]{0,6}\u{e007f}/u.test(text.slice(end, end + 14)));
}

function nearRightToLeft(text: string, start: number, end: number): boolean {
  const around = text.slice(Math.max(0, start - 24), start) + text.slice(end, end + 24);
  return /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(around);
}

function characterBefore(text: string, at: number): string {
  if (at === 0) return '';
  const low = text.charCodeAt(at - 1);
  const pair = low >= 0xdc00 && low <= 0xdfff && at > 1;
  return text.slice(pair ? at - 2 : at - 1, at);
}
