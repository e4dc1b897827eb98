/** How many copies of the main text each client is sent, for every subset of some targets under the layout `once`. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from './client.ts';
import { compiledTexts, countOf, mainWords, textOf } from './features.ts';
import type { Installed } from './install.ts';
import { layProject, runScene, type Scene } from './scene.ts';

/** One subset in which a client was started. */
export interface Counted {
  readonly targets: readonly string[];
  readonly client: string;
  /** The fewest and the most that a part of the main text was sent. */
  readonly least: number;
  readonly most: number;
}

/** Every non-empty subset, in a fixed order. */
export function subsets(targets: readonly string[]): string[][] {
  return Array.from({ length: 2 ** targets.length - 1 }, (_, bits) =>
    targets.filter((_, at) => ((bits + 1) & (1 << at)) !== 0),
  );
}

/**
 * Compiles every subset, starts the clients in it, and counts. Where the main files of a subset are those of another
 * one, a client is not started again.
 */
export async function countCopies(
  targets: readonly string[],
  clients: readonly { readonly client: Client; readonly installed: Installed }[],
  folder: string,
  tell: (line: string) => void,
): Promise<Counted[]> {
  const known = new Map<string, Omit<Counted, 'targets' | 'client'>>();
  const counted: Counted[] = [];
  for (const subset of subsets(targets)) {
    const runnable = clients.filter(({ client }) => subset.includes(client.id));
    if (runnable.length === 0) continue;
    const scene: Scene = {
      name: 'once',
      targets: subset,
      layout: 'once',
      prompt: 'Say that zqprompt is there.',
      mark: 'zqprompt',
      steps: [],
    };
    const project = join(folder, 'once/project');
    layProject(project, scene, 'http://127.0.0.1:1');
    const key = mainFilesKey(project);
    for (const { client, installed } of runnable) {
      const id = `${client.id} ${key}`;
      let copies = known.get(id);
      if (!copies) {
        const seen = await runScene(client, installed, scene, join(folder, client.id, 'once'));
        const sent = textOf(seen.main[0]);
        const counts = mainWords.map(word => countOf(sent, word));
        copies = { least: Math.min(...counts), most: Math.max(...counts) };
        known.set(id, copies);
        tell(`${client.client} in ${subset.join(', ')}: ${copies.least} to ${copies.most}`);
      }
      counted.push({ targets: subset, client: client.id, ...copies });
    }
  }
  return counted;
}

/** Two projects in which this is equal give every client the same main text. */
function mainFilesKey(project: string): string {
  const hash = createHash('sha256');
  for (const [path, text] of compiledTexts(project))
    if (/zqmain|^@/m.test(text)) hash.update(`${path}\0${text}\0`);
  return hash.digest('hex');
}
