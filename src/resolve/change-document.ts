import { extendMissing, overrideMissing, sectionBody } from '../generated/diagnostics.ts';
import type { Body, ExtendDeclaration, OverrideDeclaration } from '../syntax/ast.ts';
import { findSection } from '../text/sections.ts';
import { didYouMean } from '../text/similar.ts';
import { findBlock } from './catalogue.ts';
import { noteAddition, noteReplacement } from './changes.ts';
import { type Draft, fieldOf, type NodeDraft, own, ownBlock, type ScalarDraft, setField } from './draft.ts';
import { merging } from './merging.ts';
import type { Step } from './program.ts';
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
  const found = findSection(lines, place.headings);
  if ('missing' in found) {
    const { missing, within, titles } = found;
    const where = `\`${names.slice(0, names.length - place.headings.length).join('.')}\``;
    const hint = `${didYouMean(missing, titles)}A heading of that name is added now. Correct the path, or write the heading into the document.`;
    scope.run.report(extendMissing({ path: names.join('.'), missing, where }, { span: path.span, hint }));
    const rest = place.headings.slice(place.headings.indexOf(missing));
    const depth = within ? within.depth + 1 : 2;
    const headings = rest.map((title, index) => `${'#'.repeat(Math.min(6, depth + index))} ${title}`);
    const end = within ? within.end : lines.length;
    const kept = lastLine(lines, end);
    change(
      draft,
      names,
      [...lines.slice(0, kept), '', ...spaced(headings), '', ...spaced(added), ...lines.slice(kept)],
      'append',
      path.span,
      scope,
    );
    return true;
  }
  const { section } = found;
  const end = section ? section.own : lines.length;
  const known = lines.slice(section?.start ?? 0, end);
  const fresh = added.filter(part => !`\n${known.join('\n')}\n`.includes(`\n${part}\n`));
  if (fresh.length === 0) return true;
  const kept = lastLine(lines, end);
  const goesOn = /^\s*[-*+] /.test(lines[kept - 1] ?? '') && fresh[0]!.startsWith('- ');
  const text = [...lines.slice(0, kept), ...(goesOn ? [] : ['']), ...spaced(fresh), ...lines.slice(kept)];
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
  const text = body ? proseOf(body, names, scope) : [written?.kind === 'scalar' ? String(written.value) : ''];
  const lines = linesOf(draft, names);
  const found = findSection(lines, place?.headings ?? []);
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
  const before = section ? [...lines.slice(0, start), ''] : [];
  change(
    draft,
    names,
    [...before, ...spaced(text), ...(rest.length > 0 ? rest : [''])],
    'override',
    path.span,
    scope,
  );
  return true;
}

const linesOf = (draft: Draft, [, name]: readonly string[]): string[] =>
  String(textOf(draft, name!)!.value).split('\n');

/** Behind the last line before `end` that is not blank. */
function lastLine(lines: readonly string[], end: number): number {
  let at = end;
  while (at > 0 && lines[at - 1]!.trim() === '') at--;
  return at;
}

/** Parts with empty lines between them; items of a list stand together. */
const spaced = (parts: readonly string[]): string[] =>
  parts.flatMap((part, index) => {
    const joins = index > 0 && part.startsWith('- ') && parts[index - 1]!.startsWith('- ');
    return [...(index > 0 && !joins ? [''] : []), ...part.split('\n')];
  });

/** The texts and items of a body as Markdown, one part each. */
function proseOf(body: Body, names: readonly string[], scope: Scope): string[] {
  const parts: string[] = [];
  for (const item of body.items) {
    if (item.kind === 'text') parts.push(String(toText(item.value, scope).value).replace(/^\n+|\s+$/g, ''));
    else if (item.kind === 'item') {
      const node: NodeDraft = toNode(item.value, scope);
      if (node.kind === 'scalar') parts.push(`- ${String(node.value).replace(/\n/g, '\n  ')}`);
    } else scope.run.report(sectionBody({ path: names.join('.') }, { span: item.span }));
  }
  return parts.filter(part => part !== '');
}

/** Gives a document another text, with the step on everything that holds it. */
function change(
  draft: Draft,
  [, name]: readonly string[],
  lines: readonly string[],
  operation: Step['operation'],
  span: Step['span'],
  { run, layer }: Scope,
): void {
  const text = lines.join('\n');
  const step: Step = { operation, span, layer };
  const around: Step = { operation: 'merge', span, layer };
  const block = ownBlock(draft, 'documents')!;
  const content = own(textOf(draft, name!)!, draft.owner);
  const m = merging(run, draft.owner);
  m.path.push('documents', name!, 'content');
  if (operation === 'override') noteReplacement(m, { ...content }, { ...content, value: text }, step);
  else noteAddition(m, content, step);
  content.value = text;
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
