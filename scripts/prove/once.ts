/** Counts the copies of the main text that each client sends, for every subset of some targets with the layout `once`. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Client } from './client.ts';
import type { Captured } from './endpoint/server.ts';
import { compiledTexts, countOf, judge, mainWords, textOf, wholeScene } from './features.ts';
import type { Installed } from './install.ts';
import { type Counted, reportCounted } from './report.ts';
import { layProject, runScene, type Scene, type Seen } from './scene.ts';

/** Every non-empty subset, in a fixed order. */
export function subsets(targets: readonly string[]): string[][] {
  return Array.from({ length: 2 ** targets.length - 1 }, (_, bits) =>
    targets.filter((_, at) => ((bits + 1) & (1 << at)) !== 0),
  );
}

/**
 * Compiles every subset, runs its clients, and counts. For single targets, pairs and the full set, the model uses
 * everything that the project offers, so that rules, skills, agents, hooks and servers are counted too. For the other
 * subsets, a client only runs if the main files differ from those of all earlier subsets.
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
    const allFeatures = subset.length <= 2 || subset.length === targets.length;
    const project = join(folder, 'once/project');
    layProject(project, sceneOf(runnable[0]!.client, subset, allFeatures), 'http://127.0.0.1:1');
    const key = mainFilesKey(project);
    for (const { client, installed } of runnable) {
      const id = `${client.id} ${key}`;
      let copies = allFeatures ? undefined : known.get(id);
      if (!copies) {
        const place = join(folder, client.id, 'once');
        copies = countIn(
          client,
          await runScene(client, installed, sceneOf(client, subset, allFeatures), place),
          allFeatures,
        );
        known.set(id, copies);
        tell(reportCounted({ targets: subset, client: client.id, ...copies }));
      }
      counted.push({ targets: subset, client: client.id, ...copies });
    }
  }
  return counted;
}

const sceneOf = (client: Client, targets: readonly string[], allFeatures: boolean): Scene =>
  wholeScene(client, { name: 'once', targets, layout: 'once', ...(allFeatures ? {} : { steps: [] }) });

function countIn(client: Client, seen: Seen, allFeatures: boolean): Omit<Counted, 'targets' | 'client'> {
  const text = textOf(conversationOf(seen.main));
  const counts = mainWords.map(word => countOf(text, word));
  const results = Object.entries(allFeatures ? judge(client, seen) : {});
  const repeated = results
    .filter(([name, result]) => name !== 'instructions' && (result === 'repeated' || result === 'always'))
    .map(([name, result]) => (result === 'always' ? `${name} always` : name));
  return { least: Math.min(...counts), most: Math.max(...counts), repeated };
}

/**
 * The first request of the conversation itself. If the scene has no steps, only the offered tools distinguish it from a
 * request for a title, which has none.
 */
export const conversationOf = (main: readonly Captured[]): Captured | undefined =>
  main.find(({ asked }) => (asked?.tools.length ?? 0) > 0) ?? main[0];

/** A key for the main files of a project. Projects with equal keys give every client the same main text. */
function mainFilesKey(project: string): string {
  const hash = createHash('sha256');
  for (const [path, text] of compiledTexts(project))
    if (/zqmain|^@/m.test(text)) hash.update(`${path}\0${text}\0`);
  return hash.digest('hex');
}
