import { secretLiteral as finding } from '../../generated/diagnostics.ts';
import { findSecrets } from '../../text/secrets.ts';
import type { Rule } from '../rule.ts';

/** Sources are committed, and their texts are sent to a model. */
export const secretLiteral: Rule = {
  name: 'secret-literal',
  severity: 'warning',
  help: 'No tokens, keys or passwords in source files.',
  check: ({ texts, report }) => {
    for (const { source } of texts) {
      for (const { title, start, end } of findSecrets(source.text)) {
        report(finding({ what: title }, { span: { source, start, end } }));
      }
    }
  },
};
