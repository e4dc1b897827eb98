import type { Hover } from 'vscode-languageserver';
import type { Field } from '../generated/blocks.ts';
import { canonicalBlock, findBlock } from '../resolve/catalogue.ts';
import { readSourceHead } from '../resolve/markdown.ts';
import { findNode, printNodePath } from '../resolve/path.ts';
import type { Unit } from '../resolve/program.ts';
import type { Source } from '../text/source.ts';
import { type Caret, caretAt, fieldAt, wordOf } from './caret.ts';
import { docOf, exampleOf } from './catalogue-docs.ts';
import { mentionAt } from './names.ts';
import type { Compiled } from './project.ts';
import { toHover } from './protocol.ts';
import { reachOf, reachTable } from './reach.ts';

/** The hover text at an offset: documentation, and the result of an entry for every enabled tool. */
export function hoverAt(source: Source, offset: number, compiled: Compiled | undefined): Hover | undefined {
  const caret = caretAt(source, offset);
  const { token } = caret;
  if (!token) return undefined;
  return toHover(textAt(caret, compiled), { source, start: token.start, end: token.end });
}

/**
 * The same in the front matter of a Markdown source: documentation of keys, and the result of the entry for
 * every tool.
 */
export function hoverInMarkdown(
  unit: Unit,
  offset: number,
  compiled: Compiled | undefined,
): Hover | undefined {
  if (unit.kind !== 'item' && unit.kind !== 'skill') return undefined;
  const { source } = unit;
  const [block, own] = unit.kind === 'item' ? [unit.block, unit.name] : ['skills', unit.folder];
  const { bodyStart } = readSourceHead(source);
  const start = source.text.lastIndexOf('\n', offset - 1) + 1;
  const key = /^[\w-]+(?=\s*:)/.exec(source.text.slice(start, bodyStart))?.[0];
  const isKey = key !== undefined && offset <= start + key.length;
  const field = isKey ? fieldAt([block, own, key]) : undefined;
  const mention = mentionAt(unit, offset);
  const path =
    mention && mention.span.end > mention.span.start
      ? [mention.block, mention.name]
      : start === 0
        ? [block, own]
        : undefined;
  if (isKey && field) return toHover(fieldText(field), { source, start, end: start + key.length });
  return toHover(path && entryText(path, compiled), mention?.span);
}

function textAt(caret: Caret, compiled: Compiled | undefined): string | undefined {
  const { slot, path, key, token } = caret;
  switch (slot) {
    case 'declaration': {
      const name = token!.text.slice(1);
      return blockText(name, compiled);
    }
    case 'path': {
      const name = wordOf(token!);
      return path.length === 0 ? blockText(name, compiled) : entryText([...path, name], compiled);
    }
    case 'key': {
      const names = [...path, wordOf(token!)];
      const field = fieldAt(names);
      return field ? fieldText(field) : entryText(names, compiled);
    }
    case 'value': {
      const field = key === undefined ? undefined : fieldAt([...path, key]);
      if (!field) return undefined;
      return field.refers
        ? (entryText([field.refers, wordOf(token!)], compiled) ?? fieldText(field))
        : fieldText(field);
    }
    default:
      return undefined;
  }
}

function blockText(name: string, compiled: Compiled | undefined): string | undefined {
  const block = findBlock(name);
  if (!block) return undefined;
  const reached = compiled ? reachOf(canonicalBlock(name), compiled) : [];
  return [
    `**@${name}** (since ${block.since})`,
    docOf(block),
    `\`\`\`prs\n${exampleOf(block).trimEnd()}\n\`\`\``,
    ...(reached.length > 0 ? [reachTable(reached)] : []),
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
  const node = findNode(program, [block, name]) ?? findNode(program, [block, `/${name}`]);
  if (!node) return undefined;
  const described = 'fields' in node ? node.fields.get('description') : node;
  const description = described && 'value' in described ? String(described.value) : undefined;
  const declared = node.steps[0]?.span.source.name;
  const reached = reachOf(printNodePath([block, name]), compiled);
  return [
    `**${name}** of \`@${block}\`${declared === undefined ? '' : `, \`${declared}\``}`,
    ...(description === undefined ? [] : [description]),
    ...(reached.length > 0 ? [reachTable(reached)] : []),
  ].join('\n\n');
}
