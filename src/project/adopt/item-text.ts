import { stringify } from 'yaml';
import type { TargetSpec } from '../../generated/types/target.ts';
import { importFile } from '../../import/import.ts';
import { uniteFields } from '../../import/unite-fields.ts';
import { parseData } from '../../kinds/read/parse-data.ts';
import { blockOf } from '../../model/collections.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { isPortable } from '../../resolve/catalogue.ts';
import { sameUnordered } from '../../text/equal.ts';
import type { ItemRole } from './roles.ts';

/** A file that a tool reads as one item, with its text. */
export interface ItemFile {
  readonly path: string;
  readonly roles: readonly ItemRole[];
  readonly text: string;
}

/**
 * The fields of an item that a tool keeps as data, as a Markdown source; or why that cannot be. What `planned`, the file
 * that a compile would write, says otherwise is said for the tools of the file alone.
 */
export async function portableItem(
  file: ItemFile,
  planned: string | undefined,
): Promise<{ readonly text: string; readonly activation: undefined } | string> {
  const fields = await importedFields(file, file.roles[0]!.spec);
  if (typeof fields === 'string') return fields;
  const own = planned === undefined ? {} : await changesIn(file, planned);
  const known = new Map([...fields].filter(([key]) => !Object.hasOwn(own, key)));
  const ids = file.roles.map(({ spec }) => spec.id);
  const exact = uniteFields(
    ids.map(tool => ({ tool, fields: new Map([...known, ['targets', { [tool]: own }] as const]) })),
  );
  return { text: sourceText(exact ?? fields), activation: undefined };
}

/** Keys of a structured file that are not as they would be written; `null` for those that it does not have. */
async function changesIn({ text, roles }: ItemFile, planned: string): Promise<DataObject> {
  const { format = 'markdown', of } = roles[0]!.file!;
  if (format === 'markdown') return {};
  const [there, ours] = await Promise.all([text, planned].map(one => parseData(one, format)));
  if ('problem' in there! || 'problem' in ours!) return {};
  const [a, b] = [there!.data, ours!.data];
  if (!isDataObject(a) || !isDataObject(b)) return {};
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].filter(
    key => !isPortable(blockOf(of), key),
  );
  return Object.fromEntries(
    keys.flatMap(key => (sameUnordered(a[key], b[key]) ? [] : [[key, a[key] ?? null]])),
  );
}

/** The fields of an item that a tool keeps as data; or why there are none. */
export async function importedFields(
  { path, text }: ItemFile,
  spec: TargetSpec,
): Promise<ReadonlyMap<string, Data> | string> {
  const problems: string[] = [];
  const imported = await importFile(
    { path, bytes: new TextEncoder().encode(text), specs: [spec] },
    ({ severity, message }) => {
      if (severity === 'error') problems.push(message);
    },
  );
  const [part, ...more] = imported?.parts ?? [];
  if (part?.content.kind !== 'fields' || more.length > 0)
    return problems[0] ?? 'what it says has no place in Markdown, and stays there';
  return part.content.fields;
}

/** An item as a Markdown source. */
export function sourceText(fields: ReadonlyMap<string, Data>): string {
  const head = new Map(fields);
  const content = head.get('content');
  head.delete('content');
  const body = typeof content === 'string' ? content : '';
  const front = head.size === 0 ? '' : `---\n${stringify(Object.fromEntries(head), { lineWidth: 0 })}---\n\n`;
  return `${front}${body.trimEnd()}\n`;
}
