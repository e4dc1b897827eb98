import { extendMissing, overrideMissing, sectionBody } from '../generated/diagnostics.ts';
import type { Body, ExtendDeclaration, OverrideDeclaration } from '../syntax/ast.ts';
import { findSection } from '../text/sections.ts';
import { didYouMean } from '../text/similar.ts';
import { findBlock } from './catalogue.ts';
import { noteAddition, noteReplacement } from './changes.ts';
import { type Draft, fieldOf, type NodeDraft, own, ownBlock, type ScalarDraft, setField } from './draft.ts';
import { merging } from './merging.ts';
import type { LineOf, ScalarNode, Step } from './program.ts';
import type { Scope } from './values.ts';
import { toNode, toText } from './values.ts';

/** A place in the text of a document: below headings, or the document as a whole. */
interface DocumentPath {
  readonly names: readonly string[];
  readonly headings: readonly string[];
}

/**
 * The place in a document that a path names, where it names one: headings behind the name of a document, or the
 * document itself when the body holds only what can be added to a text.
 */
function placeIn(names: readonly string[], draft: Draft, body: Body | undefined): DocumentPath | undefined {
  const [block, name, next] = names;
  if (block !== 'documents' || name === undefined || !textOf(draft, name)) return undefined;
  if (next === undefined) {
    const isProse = body?.items.length && body.items.every(({ kind }) => kind === 'text' || kind === 'item');
    return isProse ? { names, headings: [] } : undefined;
  }
  const fields = findBlock('documents')!.entry!.fields;
  return fields.some(field => field.name === next) ? undefined : { names, headings: names.slice(2) };
}

/** A line of the text of a document, with the line of a source's text that it was. */
interface Line {
  readonly text: string;
  readonly of?: LineOf;
}

const blank: Line = { text: '' };
const textsOf = (lines: readonly Line[]): string[] => lines.map(({ text }) => text);

/** A text or item that is put into a document. */
interface Part {
  readonly text: string;
  readonly lines: readonly Line[];
}

function textOf(draft: Draft, name: string): ScalarDraft | undefined {
  const block = draft.blocks.get('documents');
  const node = block && fieldOf(block, name);
  const text = node?.kind === 'object' ? node.fields.get('content') : node;
  return text?.kind === 'scalar' ? text : undefined;
}

/** `@extend documents.house."Build" { … }`: adds to what stands below the heading. Says whether it was one of these. */
export function extendDocument(
  { path, body }: ExtendDeclaration,
  names: readonly string[],
  draft: Draft,
  scope: Scope,
): boolean {
  const place = placeIn(names, draft, body);
  if (!place) return false;
  const added = proseOf(body, names, scope);
  const lines = linesOf(draft, names);
  const found = findSection(textsOf(lines), place.headings);
  if ('missing' in found) {
    const { missing, within, titles } = found;
    const where = `\`${names.slice(0, names.length - place.headings.length).join('.')}\``;
    const hint = `${didYouMean(missing, titles)}A heading of that name is added now. Correct the path, or write the heading into the document.`;
    scope.run.report(extendMissing({ path: names.join('.'), missing, where }, { span: path.span, hint }));
    const rest = place.headings.slice(place.headings.indexOf(missing));
    const depth = within ? within.depth + 1 : 2;
    const headings = rest.map((title, index): Part => {
      const text = `${'#'.repeat(Math.min(6, depth + index))} ${title}`;
      return { text, lines: [{ text }] };
    });
    const end = within ? within.end : lines.length;
    const kept = lastLine(lines, end);
    change(
      draft,
      names,
      [...lines.slice(0, kept), blank, ...spaced(headings), blank, ...spaced(added), ...lines.slice(kept)],
      'append',
      path.span,
      scope,
    );
    return true;
  }
  const { section } = found;
  const end = section ? section.own : lines.length;
  const known = textsOf(lines.slice(section?.start ?? 0, end));
  const fresh = added.filter(({ text }) => !`\n${known.join('\n')}\n`.includes(`\n${text}\n`));
  if (fresh.length === 0) return true;
  const kept = lastLine(lines, end);
  const goesOn = /^\s*[-*+] /.test(lines[kept - 1]?.text ?? '') && fresh[0]!.text.startsWith('- ');
  const text = [...lines.slice(0, kept), ...(goesOn ? [] : [blank]), ...spaced(fresh), ...lines.slice(kept)];
  change(draft, names, text, 'append', path.span, scope);
  return true;
}

