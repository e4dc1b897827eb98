/** Compares the prediction of `prs view` with the requests of a client, byte for byte. */
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Reads, TargetSpec } from '../../src/generated/types/target.ts';
import { alternatives, readablePaths } from '../../src/spec/reads.ts';
import { mainFile } from '../docs/tools.ts';
import type { Client } from './client.ts';
import { countOf, stepsOf, textOf } from './features.ts';
import type { Installed } from './install.ts';
import type { ViewRow } from './report.ts';
import { prs, runScene, type Scene, type Seen } from './scene.ts';

/** One arrangement of files in a project. */
export interface ViewLayout {
  readonly scene: Scene;
  /** Additional arguments of `prs view`. */
  readonly asked: readonly string[];
}

export interface Part {
  readonly path: string;
  readonly text: string;
  readonly importedBy?: string;
}

/** The layouts to compare; none if the tool has no main file. */
export function viewLayouts(client: Client, spec: TargetSpec): ViewLayout[] {
  const main = mainFile(spec);
  const { reads } = spec;
  if (main === undefined || !reads) return [];
  const scene = (name: string, extra: Partial<Scene> = {}): Scene => ({
    name: `view-${name}`,
    targets: [client.id],
    prompt: 'Say that zqprompt is there.',
    mark: 'zqprompt',
    steps: [],
    ...extra,
  });
  const nested = nestedFiles(reads);
  const read = stepsOf(client).filter(({ name }) => name === 'api');
  return [
    { scene: scene('root'), asked: [] },
    { scene: scene('nested', { files: nested, at: 'packages/api' }), asked: ['--at', 'packages/api'] },
    { scene: scene('read', { files: nested, steps: read }), asked: ['--file', 'packages/api/handler.ts'] },
    { scene: scene('others', { finish: project => addOthers(project, reads) }), asked: [] },
    { scene: scene('links', { finish: project => moveBehindLink(project, main) }), asked: [] },
    { scene: scene('other-links', { finish: project => linkOthers(project, reads) }), asked: [] },
    { scene: scene('imports', { files: imported, prepare: addImport }), asked: [] },
    { scene: scene('limits', { prepare: addLines }), asked: [] },
  ];
}

/** Handwritten main files in folders below the root, each with its own marker word. */
function nestedFiles(reads: Reads): Record<string, string> {
  const names = (reads.nested?.files ?? reads.files)
    .flatMap(alternatives)
    .filter(name => !name.includes('/'));
  return Object.fromEntries(
    ['packages', 'packages/api'].flatMap((folder, level) =>
      names.map((name, index) => [
        `${folder}/${name}`,
        `# Lamps\n\nOf the folder zqmainnested${level}${index}x.\n`,
      ]),
    ),
  );
}

/** Adds handwritten main files of other tools at the root, unless compile wrote them. Returns the added paths. */
function addOthers(project: string, reads: Reads): string[] {
  return [...readablePaths(reads).entries()].flatMap(([index, path]) => {
    const file = join(project, path);
    if (existsSync(file)) return [];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `# Lamps\n\nOf others zqmainother${index}x.\n`);
    return [path];
  });
}

/** Adds the same files, each behind a symbolic link. */
function linkOthers(project: string, reads: Reads): void {
  for (const [index, path] of addOthers(project, reads).entries())
    moveBehindLink(project, path, `texts/other-${index}.md`);
}

function moveBehindLink(project: string, path: string, to = 'texts/lamps.md'): void {
  mkdirSync(join(project, dirname(to)), { recursive: true });
  renameSync(join(project, path), join(project, to));
  const up = dirname(path) === '.' ? '' : '../'.repeat(dirname(path).split('/').length);
  symlinkSync(`${up}${to}`, join(project, path));
}

const imported = {
  'docs/style.md': '# Style\n\nLamps zqmainstyle are round.\n\n@deep.md\n',
  'docs/deep.md': 'A deep lamp zqmaindeep shines.\n',
};

const edit = (project: string, change: (text: string) => string) => {
  const path = join(project, '.instr/project.prs');
  writeFileSync(path, change(readFileSync(path, 'utf8')));
};

const knowledge = 'Lamps have zqmainknowledge numbers.';

function addImport(project: string): void {
  edit(project, text =>
    text.replace(knowledge, `${knowledge}\n\n  @docs/style.md\n\n  In code \`@docs/deep.md\` is a name.`),
  );
}

