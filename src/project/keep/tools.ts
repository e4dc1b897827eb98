import type { TargetSpec } from '../../generated/types/target.ts';
import { readersOf } from './documents.ts';
import type { FoundFile, FoundFiles } from './find-files.ts';
import type { Role } from './roles.ts';

/**
 * The tools in use: those with files that are nobody else's. A file that several tools have names one of them only when
 * no tool in use reads it.
 */
export function toolsInUse({ files, skills }: FoundFiles, specs: readonly TargetSpec[]): TargetSpec[] {
  const used = new Set<TargetSpec>();
  const shared: FoundFile[] = [];
  for (const file of [...files, ...skills]) {
    const owners = new Set(file.roles.filter(({ own }) => own).map(({ spec }) => spec));
    if (owners.size === 1) for (const owner of owners) used.add(owner);
    else shared.push(file);
  }
  const mains = files.filter(isRootMain).map(({ path }) => ({ path, bytes: new Uint8Array() }));
  const covered = (file: FoundFile) =>
    isRootMain(file)
      ? readersOf(file.path, mains, [...used]).length > 0
      : file.roles.some(({ spec }) => used.has(spec));
  // Main files first: whoever reads them may have the rest as well.
  const rank = (file: FoundFile) => (isRootMain(file) ? 0 : 1);
  for (const file of [...shared].sort((a, b) => rank(a) - rank(b))) {
    if (covered(file)) continue;
    const candidates = isRootMain(file)
      ? readersOf(file.path, mains, specs).sort(byOwn(file))
      : file.roles.filter(({ own }) => own).map(({ spec }) => spec);
    const [first] = candidates.sort((a, b) => size(a) - size(b));
    if (first) used.add(first);
  }
  return specs.filter(spec => used.has(spec));
}

const isRootMain = ({ roles }: FoundFile): boolean =>
  roles.some((role: Role) => role.kind === 'main' && role.folder === '');

/** The tool whose own file it is, before those that only read it. */
const byOwn =
  ({ roles }: FoundFile) =>
  (a: TargetSpec, b: TargetSpec): number =>
    Number(owns(roles, b)) - Number(owns(roles, a));

const owns = (roles: readonly Role[], spec: TargetSpec): boolean =>
  roles.some(role => role.spec === spec && role.own);

/** The one that writes least beside the file: whoever reads it, what is in it reaches them. */
const size = (spec: TargetSpec): number => Object.keys(spec.files).length;