/** `@override documents.house."Build" { … }`: puts something else below the heading. Says whether it was one of these. */
export function overrideDocument(
  { path, body, value }: OverrideDeclaration,
  names: readonly string[],
  draft: Draft,
  scope: Scope,
): boolean {
  const place = placeIn(names, draft, body);
  if (!place && !(names.length === 2 && names[0] === 'documents' && value?.kind === 'string')) return false;
  if (!textOf(draft, names[1]!)) return false;
  const written = value ? toNode(value, scope) : undefined;
  const text = body
    ? proseOf(body, names, scope)
    : [partOf(written?.kind === 'scalar' ? written : undefined)];
  const lines = linesOf(draft, names);
  const found = findSection(textsOf(lines), place?.headings ?? []);
  if ('missing' in found) {
    const hint = `${didYouMean(found.missing, found.titles)}Correct the path, or use \`@extend\` to add something new.`;
    const holes = { path: names.join('.'), missing: found.missing, where: `\`documents.${names[1]}\`` };
    scope.run.report(overrideMissing(holes, { span: path.span, hint }));
    return true;
  }
  const { section } = found;
  const start = section ? section.body : 0;
  const end = section?.end ?? lines.length;
  const rest = lines.slice(lastLine(lines, end));
  const before = section ? [...lines.slice(0, start), blank] : [];
  change(
    draft,
    names,
    [...before, ...spaced(text), ...(rest.length > 0 ? rest : [blank])],
    'override',
    path.span,
    scope,
  );
  return true;
}

function linesOf(draft: Draft, [, name]: readonly string[]): Line[] {
  const node = textOf(draft, name!)!;
  const texts = String(node.value).split('\n');
  if (node.lines?.length === texts.length)
    return texts.map((text, at) => ({ text, ...(node.lines![at] && { of: node.lines![at] }) }));
  const before = { ...node };
  return texts.map((text, line) => ({ text, of: { node: before, line } }));
}

/** Behind the last line before `end` that is not blank. */
function lastLine(lines: readonly Line[], end: number): number {
  let at = end;
  while (at > 0 && lines[at - 1]!.text.trim() === '') at--;
  return at;
}

/** Parts with empty lines between them; items of a list stand together. */
const spaced = (parts: readonly Part[]): Line[] =>
  parts.flatMap(({ text, lines }, index) => {
    const joins = index > 0 && text.startsWith('- ') && parts[index - 1]!.text.startsWith('- ');
    return [...(index > 0 && !joins ? [blank] : []), ...lines];
  });

/** A text with the lines of its source; `shown` is how they stand in the document, `from` the first of them. */
function partOf(node: ScalarNode | undefined, shown = String(node?.value ?? ''), from = 0): Part {
  const lines = shown
    .split('\n')
    .map((text, at): Line => ({ text, ...(node && { of: { node, line: from + at } }) }));
  return { text: shown, lines };
}

/** The texts and items of a body as Markdown, one part each. */
function proseOf(body: Body, names: readonly string[], scope: Scope): Part[] {
  const parts: Part[] = [];
  for (const item of body.items) {
    if (item.kind === 'text') {
      const node = toText(item.value, scope);
      const value = String(node.value);
      const from = /^\n*/.exec(value)![0].length;
      parts.push(partOf(node, value.replace(/^\n+|\s+$/g, ''), from));
    } else if (item.kind === 'item') {
      const node: NodeDraft = toNode(item.value, scope);
      if (node.kind === 'scalar') parts.push(partOf(node, `- ${String(node.value).replace(/\n/g, '\n  ')}`));
    } else scope.run.report(sectionBody({ path: names.join('.') }, { span: item.span }));
  }
  return parts.filter(({ text }) => text !== '');
}

/** Gives a document another text, with the step on everything that holds it. */
function change(
  draft: Draft,
  [, name]: readonly string[],
  lines: readonly Line[],
  operation: Step['operation'],
  span: Step['span'],
  { run, layer }: Scope,
): void {
  const text = textsOf(lines).join('\n');
  const step: Step = { operation, span, layer };
  const around: Step = { operation: 'merge', span, layer };
  const block = ownBlock(draft, 'documents')!;
  const content = own(textOf(draft, name!)!, draft.owner);
  const m = merging(run, draft.owner);
  m.path.push('documents', name!, 'content');
  if (operation === 'override') noteReplacement(m, { ...content }, { ...content, value: text }, step);
  else noteAddition(m, content, step);
  content.value = text;
  content.lines = lines.map(line => line.of);
  content.steps.push(step);
  block.steps.push(around);
  const node = fieldOf(block, name!)!;
  if (node.kind !== 'object') {
    setField(block, name!, content);
    return;
  }
  const mine = own(node, draft.owner);
  mine.fields.set('content', content);
  mine.steps.push(around);
  setField(block, name!, mine);
}
