import { extendMissing, overrideMissing, sectionBody } from '../generated/diagnostics.ts';
import type { ExtendDeclaration, OverrideDeclaration, Value } from '../syntax/ast.ts';
import { findSection } from '../text/sections.ts';
import { didYouMean } from '../text/similar.ts';
import { entryFieldsOf } from './catalogue.ts';
import { contentOf, type Draft, fieldOf, setField, withField } from './draft.ts';
import { mergeContext, noteAddition, noteReplacement } from './merge-context.ts';
import type { LineOf, Node, ProvenanceStep, ScalarNode } from './program.ts';
import { type Scope, stepAt, toNode, toText } from './values.ts';

/** A change of a document; only an `@override` has a value. */
type DocumentChange = (ExtendDeclaration | OverrideDeclaration) & { readonly value?: Value };

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
  const content = contentOf(fieldOf(draft.blocks.get('documents'), name));
  if (content?.kind !== 'scalar') return undefined;
  const isHeading = next !== undefined && !entryFieldsOf('documents')!.some(field => field.name === next);
  if (!isHeading && (next !== undefined || !isProse)) return undefined;
  const headings = names.slice(2);
  const lines = linesOf(content);
  const texts = lines.map(({ text }) => text);
  return { name, content, lines, headings, found: findSection(texts, headings) };
}

const isProse = ({ body, value }: DocumentChange): boolean =>
  value?.kind === 'string' ||
  (!!body?.items.length && body.items.every(({ kind }) => kind === 'text' || kind === 'item'));

interface Line {
  readonly text: string;
  readonly of?: LineOf;
}

const blank: Line = { text: '' };
const textOf = (lines: readonly Line[]): string => lines.map(({ text }) => text).join('\n');

/**
 * Applies `@extend` or `@override documents.house."Build" { … }` to the section. Returns `false` when the path
 * does not refer to a section.
 */
export function changeDocument(
  declaration: DocumentChange,
  names: readonly string[],
  draft: Draft,
  scope: Scope,
): boolean {
  const place = placeIn(names, draft, isProse(declaration));
  if (!place) return false;
  const { kind, path } = declaration;
  const parts = partsOf(declaration, names, scope);
  if ('missing' in place.found) {
    const { missing, titles } = place.found;
    const holes = { path: names.join('.'), missing, where: `\`documents.${place.name}\`` };
    const finding = kind === 'extend' ? extendMissing : overrideMissing;
    const advice =
      kind === 'extend'
        ? 'A heading of that name is added now. Correct the path, or write the heading into the document.'
        : 'Correct the path, or use `@extend` to add something new.';
    scope.run.report(finding(holes, { span: path.span, hint: didYouMean(missing, titles) + advice }));
  }
  const lines = kind === 'extend' ? extended(place, parts) : overridden(place, parts);
  const step = { ...stepAt(scope, path.span), operation: kind === 'extend' ? 'append' : kind } as const;
  if (lines) setText(draft, place, lines, step, scope);
  return true;
}

/** The lines of a document with parts at the end of the section; `undefined` when it contains them already. */
function extended({ lines, headings, found }: DocumentPlace, parts: Line[][]): Line[] | undefined {
  let added = parts;
  let end = lines.length;
  if ('missing' in found) {
    const { missing, within } = found;
    const depth = within ? within.depth + 1 : 2;
    const titles = headings.slice(headings.indexOf(missing));
    const above = titles.map((title, at) => [{ text: `${'#'.repeat(Math.min(6, depth + at))} ${title}` }]);
    added = [...above, ...parts];
    if (within) end = within.end;
  } else {
    if (found.section) end = found.section.own;
    const present = textOf(lines.slice(found.section?.start ?? 0, end));
    added = parts.filter(part => !`\n${present}\n`.includes(`\n${textOf(part)}\n`));
    if (added.length === 0) return undefined;
  }
  const last = endOfText(lines, end);
  const joins = !('missing' in found) && /^\s*[-*+] /.test(lines[last - 1]?.text ?? '') && isItem(added[0]!);
  return [...lines.slice(0, last), ...(joins ? [] : [blank]), ...spaced(added), ...lines.slice(last)];
}

/** The lines of a document with parts in place of the section; `undefined` when there is none. */
function overridden({ lines, found }: DocumentPlace, parts: Line[][]): Line[] | undefined {
  if ('missing' in found) return undefined;
  const { section } = found;
  const before = section ? [...lines.slice(0, section.body), blank] : [];
  const after = lines.slice(endOfText(lines, section?.end ?? lines.length));
  return [...before, ...spaced(parts), ...(after.length > 0 ? after : [blank])];
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

const linesOfText = (node: ScalarNode, shown: string, from = 0): Line[] =>
  shown.split('\n').map((text, at) => ({ text, of: { node, line: from + at } }));

/** The texts and list items of a change; other values are reported. */
function partsOf({ body, value }: DocumentChange, names: readonly string[], scope: Scope): Line[][] {
  if (value) {
    const node = toNode(value, scope);
    return node.kind === 'scalar' ? [linesOfText(node, String(node.value))] : [];
  }
  const parts = (body?.items ?? []).map(item => {
    if (item.kind === 'text') {
      const node = toText(item.value, scope);
      const text = String(node.value);
      return linesOfText(node, text.replace(/^\n+|\s+$/g, ''), /^\n*/.exec(text)![0].length);
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
