import type { Program } from '../resolve/program.ts';
import type { Body, ErrorNode, ObjectValue } from '../syntax/ast.ts';
import type { Source, Span } from '../text/source.ts';
import { bodyOf, sourceUnits } from './documents.ts';

/**
 * Returns whether a span is in something that was parsed only partly because of a reported error: what an
 * entry or block seems to lack may be in the part that was not parsed.
 */
export function incompleteSpanFinder(program: Program): (span: Span | undefined) => boolean {
  const ranges = new Map<Source, { readonly start: number; readonly end: number }[]>();
  for (const { document } of sourceUnits(program)) {
    const found: Span[] = [];
    for (const declaration of document.declarations) {
      const body = bodyOf(declaration);
      if (!body) continue;
      // Covers the name of the block, but not its valid items.
      if (hasErrors(body)) found.push({ ...declaration.span, end: body.span.start + 1 });
      for (const item of body.items) {
        if (item.kind === 'field' && item.value?.kind === 'object' && isBroken(item.value))
          found.push(item.span);
      }
    }
    if (found.length > 0) ranges.set(document.source, found);
  }
  return span =>
    span !== undefined &&
    (ranges.get(span.source)?.some(({ start, end }) => start <= span.start && span.start < end) ?? false);
}

const hasErrors = ({ errors }: Pick<Body, 'errors'>): boolean => errors?.some(isMistake) ?? false;

const isMistake = ({ kind }: ErrorNode): boolean => kind === 'error';

const isBroken = (value: ObjectValue): boolean =>
  hasErrors(value) || value.fields.some(field => field.value?.kind === 'object' && isBroken(field.value));
