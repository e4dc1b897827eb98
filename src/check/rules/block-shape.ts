import type { Block, Field as FieldSpec } from '../../generated/blocks.ts';
import {
  dataMissingField,
  entryFieldType,
  entryFieldUnknown,
  entryFieldValue,
  headerWithoutSection,
  blockShape as wrongShape,
} from '../../generated/diagnostics.ts';
import { allowsObjectItems, findBlock } from '../../resolve/catalogue.ts';
import type { Node } from '../../resolve/program.ts';
import { sectionTitles } from '../../resolve/section-titles.ts';
import type { BlockDeclaration, BodyItem, Field, Value } from '../../syntax/ast.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { renameFix, replaceWordFix } from '../../text/diagnostics/fixes.ts';
import { joinWithOr } from '../../text/names.ts';
import { didYouMean, suggest } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';
import { sourceUnits } from '../documents.ts';
import { firstSpan, objectEntries } from '../nodes.ts';
import type { Rule, RuleContext } from '../rule.ts';

/** Warns about content of an unexpected type, which is kept. */
export const blockShape: Rule = {
  name: 'block-shape',
  severity: 'warning',
  help: 'Blocks and their entries have the shape of the block catalogue.',
  check: context => {
    checkTitles(context);
    for (const { document } of sourceUnits(context.program)) {
      for (const declaration of document.declarations) {
        const block = declaration.kind === 'block' ? findBlock(declaration.name) : undefined;
        // The fields of `@meta` have separate rules; those of `@params` are declarations, not values.
        if (declaration.kind !== 'block' || !block || block.name === 'meta' || block.name === 'params')
          continue;
        checkBlock(declaration, block, context);
      }
    }
    for (const name of ['skills', 'shortcuts', 'guards']) checkMarkdown(name, context);
  },
};

/** Entries from Markdown have no declaration, so the values of their front matter are checked. */
function checkMarkdown(name: string, { program, report }: RuleContext): void {
  const specs = findBlock(name)?.entry?.fields ?? [];
  const declared = new Set(sourceUnits(program).map(({ document }) => document.source));
  for (const { name: key, node } of objectEntries(program, name)) {
    for (const [field, value] of node.fields) {
      const spec = specs.find(one => one.name === field);
      const span = firstSpan(value);
      if (!spec || !span || declared.has(span.source)) continue;
      const entry = `\`${name}.${key}\``;
      if (value.kind === 'scalar') checkWord(String(value.value), spec, entry, span, report);
      // Front matter of rules uses the types of many tools.
      if (name === 'guards') continue;
      const kind = kindOfNode(value);
      if (kind !== undefined && !fits(kind, spec)) {
        const named = holesOf(`\`${field}\``, entry, spec.types, kind);
        report(entryFieldType(named, { span }));
      } else if (value.kind === 'list' && !allowsObjectItems(spec))
        for (const item of value.items)
          if (item.kind !== 'scalar') {
            const holes = itemHoles(field, entry, kindOfNode(item));
            report(entryFieldType(holes, { span: firstSpan(item) ?? span }));
          }
    }
  }
}

function kindOfNode(node: Node): Kind | undefined {
  if (node.kind !== 'scalar') return node.kind;
  if (node.value === null) return undefined;
  return typeof node.value === 'string' ? 'text' : (typeof node.value as 'number' | 'boolean');
}

/** Unquoted numbers and dates count as texts. */
const fits = (kind: Kind, spec: FieldSpec): boolean =>
  spec.types.includes(kind) || (kind === 'number' && spec.types.includes('text'));

const itemHoles = (field: string, entry: string, kind: Kind | undefined) =>
  holesOf(`An item of \`${field}\``, entry, ['text'], kind);

/** Titles are checked in the whole program, because the section may be in another file. */
function checkTitles({ program, report }: RuleContext): void {
  for (const block of program.blocks.values()) {
    for (const { key, title, names } of sectionTitles(block).unknown) {
      const near = didYouMean(key, names);
      const span = title.steps[0]?.span;
      const where = { span, ...(near !== '' && { hint: near.trim() }) };
      report(headerWithoutSection({ key, block: block.name }, where));
    }
  }
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
  const reported = new Set<BodyPart>();
  for (const item of declaration.body.items) {
    const part = partOf(item, block);
    if (part && !block.body.includes(part) && !reported.has(part)) {
      reported.add(part);
      const expected = joinWithOr(block.body.map(one => partWords[one]));
      report(wrongShape({ block: declaration.name, found: partWords[part], expected }, { span: item.span }));
    }
    if (item.kind === 'field') checkBlockField(item, declaration.name, block, report);
    if (item.kind === 'item' && item.value.kind === 'object' && block.items)
      checkItem(item.value, `an item of \`@${declaration.name}\``, block.items, report);
  }
}

/** The part of a body that an item belongs to; titles are allowed everywhere. */
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

/** Fields that separate rules check, with errors. */
const checkedByOtherRules: ReadonlySet<string> = new Set([
  'hooks.event',
  'hooks.command',
  'hooks.script',
  'hooks.script.path',
  'hooks.script.interpreter',
  'hooks.timeoutMs',
]);

