/** How many copies of the main text each client is sent, for every subset of some targets under the layout `once`. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from './client.ts';
import type { Captured } from './endpoint/server.ts';
import { compiledTexts, countOf, judge, mainWords, textOf, wholeScene } from './features.ts';
import type { Installed } from './install.ts';
import { reportCounted } from './report.ts';
import { layProject, runScene, type Scene, type Seen } from './scene.ts';

/** One subset in which a client was started. */
export interface Counted {
  readonly targets: readonly string[];
  readonly client: string;
  /** The fewest and the most that a part of the main text was sent. */
  readonly least: number;
  readonly most: number;
  /** Other features that it received more often than once, or without their condition; looked at in pairs and in all. */
  readonly repeated: readonly string[];
}

/** Every non-empty subset, in a fixed order. */
export function subsets(targets: readonly string[]): string[][] {
  return Array.from({ length: 2 ** targets.length - 1 }, (_, bits) =>
    targets.filter((_, at) => ((bits + 1) & (1 << at)) !== 0),
  );
}

/**
 * Compiles every subset, starts the clients in it, and counts. In each target alone, in pairs and in all together the
 * model does everything that a project offers, so that rules, skills, agents, hooks and servers are counted too; in the
 * others a client is started only where the main files are not those of a subset before.
 */
export async function countCopies(
  targets: readonly string[],
  clients: readonly { readonly client: Client; readonly installed: Installed }[],
  folder: string,
  tell: (line: string) => void,
): Promise<Counted[]> {
  const known = new Map<string, Omit<Counted, 'targets' | 'client'>>();
  const counted: Counted[] = [];
  const all = subsets(targets).sort((one, other) => one.length - other.length);
  for (const subset of all) {
    const runnable = clients.filter(({ client }) => subset.includes(client.id));
    if (runnable.length === 0) continue;
    const whole = subset.length <= 2 || subset.length === targets.length;
    const project = join(folder, 'once/project');
    layProject(project, sceneOf(runnable[0]!.client, subset, whole), 'http://127.0.0.1:1');
    const key = mainFilesKey(project);
    for (const { client, installed } of runnable) {
      const id = `${client.id} ${key}`;
      let copies = whole ? undefined : known.get(id);
      if (!copies) {
        const place = join(folder, client.id, 'once');
        copies = countIn(
          client,
          await runScene(client, installed, sceneOf(client, subset, whole), place),
          whole,
        );
        known.set(id, copies);
        tell(reportCounted({ targets: subset, client: client.id, ...copies }));
      }
      counted.push({ targets: subset, client: client.id, ...copies });
    }
  }
  return counted;
}

const sceneOf = (client: Client, targets: readonly string[], whole: boolean): Scene =>
  wholeScene(client, { name: 'once', targets, layout: 'once', ...(whole ? {} : { steps: [] }) });

function countIn(client: Client, seen: Seen, whole: boolean): Omit<Counted, 'targets' | 'client'> {
  const text = textOf(conversationOf(seen.main));
  const counts = mainWords.map(word => countOf(text, word));
  const results = Object.entries(whole ? judge(client, seen) : {});
  const repeated = results
    .filter(([name, result]) => name !== 'instructions' && (result === 'repeated' || result === 'always'))
    .map(([name, result]) => (result === 'always' ? `${name} always` : name));
  return { least: Math.min(...counts), most: Math.max(...counts), repeated };
}

/**
 * The first request of the conversation itself. Where the model does nothing, what a client asks for a title is not told
 * from it by its steps, but by its tools: it is offered none.
 */
export const conversationOf = (main: readonly Captured[]): Captured | undefined =>
  main.find(({ asked }) => (asked?.tools.length ?? 0) > 0) ?? main[0];

/** Two projects in which this is equal give every client the same main text. */
function mainFilesKey(project: string): string {
  const hash = createHash('sha256');
  for (const [path, text] of compiledTexts(project))
    if (/zqmain|^@/m.test(text)) hash.update(`${path}\0${text}\0`);
  return hash.digest('hex');
}
