import type { MappedBlock } from '../kinds/document/read/map.ts';
import type { Data } from '../model/model.ts';
import { fencedLines } from '../text/fences.ts';
import { compareCode } from '../text/order.ts';

/** A text that several files have. */
export interface Repetition {
  readonly block: string;
  readonly kind: 'equal' | 'near';
  /** Files with the text, the one whose wording leads first. */
  readonly files: readonly string[];
  readonly startLines: readonly number[];
  /** For near-equal texts: what only one of the files says. */
  readonly only: readonly { readonly file: string; readonly text: string }[];
}

export interface MergedParts {
  readonly parts: readonly MappedBlock[];
  readonly repetitions: readonly Repetition[];
}

interface Kept {
  part: MappedBlock;
  readonly path: string;
  pieces: readonly string[];
}

/** From this share of common pieces on, two parts are versions of one another. */
const near = 0.5;

/**
 * Brings parts of several files together. Equal parts stay once; of near-equal ones the union is kept, in order, and
 * what only one file says is marked. Entries of one name with different content both stay, the later one renamed.
 */
export function mergeParts(
  sources: readonly { readonly path: string; readonly parts: readonly MappedBlock[] }[],
): MergedParts {
  const kept: Kept[] = [];
  const repetitions: Repetition[] = [];
  const names = new Map<string, Set<string>>();
  for (const { path, parts } of sources) {
    for (const part of parts) {
      const pieces = piecesOf(part);
      const others = kept.filter(other => other.part.block === part.block && other.path !== path);
      const equal = others.find(other => sameList(other.pieces, pieces) && sameFields(other.part, part));
      if (equal) {
        repetitions.push({
          block: part.block,
          kind: 'equal',
          files: [equal.path, path],
          startLines: [equal.part.startLine, part.startLine],
          only: [],
        });
        equal.part = withTitleOf(equal.part, part, path);
        continue;
      }
      const half = others.find(other => completes(other.part, part));
      if (half) {
        half.part = united(half.part, part);
        half.pieces = piecesOf(half.part);
        continue;
      }
      const similar = others.find(
        other => joinable(other.part, part) && shareOf(other.pieces, pieces) >= near,
      );
      if (similar) {
        const joined = join(similar, part, pieces, path);
        repetitions.push(joined.repetition);
        Object.assign(similar, { part: withTitleOf(joined.part, part, path), pieces: joined.pieces });
        continue;
      }
      kept.push({ part: renamed(part, names), path, pieces });
    }
  }
  return { parts: firstTitleOnly(kept.map(({ part }) => part)), repetitions };
}

/** Items, or paragraphs and list items of a text: what is compared and counted. */
function piecesOf({ content }: MappedBlock): string[] {
  switch (content.kind) {
    case 'items':
      return [...content.items];
    case 'pairs':
      return content.pairs.map(pair => pair.join(': '));
    case 'parameters':
      return content.parameters.map(({ name, value }) => `${name}: ${value}`);
    case 'fields':
      return splitText(String(content.fields.get('content') ?? ''));
    case 'text':
      return splitText(content.text);
  }
}

/** Blank lines separate pieces, and so do the items of a list at the outer level; code fences stay whole. */
function splitText(text: string): string[] {
  const pieces: string[] = [];
  let open: string[] = [];
  const close = () => {
    if (open.some(line => line.trim() !== '')) pieces.push(open.join('\n').trimEnd());
    open = [];
  };
  const lines = text.split('\n');
  const fenced = fencedLines(lines, true);
  for (const [index, line] of lines.entries()) {
    if (!fenced[index] && (line.trim() === '' || /^(?:[-*+]|\d+[.)])\s/.test(line))) close();
    open.push(line);
  }
  close();
  return pieces.map(piece => piece.replace(/^\n+/, ''));
}

