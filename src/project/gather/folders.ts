import type { ItemUnit } from '../../resolve/program.ts';
import { agentsPath, checksPath, commandsPath, isMarkdownPath, rulesPath } from '../../text/places.ts';

/** A folder whose Markdown files are entries of a block without being named. */
export interface FoundFolder {
  readonly path: string;
  readonly block: ItemUnit['block'];
  /** Folders in it are searched too. */
  readonly deep: boolean;
}

/** The folders whose Markdown files are entries of a block. */
export const foundFolders: readonly FoundFolder[] = [
  { path: rulesPath, block: 'guards', deep: true },
  { path: agentsPath, block: 'agents', deep: false },
  { path: commandsPath, block: 'shortcuts', deep: false },
  { path: checksPath, block: 'checks', deep: true },
];

/** What a file is by the folder of the project it lies in: `.instr/rules/api/style.md` is the rule `api-style`. */
export function foundIn(path: string): Pick<ItemUnit, 'block' | 'name'> | undefined {
  if (!isMarkdownPath(path)) return undefined;
  const folder = foundFolders.find(one => path.startsWith(`${one.path}/`));
  if (!folder) return undefined;
  const below = path.slice(folder.path.length + 1);
  if (!folder.deep && below.includes('/')) return undefined;
  return { block: folder.block, name: below.replace(/\.[^./]+$/, '').replaceAll('/', '-') };
}
