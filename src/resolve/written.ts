import type { Declaration, Reference, UseDeclaration } from '../syntax/ast.ts';

/** The key of a reference in `SourceUnit.references`: its path and version as written. */
export const writtenForm = ({ path, version }: Pick<Reference, 'path' | 'version'>): string =>
  version === undefined ? path : `${path}@${version}`;

/** Every `@inherit` and `@use` of a declaration, those inside a body included. */
export function referencesOf(declaration: Declaration): readonly Reference[] {
  if (declaration.kind === 'inherit' || declaration.kind === 'use') return [declaration.reference];
  const items = declaration.body?.items ?? [];
  return items.filter((item): item is UseDeclaration => item.kind === 'use').map(item => item.reference);
}
