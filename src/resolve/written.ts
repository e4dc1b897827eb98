import type { Declaration, Field, Reference, StringValue, Value } from '../syntax/ast.ts';

/** The key of a reference in `SourceUnit.references`: its path and version as written. */
export const writtenForm = ({ path, version }: Pick<Reference, 'path' | 'version'>): string =>
  version === undefined ? path : `${path}@${version}`;

/** Every `@inherit` and `@use` of a declaration, including those inside a body. */
export function referencesOf(declaration: Declaration): readonly Reference[] {
  if (declaration.kind === 'inherit' || declaration.kind === 'use') return [declaration.reference];
  const uses = declaration.body?.items.filter(item => item.kind === 'use') ?? [];
  return uses.map(({ reference }) => reference);
}

/**
 * The path of a referenced file in its skill: `./a/b.md` becomes `a/b.md`, and so does `../a/b.md` from
 * outside the skill.
 */
export function normalReference(written: string): string {
  const parts: string[] = [];
  for (const part of written.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/** Whether a declaration changes skills. */
export function declaresSkills(declaration: Declaration): boolean {
  if (declaration.kind === 'inherit' || declaration.kind === 'use') return false;
  if (declaration.kind === 'block') return declaration.name === 'skills';
  return declaration.path.segments.some(({ name }) => name === 'skills');
}

/** Every file that a `references` field in the skills of a declaration names, as written. */
export function skillReferencesOf(declaration: Declaration): readonly StringValue[] {
  if (declaration.kind === 'inherit' || declaration.kind === 'use' || !declaresSkills(declaration)) return [];
  const isReferences =
    declaration.kind !== 'block' && declaration.path.segments.at(-1)?.name === 'references';
  const found: StringValue[] = [];
  const take = (value: Value | undefined) => {
    for (const item of value?.kind === 'array' ? value.items : [value])
      if (item?.kind === 'string') found.push(item);
  };
  const search = (fields: readonly Field[], depth: number) => {
    for (const { key, value } of fields) {
      if (key === 'references') take(value);
      else if (value?.kind === 'object' && depth < 2) search(value.fields, depth + 1);
    }
  };
  if (declaration.kind === 'override' && isReferences) take(declaration.value);
  const items = declaration.body?.items ?? [];
  search(
    items.filter((item): item is Field => item.kind === 'field'),
    0,
  );
  if (isReferences) for (const item of items) if (item.kind === 'item') take(item.value);
  return found;
}
