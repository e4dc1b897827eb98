import { stringify } from 'yaml';
import type { TargetSpec } from '../../generated/types/target.ts';
import { importFile } from '../../import/import.ts';
import type { Data } from '../../model/model.ts';
import type { ItemRole } from './roles.ts';

/** A file that a tool reads as one item, with its text. */
export interface ItemFile {
  readonly path: string;
  readonly roles: readonly ItemRole[];
  readonly text: string;
}

/** The fields of an item that a tool keeps as data, as a Markdown source; or why that cannot be. */
export async function portableItem(
  file: ItemFile,
): Promise<{ readonly text: string; readonly activation: undefined } | string> {
  const fields = await importedFields(file, file.roles[0]!.spec);
  return typeof fields === 'string' ? fields : { text: sourceText(fields), activation: undefined };
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