function checkBlockField(field: Field, name: string, block: Block, report: Report): void {
  const own = block.fields?.find(spec => spec.name === field.key);
  if (own) checkValue(field, own, `\`@${name}\``, report);
  if (own || !block.entry || !field.value) return;
  const entry = `\`${block.name}.${field.key}\``;
  if (field.value.kind === 'object') {
    checkFields(field.value.fields, block.entry.fields, entry, block.name, report);
    return;
  }
  const kind = kindOf(field.value);
  if (kind === undefined || block.entry.types.includes(kind) || block.body.includes('fields')) return;
  report(entryFieldType(holesOf(entry, `\`@${name}\``, block.entry.types, kind), { span: field.value.span }));
}

/** Checks that a list item that is an object has its required fields. */
function checkItem(
  { fields, span }: Extract<Value, { kind: 'object' }>,
  item: string,
  specs: readonly FieldSpec[],
  report: Report,
): void {
  checkFields(fields, specs, item, '', report);
  const missing = specs.find(spec => spec.required && !fields.some(({ key }) => key === spec.name));
  if (missing) report(dataMissingField({ field: missing.name, place: `in ${item}` }, { span }));
}

/**
 * Checks the fields of an object. `path` is the path in the catalogue, used to skip fields that other rules
 * check.
 */
function checkFields(
  fields: readonly Field[],
  specs: readonly FieldSpec[],
  entry: string,
  path: string,
  report: Report,
): void {
  for (const field of fields) {
    const spec = specs.find(one => one.name === field.key || one.keys?.includes(field.key));
    if (!spec) reportMisspelt(field, specs, entry, report);
    else {
      const at = `${path}.${spec.name}`;
      if (!checkedByOtherRules.has(at)) checkValue(field, spec, entry, report);
      if (field.value?.kind === 'object')
        checkMembers(field.key, field.value.fields, spec, entry, at, report);
    }
  }
}

/** Checks the members of an object: overlays for single tools, texts by name, or fields of the catalogue. */
function checkMembers(
  key: string,
  members: readonly Field[],
  spec: FieldSpec,
  entry: string,
  path: string,
  report: Report,
): void {
  const inside = `${entry.slice(0, -1)}.${key}\``;
  if (spec.members === 'entry') {
    const [block = ''] = path.split('.');
    const specs = findBlock(block)?.entry?.fields.filter(({ name }) => name !== spec.name) ?? [];
    for (const { key: target, value } of members)
      if (value?.kind === 'object')
        checkFields(value.fields, specs, `${inside.slice(0, -1)}.${target}\``, '', report);
  } else if (spec.members === 'single') {
    // Booleans are accepted as texts.
    for (const member of members)
      if (member.value?.kind !== 'boolean')
        checkValue(member, { name: member.key, types: ['text'] }, inside, report);
  } else if (spec.fields) checkFields(members, spec.fields, inside, path, report);
}

/** Unknown fields are allowed, because a tool may know them; only near misses of known names are reported. */
function reportMisspelt(field: Field, specs: readonly FieldSpec[], entry: string, report: Report): void {
  const meant = suggest(
    field.key,
    specs.flatMap(spec => [spec.name, ...(spec.keys ?? [])]),
  );
  if (meant === undefined) return;
  const where = { span: field.keySpan, fixes: replaceWordFix(field.keySpan, field.key, meant) };
  report(entryFieldUnknown({ field: field.key, entry, meant }, where));
}

function checkValue(field: Field, spec: FieldSpec, entry: string, report: Report): void {
  if (!field.value) return;
  const kind = kindOf(field.value);
  if (kind !== undefined && !fits(kind, spec)) {
    report(entryFieldType(holesOf(`\`${field.key}\``, entry, spec.types, kind), { span: field.value.span }));
    return;
  }
  if (field.value.kind === 'array' && !allowsObjectItems(spec)) {
    for (const item of field.value.items)
      if (item.kind === 'array' || item.kind === 'object')
        report(entryFieldType(itemHoles(field.key, entry, kindOf(item)), { span: item.span }));
  }
  if (field.value.kind === 'string') checkWord(field.value.value, spec, entry, field.value.span, report);
}

/** Reports a text that is not an allowed value of a field. */
function checkWord(
  value: string,
  { name: field, values }: FieldSpec,
  entry: string,
  span: Span,
  report: Report,
): void {
  // Transports are checked by a separate rule, as an error.
  if (!values || field === 'transport' || values.includes(value)) return;
  const allowed = values.map(word => `\`${word}\``).join(', ');
  report(entryFieldValue({ field, entry, value, allowed }, { span, fixes: renameFix(span, value, values) }));
}

type Kind = FieldSpec['types'][number];

const kindWords: Readonly<Record<Kind, string>> = {
  text: 'text',
  number: 'a number',
  boolean: '`true` or `false`',
  list: 'a list',
  object: 'an object with fields',
};

const kindAdvice: Readonly<Record<Kind, string>> = {
  text: 'Write a text in quotes: `"…"`.',
  number: 'Write a number without quotes.',
  boolean: 'Write `true` or `false` without quotes.',
  list: 'Write a list of texts: `["…", "…"]`.',
  object: 'Write fields in braces: `{ key: "…" }`.',
};

/** The type of a value; `null` and a lone variable fit every type. */
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
  const expected = joinWithOr(types.map(type => kindWords[type]));
  const advice = kindAdvice[types[0] ?? 'text'];
  return { field, entry, expected, found: found === undefined ? 'empty' : kindWords[found], advice };
}
