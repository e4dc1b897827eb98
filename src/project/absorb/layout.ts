import { blankEndsOff } from './candidates.ts';

/** Lines of front matter that hold one field. */
interface Field {
  readonly key: string;
  readonly lines: readonly string[];
}

/**
 * The lines of a file in the layout of the generated one: fields of front matter that say the same stand as they do
 * there, others where they would stand in its order. What is left of differences are edits.
 */
export async function asGenerated(
  lines: readonly string[],
  generated: readonly string[],
  saysSame: (one: string, other: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const [own, other] = [partsOf(lines), partsOf(generated)];
  if (!own || !other) return lines;
  const front = ({ lines: said }: { readonly lines: readonly string[] }) => `---\n${said.join('\n')}\n---\n`;
  const left = [...own.fields];
  const fields: Field[] = [];
  for (const field of other.fields) {
    const at = left.findIndex(({ key }) => key === field.key);
    const [present] = at === -1 ? [{ key: field.key, lines: [] }] : left.splice(at, 1);
    if (await saysSame(front(present!), front(field))) fields.push(field);
    else if (present!.lines.length > 0) fields.push(present!);
  }
  const text = [...fields, ...left].flatMap(field => field.lines);
  return ['---', ...text, '---', ...withBlankEnds(own.body, other.body)];
}

/** A text with the blank lines at its ends that another one has there. */
function withBlankEnds(lines: readonly string[], like: readonly string[]): readonly string[] {
  const [words, others] = [blankEndsOff(lines), blankEndsOff(like)];
  if (words.length === 0 || others.length === 0) return lines;
  const first = like.findIndex(line => line.trim() !== '');
  return [...like.slice(0, first), ...words, ...like.slice(first + others.length)];
}

/** Front matter by its fields, and what stands below it; `undefined` where comments or other lines stand among them. */
function partsOf(
  lines: readonly string[],
): { readonly fields: readonly Field[]; readonly body: readonly string[] } | undefined {
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end === -1) return undefined;
  const fields: { key: string; lines: string[] }[] = [];
  for (const line of lines.slice(1, end)) {
    const key = /^([\w-]+):/.exec(line)?.[1];
    if (key !== undefined) fields.push({ key, lines: [line] });
    else if (/^(?:\s|-(?:\s|$)|$)/.test(line) && fields.length > 0) fields.at(-1)!.lines.push(line);
    else return undefined;
  }
  return { fields, body: lines.slice(end + 1) };
}
