import type { TargetSpec } from '../generated/types/target.ts';

type Named = Pick<TargetSpec, 'id' | 'label' | 'title' | 'aliases'>;

/** Normalizes a name for comparison: case, blanks and punctuation are ignored. */
export const normalizeName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '');

const titleAsName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** All names of a tool, the id first, without different spellings of the same name. */
export function namesOf({ id, label, title, aliases }: Named): string[] {
  const names = [id, ...(label === undefined ? [] : [label]), titleAsName(title), ...(aliases ?? [])];
  const seen = new Set<string>();
  return names.filter(name => !seen.has(normalizeName(name)) && seen.add(normalizeName(name)));
}

/** Whether a name that a user wrote refers to this tool. */
export function isNameOf(name: string, spec: Named): boolean {
  if (name === spec.id) return true;
  const plain = normalizeName(name);
  return plain !== '' && namesOf(spec).some(own => normalizeName(own) === plain);
}
