import { insecureUrl as finding } from '../../generated/diagnostics.ts';
import { findInsecureUrl } from '../../text/addresses.ts';
import { replacingIn } from '../../text/diagnostics/fixes.ts';
import { deepScalars, lastSpan, namedEntries } from '../nodes.ts';
import type { Rule } from '../rule.ts';

/** Checks URLs that a tool or this program will call; URLs in prose are not checked. */
export const insecureUrl: Rule = {
  name: 'insecure-url',
  severity: 'warning',
  help: 'Servers and registries are called over https; http only to this computer.',
  check: ({ program, report }) => {
    for (const block of ['mcpServers', 'plugins', 'hooks']) {
      for (const { node } of namedEntries(program, block)) {
        for (const { node: scalar } of deepScalars(node)) {
          const url = findInsecureUrl(String(scalar.value ?? ''));
          const span = lastSpan(scalar);
          if (url)
            report(finding({ url }, { span, fixes: replacingIn(span, 'Use https', 'http://', 'https://') }));
        }
      }
    }
  },
};
