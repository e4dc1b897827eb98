import type { Node, ResolvedBlock } from '../resolve/program.ts';
import { titleOf } from '../text/title.ts';
import type { Prose } from './model.ts';
import { layOut, titlesOf } from './prose.ts';
import type { Wording } from './wording.ts';

/** `@examples`: a heading for each example, then its description, its input and its output as code. */
export function exampleProse(block: ResolvedBlock, words: Wording): Prose[] {
  const prose: Prose[] = [];
  const title = titlesOf(block, words);
  for (const entry of block.entries) {
    if (entry.kind === 'field' && entry.node.kind === 'object') {
      prose.push({
        kind: 'group',
        key: entry.key,
        title: title(entry.key) ?? words.name(titleOf(entry.key), entry.node),
        content: example(entry.node.fields, words),
      });
    } else prose.push(...layOut([entry], 'facts', title, words));
  }
  return prose;
}

/** The parts of one example; fields that are neither description, input nor output follow as facts. */
export function example(fields: ReadonlyMap<string, Node>, words: Wording): Prose[] {
  const prose: Prose[] = [];
  const description = fields.get('description');
  if (description?.kind === 'scalar') prose.push({ kind: 'text', text: words.text(description) });
  for (const [key, label] of [
    ['input', 'Input:'],
    ['output', 'Output:'],
  ] as const) {
    const node = fields.get(key);
    if (node?.kind !== 'scalar') continue;
    prose.push(
      { kind: 'text', text: words.name(label, node) },
      { kind: 'code', language: '', text: words.text(node) },
    );
  }
  const shown = new Set(['description', 'input', 'output']);
  const rest = [...fields].filter(([key, node]) => !shown.has(key) || node.kind !== 'scalar');
  prose.push(
    ...layOut(
      rest.map(([key, node]) => ({ kind: 'field', key, node })),
      'facts',
      () => undefined,
      words,
    ),
  );
  return prose;
}
