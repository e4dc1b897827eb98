import { fill } from '../kinds/paths.ts';
import type { TargetRequest } from '../kinds/request.ts';
import { plainPath } from '../text/paths.ts';

/** The folder of skills, or of agents, in the universal directory. */
export const universalFolder = (universalDir: string, of: 'skills' | 'agents' = 'skills'): string =>
  `${universalDir === '' ? '' : `${plainPath(universalDir)}/`}${of}`;

/** The folder that an entry of a spec puts skills into. */
export const filledDir = (dir: string, request: TargetRequest, universalDir: string): string =>
  request.skillBaseDir ??
  plainPath(fill(dir, request).replaceAll('{universal}', universalDir === '' ? '.' : universalDir));

/** Every folder in which a tool looks for skills, whatever of them its version writes. */
export const foldersOf = (request: TargetRequest, universalDir: string): readonly string[] => [
  ...Object.values(request.spec.files).flatMap(file =>
    file.kind === 'items' && file.of === 'skills' && file.dir !== undefined
      ? [filledDir(file.dir, request, universalDir)]
      : [],
  ),
  ...alsoRead(request),
];

/** Those of others. */
export const alsoRead = ({ spec }: TargetRequest): readonly string[] => spec.reads?.also?.skills ?? [];
