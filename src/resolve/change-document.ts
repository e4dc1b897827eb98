import { extendMissing, overrideMissing, sectionBody } from '../generated/diagnostics.ts';
import type { Body, ExtendDeclaration, OverrideDeclaration } from '../syntax/ast.ts';
import { findSection } from '../text/sections.ts';
import { didYouMean } from '../text/similar.ts';
import { entryFieldsOf } from './catalogue.ts';
import { type Draft, fieldOf, setField, withField } from './draft.ts';
import { mergeContext, noteAddition, noteReplacement } from './merge-context.ts';
import type { LineOf, Node, ProvenanceStep, ScalarNode } from './program.ts';
import { type Scope, stepAt, toNode, toText } from './values.ts';

/** The part of a document that a path refers to: the document with its text, and a path of headings. */
interface DocumentPlace {
  readonly name: string;
  readonly content: ScalarNode;
  readonly lines: readonly Line[];
  readonly headings: readonly string[];
  /** The section of the last heading (none means the whole text), or the heading that is missing. */
  readonly found: ReturnType<typeof findSection>;
}

/**
 * Resolves a path into a document: headings after the name of the document, or the whole text when `isProse`
 * (the body has only texts and items, or the value is a text). `undefined` for any other path.
 */
function placeIn(names: readonly string[], draft: Draft, isProse: boolean): DocumentPlace | undefined {
  const [block, name, next] = names;
  if (block !== 'documents' || name === undefined) return undefined;
  const node = fieldOf(draft.blocks.get('documents'), name);
  const content = node?.kind === 'object' ? node.fields.get('content') : node;
  if (content?.kind !== 'scalar') return undefined;
  const isHeading = next !== undefined && !entryFieldsOf('documents')!.some(field => field.name === next);
  if (!isHeading && (next !== undefined || !isProse)) return undefined;
  const headings = names.slice(2);
  const lines = linesOf(content);
  const texts = lines.map(({ text }) => text);
  return { name, content, lines, headings, found: findSection(texts, headings) };
}

const isProse = (body: Body | undefined): boolean =>
  !!body?.items.length && body.items.every(({ kind }) => kind === 'text' || kind === 'item');

interface Line {
  readonly text: string;
  readonly of?: LineOf;
}

const blank: Line = { text: '' };
const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

/**
 * Applies `@extend documents.house."Build" { … }` to the section. Returns `false` when the path does not
 * refer to a section.
 */
export function extendDocument(
  { path, body }: ExtendDeclaration,
  names: readonly string[],
  draft: Draft,
  scope: Scope,
): boolean {
  const place = placeIn(names, draft, isProse(body));
  if (!place) return false;
  const { lines, found } = place;
  const parts = partsOfBody(body, names, scope);
  let added = parts;
  let end = lines.length;
  if ('missing' in found) {
    const { missing, within, titles } = found;
    const where = `\`${names.slice(0, 2).join('.')}\``;
    const hint = `${didYouMean(missing, titles)}A heading of that name is added now. Correct the path, or write the heading into the document.`;
    scope.run.report(extendMissing({ path: names.join('.'), missing, where }, { span: path.span, hint }));
    const depth = within ? within.depth + 1 : 2;
    const headings = place.headings
      .slice(place.headings.indexOf(missing))
      .map((title, index) => [{ text: `${'#'.repeat(Math.min(6, depth + index))} ${title}` }]);
    added = [...headings, ...parts];
    if (within) end = within.end;
  } else {
    if (found.section) end = found.section.own;
    const known = textOf(lines.slice(found.section?.start ?? 0, end));
    added = parts.filter(part => !`\n${known}\n`.includes(`\n${textOf(part)}\n`));
    if (added.length === 0) return true;
  }
  const last = endOfText(lines, end);
  const joins = !('missing' in found) && /^\s*[-*+] /.test(lines[last - 1]?.text ?? '') && isItem(added[0]!);
  const text = [...lines.slice(0, last), ...(joins ? [] : [blank]), ...spaced(added), ...lines.slice(last)];
  setText(draft, place, text, { ...stepAt(scope, path.span), operation: 'append' }, scope);
  return true;
}

