import { unknownRule } from '../generated/diagnostics.ts';
import { isPortable, portableName } from '../resolve/catalogue.ts';
import type { Entry, Node, ObjectNode, Program } from '../resolve/program.ts';
import { appliesToWholeEntry, overlaysIn, setOverlaid } from '../resolve/sealed.ts';
import type { Diagnostic, Report } from '../text/diagnostics/diagnostic.ts';
import { unknownNameAt } from '../text/diagnostics/fixes.ts';
import type { Source, Span } from '../text/source.ts';
import { readTexts } from './documents.ts';
import type { CheckOptions } from './rule.ts';
import { rules } from './rules.ts';
import { applyRuleSeverities } from './severities.ts';

/**
 * Runs every enabled built-in rule on a resolved program, and on its variants for single tools. A finding in
 * several of them is reported once.
 */
export function checkProgram(program: Program, options: CheckOptions, report: Report): void {
  const graded = applyRuleSeverities(report, options.rules);
  const texts = readTexts(program);
  const broken = brokenSources(program);
  const variants = variantsOf(program);
  for (const { name, check } of rules) {
    if (!check || options.rules?.[name] === 'off') continue;
    const reported = new Set<string>();
    const reportFound = (finding: Diagnostic) => {
      reported.add(keyOf(finding));
      if (!broken.has(finding.span?.source)) graded({ ...finding, rule: name });
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

/** The program as it is for each tool that has overlays. */
function variantsOf(program: Program): Program[] {
  const tools = new Set<string>();
  for (const { name, entries } of program.blocks.values())
    for (const { node } of entries)
      if (node.kind === 'object')
        for (const [, { fields }] of overlaysIn(name, node))
          for (const tool of fields.keys()) tools.add(tool);
  return [...tools].map(tool => variantFor(program, tool));
}

function variantFor(program: Program, tool: string): Program {
  const blocks = [...program.blocks].map(([name, block]) => {
    const entries = block.entries.map(
      (entry): Entry =>
        entry.kind === 'field' && entry.node.kind === 'object'
          ? { ...entry, node: entryFor(name, entry.node, tool) }
          : entry,
    );
    return [name, { ...block, entries }] as const;
  });
  return { ...program, blocks: new Map(blocks) };
}

/** An entry with the overlay of a tool applied; keys that only the tool knows are not checked. */
function entryFor(block: string, node: ObjectNode, tool: string): ObjectNode {
  const overlays = overlaysIn(block, node);
  if (overlays.length === 0) return node;
  const fields = new Map(node.fields);
  for (const [at, { fields: members }] of overlays) {
    // Whether some tool has a native command line is checked for hooks without a command.
    if (block !== 'hooks') fields.delete(at);
    const changes = members.get(tool);
    if (changes?.kind === 'object') takeChanges(block, fields, changes);
  }
  return { ...node, fields };
}

function takeChanges(block: string, fields: Map<string, Node>, changes: ObjectNode): void {
  for (const [field, value] of changes.fields) {
    const name = portableName(block, field);
    // Native lines of a tool exist next to the portable command.
    if (block === 'hooks' && (name === 'line' || name === 'raw')) continue;
    if (appliesToWholeEntry(block, field, value) || !isPortable(block, name)) continue;
    setOverlaid(block, fields, field, value);
    if (value.kind === 'scalar' && value.value === null) fields.delete(field);
  }
}
