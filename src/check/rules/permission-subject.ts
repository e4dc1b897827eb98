import { permissionDecision, permissionSubject as wrongSubject } from '../../generated/diagnostics.ts';
import { findBlock } from '../../resolve/catalogue.ts';
import type { Node } from '../../resolve/program.ts';
import { renameFix } from '../../text/diagnostics/fixes.ts';
import { fewQuoted } from '../../text/names.ts';
import { parseSubject, patternProblem } from '../../text/permissions/subject.ts';
import { didYouMean, suggest } from '../../text/similar.ts';
import { fieldOf, firstSpan, textOf } from '../nodes.ts';
import type { Rule, RuleContext } from '../rule.ts';

const block = findBlock('permissions')!;
const lists: readonly string[] = (block.fields ?? []).map(({ name }) => name);
const kinds: readonly string[] = (block.subjects ?? []).map(({ name }) => name);

/** An invalid permission protects nothing, or allows something unintended. */
export const permissionSubject: Rule = {
  name: 'permission-subject',
  severity: 'error',
  help: 'Permissions are lists of subjects of a known kind: `deny`, `ask` and `allow`.',
  check: context => {
    for (const entry of context.program.blocks.get(block.name)?.entries ?? []) {
      const name = entry.kind === 'field' ? entry.key : '';
      if (!lists.includes(name)) checkName(entry.kind === 'field' ? name : 'loose item', entry.node, context);
      else if (entry.node.kind === 'list') for (const item of entry.node.items) checkSubject(item, context);
      else checkSubject(entry.node, context);
    }
  },
};

function checkName(field: string, node: Node, { report }: RuleContext): void {
  const hint = `${didYouMean(field, lists)}It has ${fewQuoted(lists)}, each a list of subjects.`;
  report(permissionDecision({ field }, { span: firstSpan(node), hint }));
}

function checkSubject(item: Node, { report }: RuleContext): void {
  const node = item.kind === 'object' ? fieldOf(item, 'subject') : item;
  const text = textOf(node);
  const found = text === undefined ? { problem: 'says nothing' } : faultOf(text);
  if (!found) return;
  const { problem, meant, hint } = found;
  const span = firstSpan(node ?? item);
  const fixes = text === undefined || meant === undefined ? [] : renameFix(span, text, [meant]);
  const holes = { text: text ?? 'an item without subject', problem };
  report(wrongSubject(holes, { span, fixes, ...(hint !== undefined && { hint }) }));
}

/** What is wrong with a subject; `undefined` for a valid one. */
function faultOf(text: string): { problem: string; meant?: string; hint?: string } | undefined {
  const subject = parseSubject(text);
  if (!subject) return { problem: 'has no kind in front of a colon' };
  const { kind, pattern } = subject;
  if (!kinds.includes(kind)) {
    const near = suggest(kind, kinds);
    return {
      problem: `is of the unknown kind \`${kind}\``,
      hint: `${didYouMean(kind, kinds)}Kinds: ${kinds.join(', ')}.`,
      ...(near !== undefined && { meant: `${near}:${pattern}` }),
    };
  }
  const problem = patternProblem(subject);
  return problem === undefined ? undefined : { problem };
}
