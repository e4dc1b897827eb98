import type { ListItem, Prose } from '../../model/model.ts';
import { plain } from '../../text/traced.ts';

/** All texts of prose, line by line, for an omission. */
export function proseText(content: readonly Prose[]): string {
  const lines: string[] = [];
  const visit = (items: readonly ListItem[]): void => {
    for (const { label, text, items: nested } of items) {
      lines.push([label, text].flatMap(part => (part === undefined ? [] : [plain(part)])).join(': '));
      if (nested) visit(nested);
    }
  };
  for (const part of content) {
    if (part.kind === 'list') visit(part.items);
    else if (part.kind === 'group') lines.push(plain(part.title ?? part.key), proseText(part.content));
    else lines.push(plain(part.text));
  }
  return lines.join('\n');
}
