import type { Node, ResolvedBlock } from '../resolve/program.ts';
import { titleOf } from '../text/title.ts';
import { scalarText } from './data.ts';
import type { Prose } from './model.ts';
import { layOut, wordingOf } from './prose.ts';

/** `@examples`: a heading for each example, then its description, its input and its output as code. */
export function exampleProse(block: ResolvedBlock): Prose[] {
  const prose: Prose[] = [];
  const wording = wordingOf(block);
  for (const entry of block.entries) {
    if (entry.kind === 'field' && entry.node.kind === 'object') {
      prose.push({
        kind: 'group',
        key: entry.key,
        title: wording(entry.key) ?? titleOf(entry.key),
        content: example(entry.node.fields),
      });
    } else prose.push(...layOut([entry], 'facts', wording));
  }
  return prose;
}

/** The parts of one example; fields that are neither description, input nor output follow as facts. */
export function example(fields: ReadonlyMap<string, Node>): Prose[] {
  const prose: Prose[] = [];
  const description = fields.get('description');
  if (description?.kind === 'scalar') prose.push({ kind: 'text', text: scalarText(description) });
  for (const [key, label] of [
    ['input', 'Input:'],
    ['output', 'Output:'],
  ] as const) {
    const node = fields.get(key);
    if (node?.kind !== 'scalar') continue;
    prose.push({ kind: 'text', text: label }, { kind: 'code', language: '', text: scalarText(node) });
  }
  const shown = new Set(['description', 'input', 'output']);
  const rest = [...fields].filter(([key, node]) => !shown.has(key) || node.kind !== 'scalar');
  prose.push(
    ...layOut(
      rest.map(([key, node]) => ({ kind: 'field', key, node })),
      'facts',
      () => undefined,
    ),
  );
  return prose;
}