/**
 * Applies `@override documents.house."Build" { … }` to the section. Returns `false` when the path does not
 * refer to a section.
 */
export function overrideDocument(
  { path, body, value }: OverrideDeclaration,
  names: readonly string[],
  draft: Draft,
  scope: Scope,
): boolean {
  const place = placeIn(names, draft, isProse(body) || value?.kind === 'string');
  if (!place) return false;
  const written = value && toNode(value, scope);
  const parts = body
    ? partsOfBody(body, names, scope)
    : [linesOfText(written?.kind === 'scalar' ? written : undefined)];
  const { lines, found } = place;
  if ('missing' in found) {
    const hint = `${didYouMean(found.missing, found.titles)}Correct the path, or use \`@extend\` to add something new.`;
    const holes = { path: names.join('.'), missing: found.missing, where: `\`documents.${place.name}\`` };
    scope.run.report(overrideMissing(holes, { span: path.span, hint }));
    return true;
  }
  const { section } = found;
  const before = section ? [...lines.slice(0, section.body), blank] : [];
  const rest = lines.slice(endOfText(lines, section?.end ?? lines.length));
  const text = [...before, ...spaced(parts), ...(rest.length > 0 ? rest : [blank])];
  setText(draft, place, text, { ...stepAt(scope, path.span), operation: 'override' }, scope);
  return true;
}

function linesOf(node: ScalarNode): Line[] {
  const texts = String(node.value).split('\n');
  if (node.lines?.length !== texts.length) return texts.map((text, line) => ({ text, of: { node, line } }));
  return texts.map((text, line) => ({ text, ...(node.lines![line] && { of: node.lines![line] }) }));
}

function endOfText(lines: readonly Line[], end: number): number {
  let at = end;
  while (at > 0 && lines[at - 1]!.text.trim() === '') at--;
  return at;
}

const isItem = (part: readonly Line[]): boolean => part[0]?.text.startsWith('- ') ?? false;

/** Joins parts with blank lines; list items are not separated. */
const spaced = (parts: readonly (readonly Line[])[]): Line[] =>
  parts.flatMap((part, index) => {
    const joins = index > 0 && isItem(part) && isItem(parts[index - 1]!);
    return index > 0 && !joins ? [blank, ...part] : part;
  });

const linesOfText = (node: ScalarNode | undefined, shown = String(node?.value ?? ''), from = 0): Line[] =>
  shown.split('\n').map((text, at) => ({ text, ...(node && { of: { node, line: from + at } }) }));

function partsOfBody(body: Body, names: readonly string[], scope: Scope): Line[][] {
  const parts = body.items.map(item => {
    if (item.kind === 'text') {
      const node = toText(item.value, scope);
      const value = String(node.value);
      const from = /^\n*/.exec(value)![0].length;
      return linesOfText(node, value.replace(/^\n+|\s+$/g, ''), from);
    }
    const node: Node | undefined = item.kind === 'item' ? toNode(item.value, scope) : undefined;
    if (node?.kind === 'scalar') return linesOfText(node, `- ${String(node.value).replace(/\n/g, '\n  ')}`);
    if (!node) scope.run.report(sectionBody({ path: names.join('.') }, { span: item.span }));
    return [];
  });
  return parts.filter(part => textOf(part) !== '');
}

/** Sets the text of a document and adds a provenance step to everything that contains it. */
function setText(
  draft: Draft,
  { name, content }: DocumentPlace,
  lines: readonly Line[],
  step: ProvenanceStep,
  scope: Scope,
): void {
  const m = mergeContext(scope.run);
  m.path.push('documents', name, 'content');
  const text: ScalarNode = {
    ...content,
    value: textOf(lines),
    lines: lines.map(line => line.of),
    steps: [...content.steps, step],
  };
  if (step.operation === 'override') noteReplacement(m, content, text, step);
  else noteAddition(m, content, step);
  const around: ProvenanceStep = { ...step, operation: 'merge' };
  const block = draft.blocks.get('documents')!;
  const node = fieldOf(block, name)!;
  block.steps.push(around);
  setField(
    block,
    name,
    node.kind === 'object' ? { ...withField(node, 'content', text), steps: [...node.steps, around] } : text,
  );
}
