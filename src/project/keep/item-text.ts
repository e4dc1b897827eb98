import { stringify } from 'yaml';
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
export async function portableItem({
  path,
  text,
  roles,
}: ItemFile): Promise<{ readonly text: string; readonly activation: undefined } | string> {
  const problems: string[] = [];
  const imported = await importFile(
    { path, bytes: new TextEncoder().encode(text), specs: [roles[0]!.spec] },
    ({ severity, message }) => {
      if (severity === 'error') problems.push(message);
    },
  );
  const [part, ...more] = imported?.parts ?? [];
  if (part?.content.kind !== 'fields' || more.length > 0)
    return problems[0] ?? 'what it says has no place in Markdown, and stays there';
  const fields = new Map(part.content.fields);
  const content = fields.get('content');
  fields.delete('content');
  const head: Record<string, Data> = Object.fromEntries(fields);
  const body = typeof content === 'string' ? content : '';
  const front = fields.size === 0 ? '' : `---\n${stringify(head, { lineWidth: 0 })}---\n\n`;
  return { text: `${front}${body.trimEnd()}\n`, activation: undefined };
}
