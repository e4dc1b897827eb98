import { unknownRule } from '../generated/diagnostics.ts';
import type { Program } from '../resolve/program.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { unknownNameAt } from '../text/diagnostics/fixes.ts';
import type { Source, Span } from '../text/source.ts';
import { readTexts } from './documents.ts';
import type { CheckOptions } from './rule.ts';
import { rules } from './rules.ts';
import { applyRuleSeverities } from './severities.ts';

/** Runs every enabled built-in rule on a resolved program. */
export function checkProgram(program: Program, options: CheckOptions, report: Report): void {
  const graded = applyRuleSeverities(report, options.rules);
  const texts = readTexts(program);
  const broken = brokenSources(program);
  for (const { name, check } of rules) {
    if (!check || options.rules?.[name] === 'off') continue;
    const reportFound = (finding: Diagnostic) => {
      if (!broken.has(finding.span?.source)) graded({ ...finding, rule: name });
    };
    check({ program, texts, options, report: reportFound });
  }
}

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
    const span = spanOf(['validation', 'rules', name], 'key');
    const advice = '`prs explain --rules` lists the rules.';
    report(unknownRule({ rule: name }, unknownNameAt(span, name, names, advice)));
  }
}

/** The sources with a syntax error: what they seem to lack may be in the part that was not parsed. */
const brokenSources = ({ units }: Program): ReadonlySet<Source | undefined> =>
  new Set(
    units.flatMap(unit => (unit.kind === 'source' && unit.document.isBroken ? [unit.document.source] : [])),
  );