const normal = (text: string): string =>
  text
    .replace(/^(?:[-*+]|\d+[.)]|#+)\s+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();

const sameList = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((piece, index) => normal(piece) === normal(b[index]!));

function sameFields(a: MappedBlock, b: MappedBlock): boolean {
  if (a.content.kind !== 'fields' || b.content.kind !== 'fields') return true;
  const text = (fields: ReadonlyMap<string, Data>) =>
    JSON.stringify([...fields].filter(([name]) => name !== 'content').sort(([x], [y]) => compareCode(x, y)));
  return a.key === b.key && text(a.content.fields) === text(b.content.fields);
}

/** Two files can each hold a part of one entry: what both say is the same. */
function completes(a: MappedBlock, b: MappedBlock): boolean {
  if (a.content.kind !== 'fields' || b.content.kind !== 'fields' || a.key !== b.key) return false;
  const there = a.content.fields;
  return [...b.content.fields].every(
    ([name, value]) => !there.has(name) || JSON.stringify(there.get(name)) === JSON.stringify(value),
  );
}

/** The fields of both, the content last. */
function united(a: MappedBlock, b: MappedBlock): MappedBlock {
  if (a.content.kind !== 'fields' || b.content.kind !== 'fields') return a;
  const fields = new Map([...a.content.fields, ...b.content.fields]);
  const content = fields.get('content');
  if (content !== undefined) {
    fields.delete('content');
    fields.set('content', content);
  }
  return { ...a, content: { kind: 'fields', fields } };
}

/** Only prose is joined: two commands or agents with one name are two intentions. */
function joinable(a: MappedBlock, b: MappedBlock): boolean {
  if (a.content.kind !== b.content.kind || (a.content.kind !== 'items' && a.content.kind !== 'text'))
    return false;
  return a.key === b.key || a.key === undefined || b.key === undefined;
}

function shareOf(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  const there = new Set(a.map(normal));
  const common = b.filter(piece => there.has(normal(piece))).length;
  return common / Math.min(a.length, b.length);
}

/** Pieces of the second one take their place behind the common piece they followed. */
function join(first: Kept, part: MappedBlock, pieces: readonly string[], path: string) {
  const union = [...first.pieces];
  const there = new Set(union.map(normal));
  const wanted = new Set(pieces.map(normal));
  const only = first.pieces
    .filter(piece => !wanted.has(normal(piece)))
    .map(text => ({ file: first.path, text }));
  let after = -1;
  for (const piece of pieces) {
    const at = union.findIndex(other => normal(other) === normal(piece));
    if (there.has(normal(piece)) && at !== -1) {
      after = at;
      continue;
    }
    union.splice(++after, 0, piece);
    only.push({ file: path, text: piece });
  }
  const review = [
    ...(first.part.review === undefined ? [] : [first.part.review]),
    ...only.map(({ file, text }) => `only in ${file}: ${short(text)}`),
  ].join('\n');
  const content =
    first.part.content.kind === 'items'
      ? ({ kind: 'items', items: union } as const)
      : ({ kind: 'text', text: joinPieces(union) } as const);
  const repetition: Repetition = {
    block: part.block,
    kind: 'near',
    files: [first.path, path],
    startLines: [first.part.startLine, part.startLine],
    only,
  };
  return { part: { ...first.part, content, ...(review !== '' && { review }) }, pieces: union, repetition };
}

/** Of two titles only one can stand above a text; the other one is kept for the review. */
function withTitleOf(kept: MappedBlock, part: MappedBlock, path: string): MappedBlock {
  const lost = [part.blockTitle, part.title].filter(
    title =>
      title !== undefined && ![kept.blockTitle, kept.title].some(own => own && normal(own) === normal(title)),
  );
  if (lost.length === 0) return kept;
  const review = [kept.review, ...lost.map(title => `only in ${path}: the title ${title}`)];
  return { ...kept, review: review.filter(line => line !== undefined).join('\n') };
}

/** List items stay neighbours; everything else stands apart. */
function joinPieces(pieces: readonly string[]): string {
  const isItem = (piece: string) => /^(?:[-*+]|\d+[.)])\s/.test(piece);
  return pieces.reduce((text, piece, index) => {
    if (index === 0) return piece;
    return `${text}${isItem(piece) && isItem(pieces[index - 1]!) ? '\n' : '\n\n'}${piece}`;
  }, '');
}

const short = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 100 ? `${line.slice(0, 97)}…` : line;
};

/** Keys are unique in a block: a second entry of one name gets a number. */
function renamed(part: MappedBlock, names: Map<string, Set<string>>): MappedBlock {
  if (part.key === undefined) return part;
  const taken = names.get(part.block) ?? new Set<string>();
  names.set(part.block, taken);
  let key = part.key;
  for (let number = 2; taken.has(key.toLowerCase()); number++) key = `${part.key}-${number}`;
  taken.add(key.toLowerCase());
  if (key === part.key) return part;
  return {
    ...part,
    key,
    review: [part.review, `There is another \`${part.key}\`.`].filter(line => line !== undefined).join('\n'),
  };
}

/** A block has one title: where several files bring one, the later ones become headings of their texts. */
function firstTitleOnly(parts: readonly MappedBlock[]): MappedBlock[] {
  const started = new Set<string>();
  return parts.map(part => {
    const first = !started.has(part.block);
    started.add(part.block);
    if (part.blockTitle !== undefined && !first) {
      const { blockTitle, ...rest } = part;
      return { ...rest, review: [part.review, `It stood below "${blockTitle}".`].filter(Boolean).join('\n') };
    }
    if (!part.titlesBlock || first) return part;
    const { titlesBlock: _, title, ...rest } = part;
    if (part.content.kind === 'text')
      return { ...rest, content: { kind: 'text', text: `## ${title}\n\n${part.content.text}` } };
    if (part.content.kind === 'items') {
      return {
        ...rest,
        content: {
          kind: 'text',
          text: `## ${title}\n\n${part.content.items.map(item => `- ${item}`).join('\n')}`,
        },
      };
    }
    return rest;
  });
}
