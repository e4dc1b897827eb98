import type { OutputFile } from '../../kinds/output.ts';

/** Generated lines in a row that are gone from a line-based file, and the user's new lines in their place. */
interface Gap {
  readonly gone: string[];
  readonly instead: readonly string[];
}

const ownLines = (output: OutputFile | undefined): string[] =>
  output?.kind === 'shared' ? output.edits.map(({ value }) => String(value).trim()) : [];

function gapsIn(
  output: OutputFile | undefined,
  disk: readonly string[],
  present: ReadonlySet<string>,
  known: ReadonlySet<string>,
): Gap[] {
  const own = ownLines(output);
  const there = disk.map(line => line.trim());
  const gaps: Gap[] = [];
  for (const [at, line] of own.entries()) {
    if (present.has(line)) continue;
    const last = at > 0 && !present.has(own[at - 1]!) ? gaps.at(-1) : undefined;
    if (last) {
      last.gone.push(line);
      continue;
    }
    const above = own.slice(0, at).findLast(one => there.includes(one));
    const below = own.slice(at + 1).find(one => there.includes(one));
    const start = above === undefined ? 0 : there.indexOf(above) + 1;
    const end = below === undefined ? there.length : there.indexOf(below);
    const isNew = (one: string) => one !== '' && !known.has(one) && !own.includes(one);
    gaps.push({ gone: [line], instead: there.slice(start, end).filter(isNew) });
  }
  return gaps;
}

/** The lines that generated ones were edited to, where as many came as went; `before` are the user's older lines. */
export function editedLines(
  output: OutputFile | undefined,
  disk: readonly string[],
  before: ReadonlySet<string>,
): (readonly [string, string])[] {
  const there = new Set(disk.map(line => line.trim()));
  return gapsIn(output, disk, there, before)
    .filter(({ gone, instead }) => gone.length === instead.length)
    .flatMap(({ gone, instead }) => gone.map((line, at) => [line, instead[at]!] as const));
}

/** Whether a line-based file has new lines in the place of generated ones that the sources do not give any more. */
export function areLinesLeftBehind(
  before: OutputFile | undefined,
  after: OutputFile | undefined,
  disk: readonly string[],
  known: ReadonlySet<string> = new Set(),
): boolean {
  const now = new Set(ownLines(after));
  return gapsIn(before, disk, now, new Set([...now, ...known])).some(({ instead }) => instead.length > 0);
}
