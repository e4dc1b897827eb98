import { insecureUrl as finding } from '../../generated/diagnostics.ts';
import { deepScalars, namedEntries, placeOf } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/** Addresses that a tool or this program will call; addresses in prose are the author's business. */
export const insecureUrl: Rule = {
  name: 'insecure-url',
  severity: 'warning',
  help: 'Servers and registries are called over https; http only to this computer.',
  check: ({ program, report }) => {
    for (const block of ['mcpServers', 'plugins', 'hooks']) {
      for (const { node } of namedEntries(program, block)) {
        for (const { node: scalar } of deepScalars(node)) {
          const url = insecureAddress(String(scalar.value ?? ''));
          if (url) report(finding({ url }, { span: placeOf(scalar) }));
        }
      }
    }
    for (const { reference, span } of program.imports) {
      const url = insecureAddress(reference);
      if (url) report(finding({ url }, { span }));
    }
  },
};

/** The http address in a text that does not stay on this computer, without user and path. */
export function insecureAddress(text: string): string | undefined {
  const match = /\b(?:http|ws|git):\/\/(?:[^\s/@"']*@)?(\[[^\]\s]*\]|[^\s/:"'?#]+)/i.exec(text);
  if (!match) return undefined;
  const host = match[1]!.toLowerCase();
  const local =
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(host);
  return local || host.startsWith('$') || host.startsWith('{')
    ? undefined
    : `${match[0].split('://')[0]}://${host}`;
}
