import { exchanging, renaming } from '../../diagnostics/fixes.ts';
import type { Block, Field as FieldSpec } from '../../generated/blocks.ts';
import {
  dataMissingField,
  entryFieldType,
  entryFieldUnknown,
  entryFieldValue,
  headerWithoutSection,
  blockShape as wrongShape,
} from '../../generated/diagnostics.ts';
import { findBlock, takesObjectItems } from '../../resolve/catalogue.ts';
import type { Node } from '../../resolve/program.ts';
import { sectionTitles } from '../../resolve/section-titles.ts';
import type { BlockDeclaration, BodyItem, Field, Value } from '../../syntax/ast.ts';
import { didYouMean, suggest } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';
import { sourceUnits } from '../documents.ts';
import { firstSpan, objectEntries } from '../nodes.ts';
import type { Rule, RuleContext } from '../rule.ts';

/** Content of another shape is kept; the rule says that it may not become what was meant. */
export const blockShape: Rule = {
  name: 'block-shape',
  severity: 'warning',
  help: 'Blocks and their entries have the shape of the block catalogue.',
  check: context => {
    checkTitles(context);
    for (const { document } of sourceUnits(context.program)) {
      for (const declaration of document.declarations) {
        const block = declaration.kind === 'block' ? findBlock(declaration.name) : undefined;
        // The fields of `@meta` have rules of their own; those of `@params` are declarations, not values.
        if (declaration.kind !== 'block' || !block || block.name === 'meta' || block.name === 'params')
          continue;
        checkBlock(declaration, block, context);
      }
    }
    for (const name of ['skills', 'shortcuts']) checkMarkdown(name, context);
  },
};

/** Entries that come from Markdown have no declaration: their front matter is judged by what became of it. */
function checkMarkdown(name: string, { program, report }: RuleContext): void {
  const specs = findBlock(name)?.entry?.fields ?? [];
  const declared = new Set(sourceUnits(program).map(({ document }) => document.source));
  for (const { name: key, node } of objectEntries(program, name)) {
    for (const [field, value] of node.fields) {
      const spec = specs.find(one => one.name === field);
      const span = firstSpan(value);
      if (!spec || !span || declared.has(span.source)) continue;
      const entry = `\`${name}.${key}\``;
      const kind = kindOfNode(value);
      if (kind !== undefined && !fits(kind, spec)) {
        const named = holesOf(`\`${field}\``, entry, spec.types, kind);
        report(entryFieldType(named, { span }));
      } else if (value.kind === 'list' && !takesObjectItems(spec))
        for (const item of value.items)
          if (item.kind !== 'scalar')
            report(
              entryFieldType(itemHoles(field, entry, kindOfNode(item)), { span: firstSpan(item) ?? span }),
            );
    }
  }
}

function kindOfNode(node: Node): Kind | undefined {
  if (node.kind !== 'scalar') return node.kind;
  const { value } = node;
  return value === null
    ? undefined
    : typeof value === 'string'
      ? 'text'
      : (typeof value as 'number' | 'boolean');
}

/** Numbers and dates without quotes are texts to whoever wrote them. */
const fits = (kind: Kind, spec: FieldSpec): boolean =>
  spec.types.includes(kind) || (kind === 'number' && spec.types.includes('text'));

const itemHoles = (field: string, entry: string, kind: Kind | undefined) =>
  holesOf(`An item of \`${field}\``, entry, ['text'], kind);

/** Titles are looked up in the whole program: a file may word a section that another file holds. */
function checkTitles({ program, report }: RuleContext): void {
  for (const block of program.blocks.values()) {
    for (const { key, title, names } of sectionTitles(block).unknown) {
      const near = didYouMean(key, names);
      const span = title.steps[0]?.span;
      const fixes = renaming(span && keyBefore(span), key, names);
      const where = { span, ...(near !== '' && { hint: near.trim() }), fixes };
      report(headerWithoutSection({ key, block: block.name }, where));
    }
  }
}

