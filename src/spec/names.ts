import type { TargetSpec } from '../generated/types/target.ts';

type Named = Pick<TargetSpec, 'id' | 'label' | 'title' | 'aliases'>;

/** What two spellings of one name have in common: letter case, blanks and punctuation do not count. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '');

const titleAsName = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

/** Every name that a tool is found by, the id first, none that is only another spelling of one before it. */
export function namesOf({ id, label, title, aliases }: Named): string[] {
  const names = [id, ...(label === undefined ? [] : [label]), titleAsName(title), ...(aliases ?? [])];
  const seen = new Set<string>();
  return names.filter(name => !seen.has(plainName(name)) && seen.add(plainName(name)));
}

/** Whether a name written by a person means this tool. */
export function isNameOf(name: string, spec: Named): boolean {
  if (name === spec.id) return true;
  const plain = plainName(name);
  return plain !== '' && namesOf(spec).some(own => plainName(own) === plain);
}

/** The order in which tools are proposed, and asked about a file that several have: open formats, then labels. */
export function byRank(a: RankedSpec, b: RankedSpec): number {
  const rank = ({ open, label, id }: RankedSpec) => `${open ? '' : (label ?? '~')} ${id}`;
  return rank(a) < rank(b) ? -1 : 1;
}

type RankedSpec = Pick<TargetSpec, 'id' | 'label' | 'open'>;
