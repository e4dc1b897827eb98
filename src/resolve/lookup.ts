import { type Draft, fieldOf, type NodeDraft } from './draft.ts';

/** How far a path exists in a draft: a missing segment with the names that stand there instead. */
export type Lookup =
  | { readonly found: true; readonly node: NodeDraft | undefined }
  | {
      readonly found: false;
      readonly missing: string;
      readonly below: string;
      readonly siblings: readonly string[];
    };

/** Follows block and field names; the node is `undefined` for a whole block. */
export function lookUp(draft: Draft, names: readonly string[]): Lookup {
  const [blockName, ...rest] = names;
  const block = draft.blocks.get(blockName!);
  if (!block) return { found: false, missing: blockName!, below: '', siblings: [...draft.blocks.keys()] };
  let node: NodeDraft | undefined;
  const walked = [blockName!];
  for (const name of rest) {
    const fields: NodeDraft | undefined = node;
    const next: NodeDraft | undefined =
      walked.length === 1
        ? fieldOf(block, name)
        : fields?.kind === 'object'
          ? fields.fields.get(name)
          : undefined;
    if (!next) {
      const siblings =
        walked.length === 1
          ? [...block.places.keys()]
          : fields?.kind === 'object'
            ? [...fields.fields.keys()]
            : [];
      return { found: false, missing: name, below: walked.join('.'), siblings };
    }
    node = next;
    walked.push(name);
  }
  return { found: true, node };
}
