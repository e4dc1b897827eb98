/** Reads the built-in specs as the program sees them: from targets/, expanded with conventions/. */
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { TargetSpec } from '../src/generated/types/target.ts';
import { expandSpec } from '../src/spec/expand.ts';
import type { ReportProblem, SharedParts } from '../src/spec/shared-parts.ts';
import { namesIn } from './files.ts';

/** The parts in conventions/ that all specs share. */
export function readSharedParts(root: string): SharedParts {
  const yaml = (name: string) => parse(readFileSync(join(root, `conventions/${name}.yaml`), 'utf8'));
  const [files, rows, options] = [yaml('files'), yaml('rows'), yaml('options')];
  return { files, ...rows, options, versions: yaml('versions'), programs: yaml('programs') };
}

/** Parses and expands the text of a spec. An unknown name in it is an error. */
export function readSpecText(text: string, file: string, shared: SharedParts): TargetSpec {
  const fault: ReportProblem = (path, problem, hint) => {
    throw new Error(`${file}: ${path.join('.')}: ${problem}. ${hint}`);
  };
  return expandSpec(parse(text), shared, fault, basename(file, '.yaml')) as TargetSpec;
}

/** All specs in the order of their ids. */
export function readSpecs(root: string): TargetSpec[] {
  const shared = readSharedParts(root);
  return namesIn(join(root, 'targets'), '.yaml').map(id => {
    const file = `targets/${id}.yaml`;
    return readSpecText(readFileSync(join(root, file), 'utf8'), file, shared);
  });
}