/** Adds about 100 KB of distinct lines. */
function addLines(project: string): void {
  const lines = Array.from(
    { length: 1500 },
    (_, at) => `  Lamp ${at} zqmainline${at}x stands in a room with a number.`,
  );
  edit(project, text => text.replace(knowledge, `${knowledge}\n\n${lines.join('\n')}`));
}

/**
 * Characters before a cut that may be missing, because text that the client adds, such as absolute paths, counts towards
 * its limit.
 */
const frame = 300;

const wordsOf = (text: string): string[] => [...text.matchAll(/zqmain\w+/g)].map(([word]) => word);

/** Differences between the prediction and the last request; empty if they agree. */
export function compareView(client: Client, { asked }: ViewLayout, seen: Seen): string[] {
  const answer = JSON.parse(prs(seen.project, 'view', '--as', client.id, '--json', ...asked)) as {
    view: { parts: readonly Part[]; cut?: { readonly path: string } };
  };
  const { cut } = answer.view;
  const all = answer.view.parts;
  const parts = all.map(part =>
    part.path === cut?.path ? { ...part, text: part.text.slice(0, -frame) } : part,
  );
  const open = new Set(
    wordsOf(
      all
        .filter(({ path }) => path === cut?.path)
        .map(({ text }) => text.slice(-frame - 40))
        .join('\n'),
    ),
  );
  const sent = withoutSummaries(client, textOf(seen.main.at(-1)));
  if (sent === '') return ['nothing was sent'];
  const problems = parts.flatMap(part => {
    const missing = piecesOf(part, parts).find(piece => !sent.includes(piece));
    return missing === undefined
      ? []
      : [`${part.path} was not sent as it is, from ${JSON.stringify(missing.slice(0, 60))}`];
  });
  const starts = parts
    .filter(({ importedBy }) => importedBy === undefined)
    .map(part => sent.indexOf(piecesOf(part, parts)[0] ?? ''));
  if (starts.some((at, index) => index > 0 && at < starts[index - 1]!)) problems.push('the order differs');
  return [...problems, ...countWords(parts, sent, seen.project, open)];
}

const withoutSummaries = ({ summaries = [] }: Client, text: string): string =>
  summaries.reduce((left, pattern) => left.replace(new RegExp(pattern, 'g'), ''), text);

/**
 * The pieces of a text between its import lines, which the imported text replaces. Front matter and surrounding white
 * space are removed, because only some clients send them.
 */
export function piecesOf(part: Part, parts: readonly Part[]): string[] {
  const imports = parts.filter(({ importedBy }) => importedBy === part.path).map(({ path }) => path);
  const lines = part.text.replace(/^---\n[\s\S]*?\n---\n/, '').split('\n');
  const isImport = (line: string) =>
    imports.some(
      path => line.trim() === `@${path.slice(path.lastIndexOf('/') + 1)}` || line.trim() === `@${path}`,
    );
  const pieces = lines.reduce<string[][]>(
    (all, line) => {
      if (isImport(line)) all.push([]);
      else all.at(-1)!.push(line);
      return all;
    },
    [[]],
  );
  return pieces.map(piece => piece.join('\n').trim()).filter(Boolean);
}

/** Reports marker words of main documents that were not sent as often as predicted. */
function countWords(
  parts: readonly Part[],
  sent: string,
  project: string,
  open: ReadonlySet<string>,
): string[] {
  const predicted = parts.map(({ text }) => text).join('\n');
  const known = new Set(wordsOf(`${predicted}\n${sent}\n${allTexts(project)}`));
  const wrong = [...known].filter(
    word => !open.has(word) && countOf(sent, word) !== countOf(predicted, word),
  );
  if (wrong.length === 0) return [];
  const [word = ''] = wrong;
  const others = wrong.length > 1 ? `, and ${wrong.length - 1} more words` : '';
  return [`${word} was sent ${countOf(sent, word)} times instead of ${countOf(predicted, word)}${others}`];
}

const allTexts = (project: string): string =>
  Object.keys(imported)
    .map(path => {
      try {
        return readFileSync(join(project, path), 'utf8');
      } catch {
        return '';
      }
    })
    .join('\n');

/** Runs the client in a layout and compares the result with the prediction. */
export async function proveView(
  client: Client,
  installed: Installed,
  layout: ViewLayout,
  folder: string,
): Promise<ViewRow> {
  const { name } = layout.scene;
  const seen = await runScene(client, installed, layout.scene, join(folder, name));
  writeFileSync(join(folder, name, 'captured.json'), JSON.stringify(seen, null, 1));
  return {
    client: client.client,
    layout: name.replace('view-', ''),
    problems: compareView(client, layout, seen),
  };
}
