import type { Program } from '../resolve/program.ts';
import type { Body, ErrorNode, ObjectValue } from '../syntax/ast.ts';
import type { Source, Span } from '../text/source.ts';
import { bodyOf, sourceUnits } from './documents.ts';

/**
 * Whether a place belongs to something that was only read in part, because of a mistake that was reported already:
 * what an entry or a block seems to lack may stand in the part that was not understood.
 */
export function findBroken(program: Program): (span: Span | undefined) => boolean {
  const ranges = new Map<Source, { readonly start: number; readonly end: number }[]>();
  for (const { document } of sourceUnits(program)) {
    const found: Span[] = [];
    for (const declaration of document.declarations) {
      const body = bodyOf(declaration);
      if (!body) continue;
      // The name of the block, not its other items.
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
