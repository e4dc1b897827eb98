interface Described<F> {
  readonly fields?: readonly F[] | undefined;
}

interface Block<F> extends Described<F> {
  readonly items?: readonly F[] | undefined;
  readonly entry?: { readonly fields: readonly F[] } | undefined;
}

/** Iterates over the catalogue: every block, followed by its fields and nested fields. */
export function* describedIn<F extends Described<F>, B extends Block<F>>(
  blocks: readonly B[],
): Iterable<B | F> {
  for (const block of blocks) {
    yield block;
    for (const field of [...(block.fields ?? []), ...(block.items ?? []), ...(block.entry?.fields ?? [])])
      yield* within(field);
  }
}

function* within<F extends Described<F>>(field: F): Iterable<F> {
  yield field;
  for (const inner of field.fields ?? []) yield* within(inner);
}
