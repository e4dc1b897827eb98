import { fill } from '../kinds/paths.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { plainPath } from '../text/paths.ts';

/** The folder of skills, or of agents, in the universal directory. */
export const universalFolder = (universalDir: string, of: 'skills' | 'agents' = 'skills'): string =>
  `${universalDir === '' ? '' : `${plainPath(universalDir)}/`}${of}`;

/** Folders of other tools in which a tool looks for skills. */
export const foreignFolders = ({ spec }: TargetRequest): readonly string[] => spec.reads?.also?.skills ?? [];

/** Every folder in which a tool looks for skills, in any of its versions. */
export const skillFolders = (request: TargetRequest, universalDir: string): readonly string[] => [
  ...Object.keys(request.spec.files).flatMap(place => ownFolder(request, place, universalDir) ?? []),
  ...foreignFolders(request),
];

/** The folder of skills that an entry of the spec writes; `undefined` for an entry that writes something else. */
export function ownFolder(request: TargetRequest, place: string, universalDir: string): string | undefined {
  const file = request.spec.files[place];
  if (file?.kind !== 'items' || file.of !== 'skills' || file.dir === undefined) return undefined;
  const universal = universalDir === '' ? '.' : universalDir;
  return request.skillBaseDir ?? plainPath(fill(file.dir, request).replaceAll('{universal}', universal));
}
