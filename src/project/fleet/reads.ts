import { sha256 } from '../../host/hash.ts';
import type { SourcePlace, Tree } from '../../registry/tree.ts';

/** What a project read of one source: each question with the hash of its answer. */
export interface SourceReads extends SourcePlace {
  readonly reads: readonly Read[];
}

/** `read`, `list` or `executable` of a tree. */
type Question = 'r' | 'l' | 'x';
type Read = readonly [question: Question, path: string, answer: string];

/** Puts a question to a source. */
export type Ask = (question: Question, path: string) => Promise<string>;

/** One text for a source, by which two of them are compared. */
export const keyOf = ({ source, url, root }: SourcePlace): string => JSON.stringify([source, url, root]);

/** Records what is read of repositories. */
export function noteReads(): {
  readonly observe: (place: SourcePlace, tree: Tree) => Tree;
  /** How each source can be asked again. */
  readonly asks: ReadonlyMap<string, Ask>;
  readonly all: () => SourceReads[];
} {
  const sources = new Map<string, { readonly place: SourcePlace; readonly reads: Map<string, Read> }>();
  const asks = new Map<string, Ask>();
  const observe = (place: SourcePlace, tree: Tree): Tree => {
    const key = keyOf(place);
    const { reads } = sources.get(key) ?? { reads: new Map<string, Read>() };
    sources.set(key, { place, reads });
    asks.set(key, askTree(tree));
    const note = <T>(question: Question, path: string, said: T): T => {
      reads.set(question + path, [question, path, digest(said)]);
      return said;
    };
    const noted = <T>(question: Question, path: string, said: T | Promise<T>): T | Promise<T> =>
      said instanceof Promise ? said.then(one => note(question, path, one)) : note(question, path, said);
    return {
      ...tree,
      read: path => noted('r', path, tree.read(path)),
      list: path => noted('l', path, tree.list(path)),
      ...(tree.executable && { executable: path => note('x', path, tree.executable!(path)) }),
    };
  };
  const all = () =>
    [...sources.values()].map(({ place, reads }) => ({ ...place, reads: [...reads.values()] }));
  return { observe, asks, all };
}

/** Asks a tree; each question once. */
function askTree(tree: Tree): Ask {
  const known = new Map<string, string>();
  return async (question, path) => {
    const key = question + path;
    let answer = known.get(key);
    if (answer === undefined) {
      const said =
        question === 'r'
          ? await tree.read(path)
          : question === 'l'
            ? await tree.list(path)
            : tree.executable?.(path);
      answer = digest(said);
      known.set(key, answer);
    }
    return answer;
  };
}

/** Whether a source says what it said. */
export async function saysTheSame({ reads }: SourceReads, ask: Ask): Promise<boolean> {
  for (const [question, path, answer] of reads) if ((await ask(question, path)) !== answer) return false;
  return true;
}

function digest(said: unknown): string {
  if (said === undefined) return '';
  if (said instanceof Uint8Array) return sha256(said);
  return typeof said === 'object' ? sha256(Buffer.from(JSON.stringify(said))) : String(said);
}
