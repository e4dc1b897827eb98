import { collectionOf, describeCollection } from '../model/collections.ts';
import { canonicalBlock, entryFieldsOf, fieldNamed, findBlock } from '../resolve/catalogue.ts';
import { readSourceHead } from '../resolve/markdown.ts';
import type { ItemUnit, SkillUnit, SourceUnit, Unit } from '../resolve/program.ts';
import type { BodyItem, Declaration, Field, Identifier, Value } from '../syntax/ast.ts';
import { isIdentifier } from '../syntax/print-values.ts';
import { perObject } from '../text/memo.ts';
import type { Span } from '../text/source.ts';

/** A place where a source says the name of an entry: where it is declared, changed or called. */
export interface Mention {
  readonly block: string;
  /** As tools know it: without the mark that keys of some blocks begin with. */
  readonly name: string;
  /** The name alone, without quotes and marks. */
  readonly span: Span;
  readonly declares: boolean;
  /** It stands between quotes. */
  readonly quoted: boolean;
  /** In front matter and JSON, where other quotes may be needed. */
  readonly foreign: boolean;
}

/** Every mention of an entry in a file of the program. */
export const mentionsIn = perObject((unit: Unit): readonly Mention[] => {
  if (unit.kind === 'source') return mentionsOfSource(unit);
  if (unit.kind === 'skill' || unit.kind === 'item') return mentionsOfMarkdown(unit);
  return [];
});

/** Names that mean one entry of a block are equal after this. */
export function plainName(block: string, name: string): string {
  const collection = collectionOf(block);
  const prefix = collection && describeCollection(collection).prefix;
  return prefix !== undefined && name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/** The mention that an offset of a file stands in. */
export const mentionAt = (unit: Unit, offset: number): Mention | undefined =>
  mentionsIn(unit).find(({ span }) => span.start <= offset && offset <= span.end);

/** All mentions of the same entry, in the order of the files. */
export const mentionsOf = (units: readonly Unit[], { block, name }: Mention): (Mention & { unit: Unit })[] =>
  units.flatMap(unit =>
    mentionsIn(unit).flatMap(one => (one.block === block && one.name === name ? [{ ...one, unit }] : [])),
  );

/** What is written for a new name at a mention; `undefined` where no form of it can stand there. */
export function writtenName({ quoted, foreign }: Mention, name: string): string | undefined {
  if (/["'\\\r\n]/.test(name) || name.trim() === '') return undefined;
  if (quoted || isIdentifier(name)) return name;
  return foreign ? undefined : `"${name}"`;
}

function mentionsOfSource({ document }: SourceUnit): Mention[] {
  const found: Mention[] = [];
  for (const declaration of document.declarations) addDeclaration(declaration);
  return found;

  function addDeclaration(declaration: Declaration): void {
    if (declaration.kind === 'block') addEntries(canonicalBlock(declaration.name), declaration.body.items);
    if (declaration.kind !== 'extend' && declaration.kind !== 'override') return;
    const names = declaration.path.segments;
    const at = names.findIndex(({ name }) => findBlock(name));
    if (at === -1 || at > 1) return;
    const block = canonicalBlock(names[at]!.name);
    const [entry, field] = names.slice(at + 1);
    if (!findBlock(block)?.entry) return;
    if (entry) add(block, entry.name, entry.span, false);
    const items = declaration.body?.items ?? [];
    if (!entry) addEntries(block, items);
    else if (!field) addFields(block, items);
    else
      addReferences(block, field, [
        ...(declaration.kind === 'override' && declaration.value ? [declaration.value] : []),
        ...items.flatMap(item => (item.kind === 'item' ? [item.value] : [])),
      ]);
  }

  function addEntries(block: string, items: readonly BodyItem[]): void {
    if (!findBlock(block)?.entry) return;
    const own = findBlock(block)?.fields ?? [];
    for (const item of items) {
      if (item.kind !== 'field' || own.some(field => fieldNamed(field, item.key))) continue;
      add(block, item.key, item.keySpan, true);
      if (item.value?.kind === 'object') addFields(block, item.value.fields);
    }
  }

  function addFields(block: string, items: readonly (BodyItem | Field)[]): void {
    for (const item of items)
      if (item.kind === 'field' && item.value)
        addReferences(block, { name: item.key, span: item.keySpan }, [item.value]);
  }

  function addReferences(block: string, { name }: Identifier, values: readonly Value[]): void {
    const refers = entryFieldsOf(block)?.find(field => fieldNamed(field, name))?.refers;
    if (refers === undefined) return;
    for (const value of values) {
      if (value.kind === 'array') addReferences(block, { name, span: value.span }, value.items);
      else if (value.kind === 'string') add(refers, value.value, value.span, false);
    }
  }

  function add(block: string, name: string, span: Span, declares: boolean): void {
    const quoted = /["']/.test(span.source.text[span.start] ?? '');
    const inner = quoted ? { ...span, start: span.start + 1, end: span.end - 1 } : span;
    found.push({ ...marked(block, name, inner), declares, quoted, foreign: false });
  }
}

/** A name without the `!` that takes it away and the mark of its block, with the place of the rest. */
function marked(block: string, name: string, span: Span): Pick<Mention, 'block' | 'name' | 'span'> {
  const bare = name.startsWith('!') ? name.slice(1) : name;
  const plain = plainName(block, bare);
  const start = Math.min(span.end, span.start + name.length - plain.length);
  return { block, name: plain, span: { ...span, start } };
}

function mentionsOfMarkdown(unit: SkillUnit | ItemUnit): Mention[] {
  const { source } = unit;
  const block = unit.kind === 'skill' ? 'skills' : unit.block;
  const head = readSourceHead(source);
  const found: Mention[] = [];
  const add = (of: string, name: string, place: Span, declares: boolean) => {
    const text = source.text.slice(place.start, place.end);
    const at = text.indexOf(name);
    const start = at === -1 ? place.start : place.start + at;
    const quoted = /["']/.test(source.text[start - 1] ?? '');
    const span = { source, start, end: at === -1 ? start : start + name.length };
    found.push({ ...marked(of, name, span), declares, quoted, foreign: true });
  };
  const named = head.fields.get('name');
  if (typeof named === 'string') add(block, named, head.spanOf(['name']), true);
  else add(block, unit.kind === 'skill' ? unit.folder : unit.name, { source, start: 0, end: 0 }, true);
  for (const [key, value] of head.fields) {
    const refers = entryFieldsOf(block)?.find(field => fieldNamed(field, key))?.refers;
    if (refers === undefined) continue;
    if (typeof value === 'string') add(refers, value, head.spanOf([key]), false);
    else if (Array.isArray(value))
      for (const [index, one] of value.entries())
        if (typeof one === 'string') add(refers, one, head.spanOf([key, index]), false);
  }
  return found;
}
