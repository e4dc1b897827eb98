import type { CodeLens, Range } from 'vscode-languageserver';
import { linesBySource } from '../project/explain/explain-line.ts';
import { canonicalBlock, findBlock } from '../resolve/catalogue.ts';
import { printNodePath } from '../resolve/path.ts';
import type { Unit } from '../resolve/program.ts';
import type { Compiled, EditedProject } from './project.ts';
import { fileStart, lineStart, toRange, type UriOf } from './protocol.ts';
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
        const section = { path: block, range: toRange(declaration.nameSpan) };
        if (!findBlock(block)?.entry) return [section];
        const entries = declaration.body.items.flatMap(item =>
          item.kind === 'field'
            ? [{ path: printNodePath([block, item.key]), range: toRange(item.keySpan) }]
            : [],
        );
        return [section, ...entries];
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
function itemPath(block: string, file: string, name: string, { items }: Compiled['model']): string {
  const inBlock = Object.values(items)
    .flat()
    .filter(({ path }) => path.startsWith(`${block}.`));
  const item =
    inBlock.find(({ origin }) => origin === file) ?? inBlock.find(candidate => candidate.name === name);
  return item?.path ?? printNodePath([block, name]);
}

/** Lenses in an output file: the source of each group of lines, above it. */
export async function originLenses(
  name: string,
  text: string,
  project: EditedProject,
  uriOf: UriOf,
): Promise<CodeLens[]> {
  const output = await project.traced(name);
  const groups = output ? await linesBySource(output, text) : [];
  return groups.map(({ from, entry: { file = '', line } }) => ({
    range: lineStart(from - 1),
    command: {
      title: `generated from ${file}:${line}`,
      command: commands.open,
      arguments: [uriOf(file), line],
    },
  }));
}
