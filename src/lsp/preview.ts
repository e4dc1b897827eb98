import type { PlanEntry } from '../plan/plan.ts';
import { fewLines } from '../text/names.ts';
import type { EditedProject } from './project.ts';

/** Custom requests for clients that show outputs: `{ uri }` is any file of the project. */
export const requests = {
  /** The files that compile would write, as a list to choose from. */
  outputs: 'instr/outputs',
  /** One of them, `{ uri, path }`, with the source location of each line. */
  preview: 'instr/preview',
  /** How the files on disk differ from what compile would write. */
  drift: 'instr/drift',
} as const;

/** The maximum length of a list for a status bar. */
const mostListed = 20;

interface OutputName {
  readonly path: string;
  /** Names of the tools that read it. */
  readonly tools: readonly string[];
}

interface Preview {
  readonly text: string;
  readonly origins: readonly ({ readonly uri: string; readonly line: number } | null)[];
}

/** The content of a status bar: a word, details, and a command. */
interface Drift {
  readonly state: 'right' | 'stale' | 'stopped' | 'broken';
  readonly text: string;
  readonly detail: string;
}

/** The files that a project is compiled to, those for the most tools first. */
export async function outputsOf(project: EditedProject): Promise<readonly OutputName[]> {
  const planned = await project.planned(true);
  if (!planned) return [];
  const titles = new Map(planned.requests.map(({ spec }) => [spec.id, spec.title]));
  return planned.entries
    .filter(({ content }) => content !== undefined)
    .map(({ path, targets }) => ({ path, tools: targets.map(id => titles.get(id) ?? id) }))
    .sort((a, b) => b.tools.length - a.tools.length || (a.path < b.path ? -1 : 1));
}

/** An output as it would be written now; `undefined` while the sources have errors. */
export async function previewOf(project: EditedProject, path: string): Promise<Preview | undefined> {
  const planned = await project.planned(true);
  if (!planned || (planned.broken && planned.entries.length === 0)) return undefined;
  const content = planned.entries.find(entry => entry.path === path)?.content;
  if (!content) return { text: 'No enabled tool has this file.\n', origins: [] };
  const text = new TextDecoder().decode(content);
  const uriOf = await project.uris();
  const origins = await project.origins(path, text);
  return {
    text,
    origins: origins.map(one => (one?.file ? { uri: uriOf(one.file), line: (one.line ?? 1) - 1 } : null)),
  };
}

/** What a compile would find on the disk. */
export async function driftOf(project: EditedProject): Promise<Drift | undefined> {
  const planned = await project.planned(false);
  if (!planned) return undefined;
  const { entries, broken } = planned;
  if (broken && entries.length === 0)
    return { state: 'broken', text: 'errors', detail: 'The sources have errors: nothing is written.' };
  const stops = ({ state }: PlanEntry) => state === 'drifted' || state === 'conflict';
  const stopped = entries.filter(stops);
  const stale = entries.filter(entry => entry.action !== 'keep' && !stops(entry));
  const detail = list('Edited or not generated: compile stops here', stopped) + list('Compile writes', stale);
  if (stopped.length > 0) return { state: 'stopped', text: `${stopped.length} edited`, detail };
  if (stale.length > 0) return { state: 'stale', text: `${stale.length} to write`, detail };
  return { state: 'right', text: '', detail: 'All output files are up to date.' };
}

function list(title: string, entries: readonly PlanEntry[]): string {
  if (entries.length === 0) return '';
  const paths = entries.map(({ path }) => path);
  const lines = fewLines(paths, mostListed, rest => `and ${rest} more`);
  return `${title}:\n${lines.map(line => `- ${line}\n`).join('')}`;
}
