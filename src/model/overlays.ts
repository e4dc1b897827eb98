import { isPortable, portableName } from '../resolve/catalogue.ts';
import type { Node, ObjectNode } from '../resolve/program.ts';
import { appliesToWholeEntry, isExcluded, overlaysIn, setOverlaid } from '../resolve/sealed.ts';
import type { Data, Fields, Item, ItemOrigins, ValueSource } from './model.ts';
import { pathSegment } from './origin.ts';
import { fieldData } from './typed.ts';

/** The changes of an entry for a single tool. */
export interface Overlay {
  /** The field that contains it, and the name of the tool. */
  readonly at: readonly [string, string];
  /** The entry as the tool gets it. */
  readonly node: ObjectNode;
  /** Keys that are not fields of the language. They belong to the tool and are written unchanged. */
  readonly native: ReadonlyMap<string, Data>;
  readonly fields: Fields;
}

/** An entry split into the part for all tools, its overlays, and the names of excluded tools. */
export interface SplitEntry {
  readonly base: Node;
  readonly overlays: readonly Overlay[];
  readonly leftOut: readonly string[];
}

/** Splits an entry into the part for all tools and the overlays for single ones. */
export function splitOverlays(block: string, node: Node): SplitEntry {
  const holders = node.kind === 'object' ? overlaysIn(block, node) : [];
  if (node.kind !== 'object' || holders.length === 0) return { base: node, overlays: [], leftOut: [] };
  const fields = new Map(node.fields);
  for (const [holder] of holders) fields.delete(holder);
  const base = { ...node, fields };
  const overlays: Overlay[] = [];
  const leftOut: string[] = [];
  for (const [holder, { fields: members }] of holders)
    for (const [tool, changes] of members) {
      if (changes.kind === 'object') overlays.push(overlayOf(block, base, [holder, tool], changes));
      else if (isExcluded(changes)) leftOut.push(tool);
    }
  return { base, overlays, leftOut };
}

function overlayOf(block: string, base: ObjectNode, at: Overlay['at'], changes: ObjectNode): Overlay {
  const fields = new Map(base.fields);
  const native = new Map<string, Data>();
  const changed = new Map<string, Data>();
  for (const [field, value] of changes.fields) {
    if (appliesToWholeEntry(block, field, value)) continue;
    const name = portableName(block, field);
    if (!isPortable(block, name)) {
      native.set(field, fieldData(block, field, value));
      // `null` also removes a common field with that key.
      if (value.kind === 'scalar' && value.value === null) fields.delete(field);
      continue;
    }
    changed.set(name, fieldData(block, field, value));
    setOverlaid(block, fields, field, value);
  }
  return { at, node: { ...base, fields }, native, fields: changed };
}

/** Origins of an overlaid item: fields that the overlay changes get their path in the overlay. */
export function overlaidOrigins(origins: ItemOrigins, item: Item, { at, fields }: Overlay): ItemOrigins {
  const below = [item.path, ...at.map(pathSegment)].join('.');
  const moved = (sourced: ValueSource): ValueSource => {
    const field = sourced.path.slice(item.path.length + 1).split(/[.[]/, 1)[0]!;
    const isChanged = sourced.path.startsWith(`${item.path}.`) && fields.has(field);
    return isChanged ? { ...sourced, path: `${below}.${sourced.path.slice(item.path.length + 1)}` } : sourced;
  };
  return {
    ...origins,
    fields: new Map([...origins.fields].map(([field, made]) => [field, made.map(moved)])),
  };
}
