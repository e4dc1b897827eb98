import type { TargetSpec } from '../../generated/types/target.ts';
import { mainReaders } from './documents.ts';
import { isNestedMain, type Role } from './roles.ts';
import type { FoundFile, FoundFiles } from './scan.ts';

/**
 * The tools in use: those with files that are nobody else's. For files that several tools have, further ones are named
 * only as far as no tool in use reads them: each time the one that reads the most of what is left.
 */
export function toolsInUse(
  { files, skills }: Pick<FoundFiles, 'files' | 'skills'>,
  specs: readonly TargetSpec[],
): TargetSpec[] {
  const used = new Set<TargetSpec>();
  let left: FoundFile[] = [];
  for (const file of [...files, ...skills]) {
    const owners = ownersOf(file.roles);
    const [owner] = owners;
    if (owners.size === 1 && !isNested(file)) used.add(owner!);
    // A file that tools read although it is nobody's says nothing of which tool is in use.
    else if (owners.size > 0 || isNested(file)) left.push(file);
  }
  const mains = files.filter(isMain).map(({ path }) => ({ path, bytes: new Uint8Array() }));
  const mainReadersOf = mainReaders(mains, specs);
  const readers = new Map(
    left.map(file => [file, new Set(isMain(file) ? mainReadersOf(file.path) : ownersOf(file.roles))]),
  );
  const covers = (spec: TargetSpec) => left.filter(file => readers.get(file)!.has(spec)).length;
  left = left.filter(file => ![...used].some(spec => readers.get(file)!.has(spec)));
  while (left.length > 0) {
    // An open format before any tool: nothing tells which one it is. Then main files before all else; among equals the
    // open format again, and of those with a main file the tool that writes least beside it.
    const [best] = specs
      .map(spec => ({
        spec,
        main: mainsOf(spec, left, readers),
        named: namedOf(spec, left),
        count: covers(spec),
      }))
      .filter(({ count }) => count > 0)
      .sort(
        (a, b) =>
          openness(b) - openness(a) ||
          b.main - a.main ||
          b.named - a.named ||
          b.count - a.count ||
          Number(b.spec.open ?? false) - Number(a.spec.open ?? false) ||
          // Of a settings file that several tools have nothing tells more than the order in which tools are proposed.
          (a.main > 0 ? size(a.spec) - size(b.spec) : 0),
      );
    if (!best) break;
    used.add(best.spec);
    left = left.filter(file => !readers.get(file)!.has(best.spec));
  }
  return specs.filter(spec => used.has(spec));
}

const openness = ({ spec, main }: { readonly spec: TargetSpec; readonly main: number }): number =>
  spec.open && main > 0 ? 1 : 0;

const mainsOf = (
  spec: TargetSpec,
  files: readonly FoundFile[],
  readers: ReadonlyMap<FoundFile, ReadonlySet<TargetSpec>>,
): number =>
  files.filter(file => isMain(file) && owns(file.roles, spec) && readers.get(file)!.has(spec)).length;

/** Main files of folders that are called like the main file that the tool itself writes. */
function namedOf({ files: places }: TargetSpec, files: readonly FoundFile[]): number {
  const names = Object.values(places).flatMap(file =>
    file.kind === 'document' && file.of === 'instructions' ? [lastOf(file.path)] : [],
  );
  return files.filter(file => isMain(file) && names.includes(lastOf(file.path))).length;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const ownersOf = (roles: readonly Role[]): ReadonlySet<TargetSpec> =>
  new Set(roles.filter(({ own }) => own).map(({ spec }) => spec));

const isMain = ({ roles }: FoundFile): boolean => roles.some(({ kind }) => kind === 'main');

const isNested = ({ roles }: FoundFile): boolean => isNestedMain(roles);

const owns = (roles: readonly Role[], spec: TargetSpec): boolean =>
  roles.some(role => role.spec === spec && (role.own || (role.kind === 'main' && role.folder !== '')));

const size = (spec: TargetSpec): number => Object.keys(spec.files).length;
