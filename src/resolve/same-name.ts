import { records } from '../generated/collections.ts';
import { entryReplaced, nameTwice } from '../generated/diagnostics.ts';
import { noteReplacement } from './changes.ts';
import { type Draft, type NodeDraft, own } from './draft.ts';
import { type Meeting, type Merging, stepOf } from './merging.ts';

/** The word for an entry of a block in messages. */
const wordFor = (block: string): string | undefined =>
  records.find(record => record.of !== 'fields' && record.block === block)?.word;

/**
 * Two entries of one name, each with a text of its own, of which one was only found in its folder or is a file with
 * others beside it: one of them counts, whole. Mixed, they would be the text of one with the licence and the files of
 * the other. What is named wins over what was found, the later over the earlier; two found ones are an error.
 */
export function meet(draft: Draft, current: NodeDraft, node: NodeDraft, m: Merging): Meeting {
  const [block, name] = m.path as [string, string];
  const what = wordFor(block);
  if (!what || m.replacing === 'extend' || !standsAlone(current) || !standsAlone(node)) return undefined;
  const [first, later] = [current.steps[0]!, node.steps[0]!];
  if (first.span.source === later.span.source) return undefined;
  const found = draft.found.has(`${block}.${name}`);
  // Without an import the entry was found in its folder: each such entry is a file.
  const isFound = m.from !== undefined && !m.bringing;
  const isOneFile = isFile(draft, name, block) || (m.from && isFile(m.from, name, block));
  if (!found && !isFound && !isOneFile) return undefined;
  if (!found && !m.from) return undefined;
  const holes = { what, name, first: first.span.source.name, later: later.span.source.name };
  const related = [{ message: 'the other one', span: first.span }];
  const where = { span: later.span, related, rule: 'duplicate-name' };
  if (m.from && !m.bringing) {
    m.run.report(nameTwice(holes, where));
    return 'first';
  }
  m.run.report(entryReplaced(holes, where));
  return 'later';
}

/** The later entry in the place of the earlier one, with the history of both. */
export function replaceWhole(current: NodeDraft, node: NodeDraft, m: Merging): NodeDraft {
  noteReplacement(m, current, node, stepOf(node, m.replacing));
  const mine = own(node, m.owner);
  mine.steps = [...current.steps, ...node.steps];
  return mine;
}

const isFile = (draft: Draft, name: string, block: string): boolean =>
  block === 'skills' && draft.skills.get(name)?.source !== undefined;

/** Whether an entry is complete by itself; one without a text only changes another. */
const standsAlone = (node: NodeDraft): boolean =>
  node.kind === 'scalar'
    ? node.value !== null
    : node.kind === 'object' && ['content', 'command', 'url'].some(field => node.fields.has(field));