/** What stands between `@header` and the title that `span` holds: the key. */
function keyBefore({ source, start }: Span): Span {
  return { source, start: source.text.lastIndexOf('@header', start) + '@header'.length, end: start };
}

type BodyPart = Block['body'][number];

const partWords: Readonly<Record<BodyPart, string>> = {
  text: 'text',
  items: 'list items',
  fields: 'fields',
  entries: 'named entries',
  uses: '`@use`',
};

function checkBlock(declaration: BlockDeclaration, block: Block, { report }: RuleContext): void {
  const complained = new Set<BodyPart>();
  for (const item of declaration.body.items) {
    const part = partOf(item, block);
    if (part && !block.body.includes(part) && !complained.has(part)) {
      complained.add(part);
      const expected = either(block.body.map(one => partWords[one]));
      report(wrongShape({ block: declaration.name, found: partWords[part], expected }, { span: item.span }));
    }
    if (item.kind === 'field') checkField(item, declaration.name, block, report);
    if (item.kind === 'item' && item.value.kind === 'object' && block.items)
      checkItem(item.value, `an item of \`@${declaration.name}\``, block.items, report);
  }
}

/** Which part of a body an item is; titles are allowed everywhere. */
function partOf(item: BodyItem, block: Block): BodyPart | undefined {
  switch (item.kind) {
    case 'header':
      return undefined;
    case 'text':
      return 'text';
    case 'item':
      return 'items';
    case 'use':
      return 'uses';
    case 'field':
      return block.body.includes('entries') || block.fields?.some(field => field.name === item.key)
        ? undefined
        : 'fields';
  }
}

/** Fields of which a rule of their own says, as an error, what is wrong with them. */
const judged: ReadonlySet<string> = new Set([
  'hooks.event',
  'hooks.command',
  'hooks.script',
  'hooks.script.path',
  'hooks.script.interpreter',
  'hooks.timeoutMs',
]);

function checkField(field: Field, name: string, block: Block, report: RuleContext['report']): void {
  const own = block.fields?.find(spec => spec.name === field.key);
  if (own) checkValue(field, own, `\`@${name}\``, report);
  if (own || !block.entry || !field.value) return;
  const kind = kindOf(field.value);
  const entry = `\`${block.name}.${field.key}\``;
  if (field.value.kind !== 'object') {
    const fits = kind === undefined || block.entry.types.includes(kind) || block.body.includes('fields');
    if (!fits)
      report(
        entryFieldType(holesOf(entry, `\`@${name}\``, block.entry.types, kind), { span: field.value.span }),
      );
    return;
  }
  for (const inner of field.value.fields) {
    const spec = block.entry.fields.find(one => one.name === inner.key || one.keys?.includes(inner.key));
    if (spec) checkJudged(inner, spec, `${block.name}.${spec.name}`, entry, report);
    else reportMisspelt(inner, block.entry.fields, entry, report);
  }
}

/** A loose item that is an object: without what it is about it would be nothing. */
function checkItem(
  { fields, span }: Extract<Value, { kind: 'object' }>,
  where: string,
  specs: readonly FieldSpec[],
  report: RuleContext['report'],
): void {
  for (const field of fields) {
    const spec = specs.find(one => one.name === field.key);
    if (spec) checkValue(field, spec, where, report);
    else reportMisspelt(field, specs, where, report);
  }
  const missing = specs.find(spec => spec.required && !fields.some(({ key }) => key === spec.name));
  if (missing) report(dataMissingField({ field: missing.name, place: `in ${where}` }, { span }));
}

