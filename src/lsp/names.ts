import { collectionOf, describeCollection } from '../model/collections.ts';
import { canonicalBlock, entryField, findBlock, refersToField } from '../resolve/catalogue.ts';
import { readSourceHead } from '../resolve/markdown.ts';
import type { ItemUnit, SkillUnit, SourceUnit, Unit } from '../resolve/program.ts';
import type { BodyItem, Declaration, Field, Value } from '../syntax/ast.ts';
import { isIdentifier } from '../syntax/print.ts';
import { memoizeByObject } from '../text/memo.ts';
import type { Span } from '../text/source.ts';

/** A place where a source names an entry: in its declaration, a change or a reference. */
export interface Mention {
  readonly block: string;
  /** The name as tools know it, without the prefix that keys of some blocks have. */
  readonly name: string;
  /** The span of the name without quotes and prefix. */
  readonly span: Span;
  readonly declares: boolean;
  /** Whether it is quoted. */
  readonly quoted: boolean;
  /** Whether it is in front matter or JSON, which have other quoting rules. */
  readonly foreign: boolean;
}

/** Every mention of an entry in a file of the program. */
export const mentionsIn = memoizeByObject((unit: Unit): readonly Mention[] => {
  if (unit.kind === 'source') return mentionsOfSource(unit);
  if (unit.kind === 'skill' || unit.kind === 'item') return mentionsOfMarkdown(unit);
  return [];
});

/** Normalizes a name: two names of the same entry are equal afterwards. */
export function normalizeName(block: string, name: string): string {
  const collection = collectionOf(block);
  const prefix = collection && describeCollection(collection).prefix;
  return prefix !== undefined && name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The mention at an offset of a file. */
export const mentionAt = (unit: Unit, offset: number): Mention | undefined =>
  mentionsIn(unit).find(({ span }) => span.start <= offset && offset <= span.end);

/** All mentions of the same entry, in file order. */
export const mentionsOf = (units: readonly Unit[], { block, name }: Mention): (Mention & { unit: Unit })[] =>
  units.flatMap(unit =>
    mentionsIn(unit).flatMap(one => (one.block === block && one.name === name ? [{ ...one, unit }] : [])),
  );

/** The text for a new name at a mention; `undefined` when the name cannot be written there. */
export function nameText({ quoted, foreign }: Mention, name: string): string | undefined {
  if (/["'\\\r\n]/.test(name) || name.trim() === '') return undefined;
  if (quoted || isIdentifier(name)) return name;
  return foreign ? undefined : `"${name}"`;
}

function mentionsOfSource({ document }: SourceUnit): Mention[] {
  const mentions: Mention[] = [];
  for (const declaration of document.declarations) addDeclaration(declaration);
  return mentions;

  function addDeclaration(declaration: Declaration): void {
    if (declaration.kind === 'block') addEntries(canonicalBlock(declaration.name), declaration.body.items);
    if (declaration.kind !== 'extend' && declaration.kind !== 'override') return;
    const names = declaration.path.segments;
    const at = names.findIndex(({ name }) => findBlock(name));
    if (at === -1 || at > 1) return;
    const block = canonicalBlock(names[at]!.name);
    const [entry, field] = names.slice(at + 1);
    const items = declaration.body?.items ?? [];
    if (!findBlock(block)?.entry) return;
    if (!entry) addEntries(block, items);
    else add(block, entry.name, entry.span, false);
    if (entry && !field) addFields(block, items);
    if (!field) return;
    if (declaration.kind === 'override' && declaration.value)
      addReferences(block, field.name, declaration.value);
    for (const item of items) if (item.kind === 'item') addReferences(block, field.name, item.value);
  }

  function addEntries(block: string, items: readonly BodyItem[]): void {
    const { entry, fields = [] } = findBlock(block) ?? {};
    if (!entry) return;
    for (const item of items) {
      if (item.kind !== 'field' || fields.some(field => refersToField(field, item.key))) continue;
      add(block, item.key, item.keySpan, true);
      if (item.value?.kind === 'object') addFields(block, item.value.fields);
    }
  }

  function addFields(block: string, items: readonly (BodyItem | Field)[]): void {
    for (const item of items)
      if (item.kind === 'field' && item.value) addReferences(block, item.key, item.value);
  }

  function addReferences(block: string, key: string, value: Value): void {
    const refers = entryField(block, key)?.refers;
    if (refers === undefined) return;
    if (value.kind === 'array') for (const item of value.items) addReferences(block, key, item);
    if (value.kind === 'string') add(refers, value.value, value.span, false);
  }

  function add(block: string, name: string, span: Span, declares: boolean): void {
    const quoted = /["']/.test(span.source.text[span.start] ?? '');
    const inner = quoted ? { ...span, start: span.start + 1, end: span.end - 1 } : span;
    mentions.push({ ...marked(block, name, inner), declares, quoted, foreign: false });
  }
}

/** Splits off the `!` of a negation and the prefix of the block, and adapts the span. */
function marked(block: string, name: string, span: Span): Pick<Mention, 'block' | 'name' | 'span'> {
  const bare = name.startsWith('!') ? name.slice(1) : name;
  const plain = normalizeName(block, bare);
  const start = Math.min(span.end, span.start + name.length - plain.length);
  return { block, name: plain, span: { ...span, start } };
}

function mentionsOfMarkdown(unit: SkillUnit | ItemUnit): Mention[] {
  const { source } = unit;
  const block = unit.kind === 'skill' ? 'skills' : unit.block;
  const head = readSourceHead(source);
  const mentions: Mention[] = [];
  const add = (of: string, name: string, place: Span, declares: boolean) => {
    const at = source.text.slice(place.start, place.end).indexOf(name);
    const start = place.start + Math.max(0, at);
    const quoted = /["']/.test(source.text[start - 1] ?? '');
    const span = { source, start, end: at === -1 ? start : start + name.length };
    mentions.push({ ...marked(of, name, span), declares, quoted, foreign: true });
  };
  const named = head.fields.get('name');
  if (typeof named === 'string') add(block, named, head.spanOf(['name']), true);
  else add(block, unit.kind === 'skill' ? unit.folder : unit.name, { source, start: 0, end: 0 }, true);
  for (const [key, value] of head.fields) {
    const refers = entryField(block, key)?.refers;
    if (refers === undefined) continue;
    if (typeof value === 'string') add(refers, value, head.spanOf([key]), false);
    else if (Array.isArray(value))
      for (const [index, item] of value.entries())
        if (typeof item === 'string') add(refers, item, head.spanOf([key, index]), false);
  }
  return mentions;
}
