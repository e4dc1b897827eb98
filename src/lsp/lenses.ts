import type { CodeLens, Range } from 'vscode-languageserver';
import { sourcesPerLine } from '../project/explain/explain-line.ts';
import { canonicalBlock, findBlock } from '../resolve/catalogue.ts';
import { printNodePath } from '../resolve/path.ts';
import type { Unit } from '../resolve/program.ts';
import type { Compiled, EditedProject } from './project.ts';
import { fileStart, toRange, type UriOf } from './protocol.ts';
import { reachLine } from './reach.ts';

/** Commands of code lenses, which the server runs itself. */
export const commands = { reach: 'instr.reach', open: 'instr.open', absorb: 'instr.absorb' } as const;

/** Lenses above every entry and section: how many tools get it, and what they leave out. */
export function reachLenses(unit: Unit, uri: string, compiled: Compiled): CodeLens[] {
  return placesIn(unit, compiled).flatMap(({ path, range }) => {
    const title = reachLine(path, compiled);
    return title === undefined
      ? []
      : [{ range, command: { title, command: commands.reach, arguments: [uri, path] } }];
  });
}

function placesIn(unit: Unit, { model }: Compiled): { path: string; range: Range }[] {
  switch (unit.kind) {
    case 'source':
      return unit.document.declarations.flatMap(declaration => {
        if (declaration.kind !== 'block') return [];
        const block = canonicalBlock(declaration.name);
        const own = { path: block, range: toRange(declaration.nameSpan) };
        if (!findBlock(block)?.entry) return [own];
        const entries = declaration.body.items.flatMap(item =>
          item.kind === 'field'
            ? [{ path: printNodePath([block, item.key]), range: toRange(item.keySpan) }]
            : [],
        );
        return [own, ...entries];
      });
    case 'document': {
      const { name } = unit.source;
      return model.documents.flatMap(({ path, origin }) =>
        origin?.file === name ? [{ path, range: fileStart }] : [],
      );
    }
    case 'item':
      return [{ path: itemPath(unit.block, unit.source.name, unit.name, model), range: fileStart }];
    case 'skill':
      return [{ path: itemPath('skills', unit.source.name, unit.folder, model), range: fileStart }];
    default:
      return [];
  }
}

/** The path of the item of a Markdown file. */
function itemPath(block: string, file: string, name: string, model: Compiled['model']): string {
  const items = Object.values(model.items).flat();
  const found =
    items.find(({ origin, path }) => origin === file && path.startsWith(`${block}.`)) ??
    items.find(item => item.name === name && item.path.startsWith(`${block}.`));
  return found?.path ?? printNodePath([block, name]);
}

/** Lenses in an output file: the source of each group of lines, above it. */
export async function originLenses(
  name: string,
  text: string,
  project: EditedProject,
  uriOf: UriOf,
): Promise<CodeLens[]> {
  const origins = await originsOf(name, text, project);
  const lenses: CodeLens[] = [];
  let last = '';
  for (const [line, origin] of origins.entries()) {
    if (!origin?.file || `${origin.file}\n${origin.entry}` === last) continue;
    last = `${origin.file}\n${origin.entry}`;
    const at = { line, character: 0 };
    lenses.push({
      range: { start: at, end: at },
      command: {
        title: `generated from ${origin.file}:${origin.line}`,
        command: commands.open,
        arguments: [uriOf(origin.file), origin.line],
      },
    });
  }
  return lenses;
}

/** The source location that a line of a generated file came from. */
export interface LineOrigin {
  readonly file?: string | undefined;
  readonly line: number;
  readonly column: number;
  /** The entry or section that the line belongs to. */
  readonly entry: string;
}

/** The source location of each line of a generated file, where there is one. */
export async function originsOf(
  name: string,
  text: string,
  project: EditedProject,
): Promise<readonly (LineOrigin | undefined)[]> {
  const output = await project.traced(name);
  if (!output) return [];
  const found = await sourcesPerLine(output, text);
  return found.map(
    one =>
      one && {
        file: one.file,
        line: one.line ?? 1,
        column: one.column ?? 1,
        entry: /^[^.[]*(?:\.(?:"[^"]*"|[^.[]+))?/.exec(one.path)?.[0] ?? '',
      },
  );
}
