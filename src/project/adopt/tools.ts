import type { TargetSpec } from '../../generated/types/target.ts';
import { nestedNames } from '../../spec/reads.ts';
import { nameOf } from '../../text/paths.ts';
import { mainReaders } from './documents.ts';
import { isNestedMain, type Role } from './roles.ts';
import type { FoundFiles } from './scan.ts';

/** A file that does not show which tool is in use. */
interface SharedFile {
  readonly name: string;
  readonly isMain: boolean;
  readonly owners: ReadonlySet<TargetSpec>;
  readonly readers: ReadonlySet<TargetSpec>;
}

/**
 * The tools in use: those with files that no other tool has. For files that several tools share, a further tool is
 * only added when no tool in use reads them; each time the tool that reads the most of the remaining files.
 */
export function toolsInUse({ files, skills }: FoundFiles, specs: readonly TargetSpec[]): TargetSpec[] {
  const isMain = (roles: readonly Role[]) => roles.some(({ kind }) => kind === 'main');
  const mains = files.filter(({ roles }) => isMain(roles));
  const mainReadersOf = mainReaders(
    mains.map(({ path }) => ({ path, text: '' })),
    specs,
  );
  const used = new Set<TargetSpec>();
  let left: SharedFile[] = [];
  for (const { path, roles } of [...files, ...skills]) {
    const isNested = isNestedMain(roles);
    const owners = specsOf(roles.filter(({ isOwn }) => isOwn));
    const [owner] = owners;
    // A fallback at the root is written as the shared main file; in a folder, only a file with a usual name is.
    const canKeep = ({ reads }: TargetSpec) =>
      !isNested || (reads && nestedNames(reads).includes(nameOf(path)));
    if (owners.size === 1 && !isNested) used.add(owner!);
    // A file that is read by tools other than its owner does not show which tool is in use.
    else if (owners.size > 0 || isNested)
      left.push({
        name: nameOf(path),
        isMain: isMain(roles),
        owners: specsOf(roles.filter(role => role.isOwn || (role.kind === 'main' && role.folder !== ''))),
        readers: isMain(roles) ? new Set(mainReadersOf(path).filter(canKeep)) : owners,
      });
  }
  left = left.filter(({ readers }) => ![...used].some(spec => readers.has(spec)));
  while (left.length > 0) {
    const able = specs.filter(spec => left.some(({ readers }) => readers.has(spec)));
    const ranked = able.map(spec => ({ spec, rank: rankOf(spec, left) }));
    const [best] = ranked.sort((a, b) => compareRanks(b.rank, a.rank));
    if (!best) break;
    used.add(best.spec);
    left = left.filter(({ readers }) => !readers.has(best.spec));
  }
  return specs.filter(spec => used.has(spec));
}

const specsOf = (roles: readonly Role[]): ReadonlySet<TargetSpec> => new Set(roles.map(({ spec }) => spec));

/**
 * The order of preference: an open format before a tool, because nothing shows which tool it is. Then tools by their
 * main files, those named after the tool first; among equals the open format again, then the tool that writes the
 * fewest other files. For a settings file, only the order of the target list decides.
 */
function rankOf(spec: TargetSpec, left: readonly SharedFile[]): readonly number[] {
  const { open = false, files } = spec;
  const names = Object.values(files).flatMap(file =>
    file.kind === 'document' && file.of === 'instructions' ? [nameOf(file.path)] : [],
  );
  const read = left.filter(({ readers }) => readers.has(spec));
  const mains = read.filter(({ isMain, owners }) => isMain && owners.has(spec)).length;
  const named = left.filter(({ isMain, name }) => isMain && names.includes(name)).length;
  const weight = mains > 0 ? -Object.keys(files).length : 0;
  return [Number(open && mains > 0), mains, named, read.length, Number(open), weight];
}

/** The first number that differs decides. */
const compareRanks = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((found, number, index) => found || number - b[index]!, 0);
