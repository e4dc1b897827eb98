import {
  globRefused,
  nestedWithoutFolder,
  requiredGuardMissing,
  scopedWithoutFiles,
} from '../../generated/diagnostics.ts';
import { portableName } from '../../resolve/catalogue.ts';
import type { Node } from '../../resolve/program.ts';
import { removalFix, replacementFix } from '../../text/diagnostics/fixes.ts';
import { commonFolder, globProblem } from '../../text/globs.ts';
import { didYouMean } from '../../text/similar.ts';
import { splitList } from '../../text/split-list.ts';
import { lastSpan, literalOf, namedEntries, objectEntries, scalarsOf, textOf } from '../nodes.ts';
import type { Rule, RuleContext } from '../rule.ts';

export const requiredGuards: Rule = {
  name: 'required-guards',
  severity: 'error',
  help: 'Guards that `validation.requiredGuards` names must be present.',
  check: ({ program, options, report }) => {
    const names = namedEntries(program, 'guards').map(entry => entry.name);
    // Globs and text directly in the block form a rule with the name of the block.
    const own = program.blocks.get('guards')?.entries.some(({ kind }) => kind === 'text');
    if (own || names.includes('globs') || names.includes('content')) names.push('guards');
    for (const [index, guard] of (options.requiredGuards ?? []).entries()) {
      if (names.includes(guard)) continue;
      const hint = `${didYouMean(guard, names)}Add \`${guard}: { … }\` to \`@guards\`, or remove the name from \`validation.requiredGuards\`.`;
      const span = options.spanOf(['validation', 'requiredGuards', index]);
      report(requiredGuardMissing({ guard }, { hint, span }));
    }
  },
};

/** Reports a guard whose activation contradicts its globs. */
export const guardReading: Rule = {
  name: 'guard-reading',
  severity: 'warning',
  help: 'A guard that is `scoped` names its files, and one that is `nested` names files of one folder.',
  check: context => {
    const own = namedEntries(context.program, 'guards').filter(({ node }) => node.kind !== 'object');
    checkGuard('guards', new Map(own.map(({ name, node }) => [name, node])), context);
    for (const { name, node } of objectEntries(context.program, 'guards'))
      checkGuard(`guards.${name}`, node.fields, context);
  },
};

function checkGuard(entry: string, written: ReadonlyMap<string, Node>, { report }: RuleContext): void {
  // `applyTo`, `globs` and `paths` are the same field.
  const fields = new Map([...written].map(([key, node]) => [portableName('guards', key), node]));
  const patterns = scalarsOf(fields.get('globs')).flatMap(node =>
    splitList(textOf(node) ?? '').map(pattern => ({ node, pattern })),
  );
  const globs = patterns.map(({ pattern }) => pattern);
  const [activation, placement] = [fields.get('activation'), fields.get('placement')];
  for (const { node, pattern } of patterns) {
    const wrong = wrongPattern(pattern);
    if (!wrong) continue;
    const holes = { field: `${entry}.applyTo`, problem: wrong.problem };
    report(globRefused(holes, { severity: 'warning', span: lastSpan(node), hint: wrong.hint }));
  }
  const value = textOf(activation);
  if (value === 'scoped' && globs.length === 0) {
    const span = lastSpan(activation);
    const literal = activation?.kind === 'scalar' ? literalOf(activation) : undefined;
    const fixes = literal ? [replacementFix('Write `always`', literal, 'always')] : [];
    report(scopedWithoutFiles({ entry }, { span, fixes }));
  }
  if (textOf(placement) !== 'nested') return;
  const isScoped = value === undefined || value === 'scoped';
  if (isScoped && commonFolder(globs) !== undefined) return;
  const span = lastSpan(placement);
  const why =
    globs.length === 0
      ? 'it names no files'
      : isScoped
        ? 'its files lie below no single folder'
        : `with \`activation: ${value}\` its files do not count`;
  const fixes = span ? [removalFix('Remove `placement`', span)] : [];
  report(nestedWithoutFolder({ entry, why }, { span, fixes }));
}

/** Finds patterns that tools do not read as they look: a Windows path, or an unclosed bracket. */
function wrongPattern(pattern: string): { readonly problem: string; readonly hint?: string } | undefined {
  // `\\*` and `\\.` are escapes, unless the pattern has no other separator: `src\\*.ts`.
  if (/\\\w/.test(pattern) || (!pattern.includes('/') && /\w\\\*/.test(pattern)))
    return {
      problem: 'has `\\` between folders',
      hint: `Write \`${pattern.replaceAll('\\', '/')}\`: paths have \`/\` on every system.`,
    };
  const plain = pattern.replace(/\\./g, '').replace(/\[[^\]/]+\]/g, '');
  const open = plain.includes('[')
    ? '['
    : plain.split('{').length > plain.split('}').length
      ? '{'
      : undefined;
  if (open)
    return {
      problem: `has \`${open}\` that is never closed`,
      hint: `Close it with \`${open === '[' ? ']' : '}'}\`, or write \`\\${open}\` for the sign itself.`,
    };
  const problem = globProblem(pattern);
  return problem === undefined ? undefined : { problem };
}