/** A field and the members of its object; what a rule of its own judges is left to that rule. */
function checkJudged(
  field: Field,
  spec: FieldSpec,
  path: string,
  entry: string,
  report: RuleContext['report'],
): void {
  if (!judged.has(path)) checkValue(field, spec, entry, report);
  if (field.value?.kind !== 'object') return;
  if (spec.members === 'entry') checkOverrides(field.value, path, entry, report);
  if (!spec.fields && spec.members !== 'single') return;
  const inside = `${entry.slice(0, -1)}.${field.key}\``;
  for (const inner of field.value.fields) {
    const member: FieldSpec | undefined =
      spec.members === 'single'
        ? { name: inner.key, types: ['text'] }
        : spec.fields?.find(one => one.name === inner.key);
    if (!member) reportMisspelt(inner, spec.fields ?? [], inside, report);
    // Values of single members are texts, whatever they look like.
    else if (spec.members !== 'single' || inner.value?.kind !== 'boolean')
      checkJudged(inner, member, `${path}.${inner.key}`, inside, report);
  }
}

/** Changes for single tools are fields of the entry once more. */
function checkOverrides(
  value: Extract<Value, { kind: 'object' }>,
  path: string,
  entry: string,
  report: RuleContext['report'],
): void {
  const [block = '', name = ''] = path.split('.');
  const specs = findBlock(block)?.entry?.fields.filter(spec => spec.name !== name) ?? [];
  for (const target of value.fields) {
    if (target.value?.kind !== 'object') continue;
    const inside = `${entry.slice(0, -1)}.${name}.${target.key}\``;
    for (const inner of target.value.fields) {
      const spec = specs.find(one => one.name === inner.key);
      if (spec) checkValue(inner, spec, inside, report);
      else reportMisspelt(inner, specs, inside, report);
    }
  }
}

/** Fields that no one knows are kept and may be meant for one tool; only near misses are worth a word. */
function reportMisspelt(
  field: Field,
  specs: readonly FieldSpec[],
  entry: string,
  report: RuleContext['report'],
): void {
  const meant = suggest(
    field.key,
    specs.flatMap(spec => [spec.name, ...(spec.keys ?? [])]),
  );
  if (meant === undefined) return;
  report(
    entryFieldUnknown(
      { field: field.key, entry, meant },
      { span: field.keySpan, fixes: exchanging(field.keySpan, field.key, meant) },
    ),
  );
}

function checkValue(field: Field, spec: FieldSpec, entry: string, report: RuleContext['report']): void {
  if (!field.value) return;
  const kind = kindOf(field.value);
  if (kind !== undefined && !fits(kind, spec)) {
    report(entryFieldType(holesOf(`\`${field.key}\``, entry, spec.types, kind), { span: field.value.span }));
    return;
  }
  if (field.value.kind === 'array' && !takesObjectItems(spec)) {
    for (const item of field.value.items)
      if (item.kind === 'array' || item.kind === 'object')
        report(entryFieldType(itemHoles(field.key, entry, kindOf(item)), { span: item.span }));
  }
  // Transports are words of a rule of their own, which is an error.
  if (!spec.values || spec.name === 'transport' || field.value.kind !== 'string') return;
  if (spec.values.includes(field.value.value)) return;
  const allowed = spec.values.map(value => `\`${value}\``).join(', ');
  report(
    entryFieldValue(
      { field: field.key, entry, value: field.value.value, allowed },
      { span: field.value.span, fixes: renaming(field.value.span, field.value.value, spec.values) },
    ),
  );
}

type Kind = FieldSpec['types'][number];

const kindWords: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'a number',
  boolean: '`true` or `false`',
  list: 'a list',
  object: 'an object with fields',
};

/** `null` fits everything: it says that there is nothing. A lone variable may become anything. */
function kindOf(value: Value): Kind | undefined {
  switch (value.kind) {
    case 'null':
      return undefined;
    case 'string':
      return value.quote === 'bare' && value.value.startsWith('${') ? undefined : 'text';
    case 'env':
      return 'text';
    case 'array':
      return 'list';
    default:
      return value.kind;
  }
}

function holesOf(field: string, entry: string, types: readonly Kind[], found: Kind | undefined) {
  const expected = either(types.map(type => kindWords[type]));
  return { field, entry, expected, found: found === undefined ? 'empty' : kindWords[found] };
}

const either = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
