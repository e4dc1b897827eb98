import type { TargetSpec } from '../../generated/types/target.ts';
import type { Compiling } from '../../session/world.ts';
import { itemEndings } from '../../spec/item-places.ts';
import { sharedDir } from '../../text/places.ts';
import type { Known } from '../open/known-specs.ts';
import { type FoundFile, type FoundFiles, findFiles } from './find-files.ts';
import { roleFinder } from './roles.ts';
import { toolsInUse } from './tools.ts';

/** What tools have in a project. */
export interface FoundProject {
  readonly found: FoundFiles;
  /** The tools in use, in the order in which tools are proposed. */
  readonly used: readonly TargetSpec[];
  /** Paths of what instructs them, sorted. */
  readonly taken: readonly string[];
}

/** Looks for the files of every known tool; globs narrow them. */
export function findProject(
  root: string,
  { specs, universalDir }: Pick<Known, 'specs' | 'universalDir'>,
  only: readonly string[],
  context: Compiling,
): FoundProject {
  const dir = sharedDir(universalDir);
  const found = findFiles(root, roleFinder(specs, dir), itemEndings(specs), only, context);
  const taken = [...found.files.filter(instructs), ...found.skills].map(({ path }) => path).sort();
  return { found, used: toolsInUse(found, specs), taken };
}

/** Settings instruct nobody: a compile changes its own keys in them, and there is nothing to decide. */
const instructs = ({ roles }: FoundFile): boolean =>
  roles.some(
    role =>
      role.kind === 'main' ||
      (role.kind === 'item' && role.file?.of !== 'hooks' && role.file?.of !== 'mcpServers'),
  );
