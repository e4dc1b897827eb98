import { unknownRule } from '../generated/diagnostics.ts';
import type { Program } from '../resolve/program.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { renameFix } from '../text/diagnostics/fixes.ts';
import { didYouMean } from '../text/similar.ts';
import type { Span } from '../text/source.ts';
import { incompleteSpanFinder } from './broken.ts';
import { readTexts } from './documents.ts';
import type { CheckOptions } from './rule.ts';
import { rules } from './rules.ts';
import { applyRuleSeverities } from './severities.ts';
import { variantsOf } from './variants.ts';

/**
 * Runs every enabled built-in rule on a resolved program, and on its variants for single tools. A finding in
 * several of them is reported once.
 */
export function checkProgram(program: Program, options: CheckOptions, report: Report): void {
  const graded = applyRuleSeverities(report, options.rules);
  const texts = readTexts(program);
  const isBroken = incompleteSpanFinder(program);
  const variants = variantsOf(program);
  for (const { name, check } of rules) {
    if (!check || options.rules?.[name] === 'off') continue;
    const reported = new Set<string>();
    const reportFound = (finding: Diagnostic) => {
      reported.add(keyOf(finding));
      if (!isBroken(finding.span)) graded({ ...finding, rule: name });
    };
    check({ program, texts, options, report: reportFound });
    const reportNew = (finding: Diagnostic) => {
      if (!reported.has(keyOf(finding))) reportFound(finding);
    };
    for (const variant of variants) check({ program: variant, texts, options, report: reportNew });
  }
}

const keyOf = ({ code, message, span }: Diagnostic): string =>
  JSON.stringify(span ? [code, span.source.name, span.start, span.end] : [code, message]);

/**
 * Reports keys of `validation.rules` that are not rules; `spanOf` gives the span of a key in the
 * configuration.
 */
export function checkRuleNames(
  configured: Readonly<Record<string, unknown>> | undefined,
  spanOf: (path: readonly (string | number)[], part: 'key') => Span | undefined,
  report: Report,
): void {
  const names = rules.map(rule => rule.name);
  for (const name of Object.keys(configured ?? {})) {
    if (names.includes(name)) continue;
    const hint = `${didYouMean(name, names)}\`prs explain --rules\` lists the rules.`;
    const span = spanOf(['validation', 'rules', name], 'key');
    report(unknownRule({ rule: name }, { span, hint, fixes: renameFix(span, name, names) }));
  }
}
