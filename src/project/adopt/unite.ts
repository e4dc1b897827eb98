import type { TargetSpec } from '../../generated/types/target.ts';
import { type ToolFields, uniteFields } from '../../import/unite-fields.ts';
import { readWholeItem } from '../../kinds/items/read.ts';
import type { Data } from '../../model/model.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { type ItemFile, importedFields, sourceText } from './item-text.ts';
import type { ItemRole } from './roles.ts';

/**
 * Files of several tools that are one item with other fields, as one source: what only some of the tools have of it
 * stands below their names. `undefined` when their texts differ, or a tool has two of them. `specs` are the tools in use.
 */
export async function unitedText(
  files: readonly ItemFile[],
  specs: readonly TargetSpec[],
): Promise<string | undefined> {
  const roles = files.flatMap(file => file.roles.map(role => ({ file, role })));
  if (new Set(roles.map(({ role }) => role.spec)).size < roles.length) return undefined;
  // The first words of a text may be what others call its description, or not.
  for (const plain of [false, true]) {
    const versions: ToolFields[] = [];
    for (const { file, role } of roles) {
      const fields = await fieldsFor(file, role, plain);
      if (!fields) return undefined;
      versions.push({ tool: role.spec.id, fields });
    }
    const united = uniteFields(versions, versions.length === specs.length);
    if (united) return sourceText(united);
  }
  return undefined;
}

/** The fields of an item as the tool of a role reads them; `plain`: all of its text is content. */
async function fieldsFor(
  file: ItemFile,
  role: ItemRole,
  plain: boolean,
): Promise<ReadonlyMap<string, Data> | undefined> {
  const { spec, name, file: place } = role;
  if (!place) return undefined;
  if (!isMarkdownPath(file.path)) {
    const read = await importedFields(file, spec);
    return typeof read === 'string' ? undefined : read;
  }
  const source = { name: file.path, text: file.text.replace(/^\ufeff/, '') };
  const reading = { name, scope: '', spec, specs: [spec], report: () => {} };
  const { fields, unknown } = await readWholeItem(
    source,
    plain ? { ...place, body: 'content' } : place,
    reading,
  );
  return new Map([...fields, ...unknown]);
}
