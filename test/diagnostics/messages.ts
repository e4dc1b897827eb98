/** Writes all messages to one page, so that a changed message can be reviewed next to similar ones. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCatalogue } from '../../scripts/generate/diagnostics.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export const messagesFile = fileURLToPath(new URL('messages.txt', import.meta.url));

export function allMessages(): string {
  return readCatalogue(root)
    .map(({ code, name, severity, message, hint }) => `${code} ${severity} ${name}\n  ${message}\n  ${hint}\n`)
    .join('\n');
}

/** `npx tsx test/diagnostics/messages.ts` writes the page. */
if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(messagesFile, allMessages());
