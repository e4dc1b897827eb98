import type { Report } from '../text/diagnostics/diagnostic.ts';

/**
 * Wraps a report so that findings of built-in rules get the configured severity, whichever phase reports
 * them. Findings of a rule that is `off` are dropped. Findings of policies have their own severity and are
 * unchanged.
 */
export function applyRuleSeverities(
  report: Report,
  rules: Readonly<Record<string, 'error' | 'warning' | 'off'>> | undefined,
): Report {
  const severities = new Map(Object.entries(rules ?? {}));
  if (severities.size === 0) return report;
  return diagnostic => {
    const isPolicy = diagnostic.code.startsWith('PRS5');
    const severity = diagnostic.rule === undefined || isPolicy ? undefined : severities.get(diagnostic.rule);
    if (severity === 'off') return;
    report(severity === undefined ? diagnostic : { ...diagnostic, severity });
  };
}
