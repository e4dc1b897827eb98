import type { Hover } from 'vscode-languageserver';
import type { Field } from '../generated/blocks.ts';
import { findBlock } from '../resolve/catalogue.ts';
import { readSourceHead } from '../resolve/markdown.ts';
import { findNode, printNodePath } from '../resolve/path.ts';
import type { Unit } from '../resolve/program.ts';
import type { Source } from '../text/source.ts';
import { type Caret, caretAt, fieldAt, wordOf } from './caret.ts';
import { docOf, exampleOf } from './catalogue-docs.ts';
import { mentionAt } from './names.ts';
import type { Compiled } from './project.ts';
import { toHover } from './protocol.ts';
import { reachTable } from './reach.ts';

/** The hover text at an offset: documentation, and the result of an entry for every enabled tool. */
export function hoverAt(source: Source, offset: number, compiled: Compiled | undefined): Hover | null {
  const caret = caretAt(source, offset);
  const { token } = caret;
  return token
    ? toHover(textAt(caret, wordOf(token), compiled), { source, start: token.start, end: token.end })
    : null;
}

/**
 * The same in the front matter of a Markdown source: documentation of keys, and the result of the entry for
 * every tool.
 */
export function hoverInMarkdown(unit: Unit, offset: number, compiled: Compiled | undefined): Hover | null {
  if (unit.kind !== 'item' && unit.kind !== 'skill') return null;
  const { source } = unit;
  const [block, entry] = unit.kind === 'item' ? [unit.block, unit.name] : ['skills', unit.folder];
  const start = source.text.lastIndexOf('\n', offset - 1) + 1;
  const key = /^[\w-]+(?=\s*:)/.exec(source.text.slice(start, readSourceHead(source).bodyStart))?.[0];
  if (key !== undefined && offset <= start + key.length) {
    const field = fieldAt([block, entry, key]);
    if (field) return toHover(fieldText(field), { source, start, end: start + key.length });
  }
  const mention = mentionAt(unit, offset);
  if (mention && mention.span.end > mention.span.start)
    return toHover(entryText([mention.block, mention.name], compiled), mention.span);
  return start === 0 ? toHover(entryText([block, entry], compiled)) : null;
}

function textAt(
  { slot, path, key }: Caret,
  word: string,
  compiled: Compiled | undefined,
): string | undefined {
  switch (slot) {
    case 'declaration':
      return blockText(word.slice(1), compiled);
    case 'path':
      return path.length === 0 ? blockText(word, compiled) : entryText([...path, word], compiled);
    case 'key': {
      const field = fieldAt([...path, word]);
      return field ? fieldText(field) : entryText([...path, word], compiled);
    }
    case 'value': {
      const field = key === undefined ? undefined : fieldAt([...path, key]);
      const entry = field?.refers && entryText([field.refers, word], compiled);
      return entry || (field && fieldText(field));
    }
    default:
      return undefined;
  }
}

function blockText(name: string, compiled: Compiled | undefined): string | undefined {
  const block = findBlock(name);
  if (!block) return undefined;
  return [
    `**@${name}** (since ${block.since})`,
    docOf(block),
    `\`\`\`prs\n${exampleOf(block).trimEnd()}\n\`\`\``,
    ...reachTable(block.name, compiled),
  ].join('\n\n');
}

/** The description, type and version of a field. */
export function fieldText(field: Field): string {
  const { name, types, values, since, refers, keys } = field;
  const facts = [
    types.join(' or '),
    ...(values ? [values.map(value => `\`${value}\``).join(', ')] : []),
    ...(refers ? [`names of \`@${refers}\``] : []),
    ...(keys ? [`also \`${keys.join('`, `')}\``] : []),
    ...(since ? [`since ${since}`] : []),
  ];
  return [`**${name}**: ${facts.join('; ')}`, docOf(field)].join('\n\n');
}

function entryText(path: readonly string[], compiled: Compiled | undefined): string | undefined {
  const [block, name] = path;
  if (!compiled || block === undefined || name === undefined || path.length !== 2) return undefined;
  const { program } = compiled.loaded;
  const node = findNode(program, path) ?? findNode(program, [block, `/${name}`]);
  if (!node) return undefined;
  const described = 'fields' in node ? node.fields.get('description') : node;
  return [
    `**${name}** of \`@${block}\`, \`${node.steps[0]!.span.source.name}\``,
    ...(described && 'value' in described ? [String(described.value)] : []),
    ...reachTable(printNodePath(path), compiled),
  ].join('\n\n');
}
