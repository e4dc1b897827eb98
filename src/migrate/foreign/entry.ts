import type { Data } from '../../model/model.ts';
import type { UseDeclaration } from '../../syntax/ast.ts';
import { block, documentOf, field, item, str, use, value } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { isObject } from '../../text/data.ts';
import { entryField, metaBlock } from '../import/document.ts';
import { type PortablePermission, permissionLists } from './permissions.ts';

/** A reference of an entry to a file below `.instr/`. */
export interface SourceReference {
  readonly path: string;
  readonly targets?: readonly string[];
}

export interface EntryParts {
  readonly hooks?: readonly (readonly [string, Data])[];
  readonly permissions?: readonly PortablePermission[];
  readonly ignored?: readonly string[];
  /** Entries of further blocks, by block and name. */
  readonly items?: ReadonlyMap<string, ReadonlyMap<string, Data>>;
}

/** The text of a source: references, then blocks. `from` is its folder below `.instr/`. */
export function entryText(
  id: string,
  references: readonly SourceReference[],
  parts: EntryParts,
  from = '',
): string {
  const { hooks = [], permissions = [], ignored = [], items = new Map() } = parts;
  const fieldOf = ([key, data]: readonly [string, Data]) =>
    isObject(data) ? entryField(key, Object.entries(data)) : field(key, value(data));
  const lists = permissionLists(permissions).map(([key, list]) => field(key, value(list)));
  const patterns = ignored.map(pattern => item(str(pattern)));
  const further = [...items].map(([name, entries]) => block(name, [...entries].map(fieldOf)));
  return printDocument(
    documentOf([
      metaBlock(id),
      ...references.map(one => useOf(one, from)),
      ...further,
      ...(hooks.length > 0 ? [block('hooks', hooks.map(fieldOf))] : []),
      ...(lists.length > 0 ? [block('permissions', lists)] : []),
      ...(ignored.length > 0 ? [block('ignore', patterns)] : []),
    ]),
  );
}

/** The reference to a file from a source in a folder below `.instr/`; the default is that of the entry. */
export function useOf({ path, targets }: SourceReference, from = ''): UseDeclaration {
  const below = path.replace(/^\.instr\//, '');
  const written =
    from === '' ? `./${below}` : below.startsWith(from) ? `./${below.slice(from.length)}` : `../${below}`;
  return use(written, targets ? { targets } : {});
}
