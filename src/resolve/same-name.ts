import { records } from '../generated/collections.ts';
import { entryReplaced, nameTwice } from '../generated/diagnostics.ts';
import { type Draft, fieldIn } from './draft.ts';
import { type MergeContext, noteReplacement, stepOf, type Winner } from './merge-context.ts';
import type { Node } from './program.ts';

/**
 * Decides between two complete entries of one name, of which one was discovered in its folder or is a Markdown skill:
 * merging them would give the text of one with the license and the files of the other. A named entry replaces a
 * discovered one, and a later one an earlier one; two discovered ones are an error. `undefined`: the entries merge
 * field by field.
 */
export function winnerOf(draft: Draft, current: Node, node: Node, m: MergeContext): Winner | undefined {
  const [block, name] = m.path as [string, string];
  const what = records.find(record => record.of !== 'fields' && record.block === block)?.word;
  if (!what || m.replacing === 'extend' || !isComplete(current) || !isComplete(node)) return undefined;
  const [first, later] = [current.steps[0]!, node.steps[0]!];
  if (first.span.source === later.span.source) return undefined;
  const wasFound = draft.found.has(`${block}.${name}`);
  // Without an import the entry was discovered: each such entry is a file.
  const isFound = m.from !== undefined && !m.importStep;
  const isMarkdown = (one: Draft | undefined) =>
    block === 'skills' && one?.skills.get(name)?.source !== undefined;
  if (!wasFound && !isFound && !(m.from && (isMarkdown(draft) || isMarkdown(m.from)))) return undefined;
  const holes = { what, name, first: first.span.source.name, later: later.span.source.name };
  const related = [{ message: 'the other one', span: first.span }];
  const where = { span: later.span, related, rule: 'duplicate-name' };
  m.run.report(isFound ? nameTwice(holes, where) : entryReplaced(holes, where));
  return isFound ? 'first' : 'later';
}

/** The later entry instead of the earlier one, with the history of both. */
export function replaceWhole(current: Node, node: Node, m: MergeContext): Node {
  noteReplacement(m, current, node, stepOf(node, m.replacing));
  return { ...node, steps: [...current.steps, ...node.steps] };
}

/** An entry without content, command or address only changes another one. */
const isComplete = (node: Node): boolean =>
  node.kind === 'scalar'
    ? node.value !== null
    : ['content', 'command', 'url'].some(field => fieldIn(node, field) !== undefined);
