import type {
  Body,
  BodyItem,
  Declaration,
  Document,
  ErrorNode,
  Path,
  Reference,
  UseDeclaration,
} from './ast.ts';
import { writeString } from './literals.ts';
import {
  type Comments,
  inBraces,
  inSourceOrder,
  isError,
  leadingLines,
  type PrintContext,
  sourceTextOf,
  trailingOf,
} from './print-notes.ts';
import { isIdentifier, printField, printText, printValue } from './print-values.ts';
import { splitReference } from './reference.ts';
import { readTrivia } from './trivia.ts';

const none: Comments = new Map();

/**
 * Prints a document in the canonical layout: two spaces per level, and a blank line between declarations.
 * Parsing the result gives the same document except for spans, the kind of quotes, and text that `"""` cannot
 * express (see `writeText`). Comments of the source are kept, and so are blank lines, at most one in a row.
 * Error nodes are printed as their source.
 */
export function printDocument(document: Document, comments: Comments = none): string {
  const notes: PrintContext = { trivia: readTrivia(document), comments };
  const lines: string[] = [];
  let before: Declaration | ErrorNode | undefined;
  for (const node of inSourceOrder(document.declarations, document.errors)) {
    const above = leadingLines(node, notes, '');
    const given = notes.comments.has(node as Declaration);
    const together = before !== undefined && isImport(before) && isImport(node) && !given;
    // Consecutive imports have no blank lines between them.
    if (before && !together && above[0] !== '') lines.push('');
    const printed = isError(node) ? sourceTextOf(node) : printDeclaration(node, notes);
    lines.push(...above, printed + trailingOf(node, notes));
    before = node;
  }
  const rest = notes.trivia.closing.get(document) ?? [];
  if (rest.length > 0 && before && rest[0] !== '') lines.push('');
  lines.push(...rest);
  return lines.map(line => `${line}\n`).join('');
}

const isImport = ({ kind }: Declaration | ErrorNode) => kind === 'use' || kind === 'inherit';

/** Prints one declaration in the canonical layout, without a final line end. */
function printDeclaration(declaration: Declaration, notes: PrintContext): string {
  switch (declaration.kind) {
    case 'block':
      return `@${declaration.name} ${printBody(declaration.body, notes)}`;
    case 'inherit':
      return `@inherit ${printReference(declaration.reference, notes)}`;
    case 'use':
      return printUse(declaration, notes);
    case 'extend':
      return `@extend ${printPath(declaration.path)} ${printBody(declaration.body, notes)}`;
    case 'override': {
      const head = `@override ${printPath(declaration.path)}`;
      const { value } = declaration;
      if (!value) return `${head} ${printBody(declaration.body ?? emptyBody(declaration), notes)}`;
      const lines = [
        ...leadingLines(value, notes, '  '),
        `  ${printValue(value, '  ', 2, notes)}${trailingOf(value, notes)}`,
      ];
      return `${head} ${inBraces('{', declaration, lines, '', '}', notes)}`;
    }
  }
}

const emptyBody = ({ span }: Declaration): Body => ({ items: [], span });

function printBody(body: Body, notes: PrintContext): string {
  const lines: string[] = [];
  let before: BodyItem | ErrorNode | undefined;
  let apart = false;
  for (const item of inSourceOrder(body.items, body.errors)) {
    const printed = isError(item) ? sourceTextOf(item) : printItem(item, notes);
    const above = leadingLines(item, notes, '  ');
    const long = printed.includes('\n') || notes.comments.has(item as BodyItem);
    // Items of several lines are separated by blank lines, unless the source decides otherwise.
    const decided = before !== undefined && notes.trivia.isRead(before) && notes.trivia.isRead(item);
    if (before && !decided && (long || apart) && above[0] !== '') lines.push('');
    lines.push(...above, `  ${printed}${trailingOf(item, notes)}`);
    apart = long;
    before = item;
  }
  return inBraces('{', body, lines, '', '}', notes);
}

function printItem(item: BodyItem, notes: PrintContext): string {
  switch (item.kind) {
    case 'field':
      return printField(item, '  ', notes);
    case 'text':
      return item.value.quote === 'text' ? printText(item.value, '  ', '  ') : writeString(item.value.value);
    case 'item':
      return `- ${printValue(item.value, '  ', 4, notes)}`;
    case 'header': {
      const section = item.section ? `${item.section.name} ` : '';
      return `@header ${section}${writeString(item.title.value)}`;
    }
    case 'use':
      return printUse(item, notes);
  }
}

function printPath({ segments }: Path): string {
  return segments.map(({ name }) => (isIdentifier(name) ? name : writeString(name))).join('.');
}

function printUse({ reference, alias, into, targets }: UseDeclaration, notes: PrintContext): string {
  const parts = [`@use ${printReference(reference, notes)}`];
  if (alias) parts.push(`as ${alias.name}`);
  if (into) parts.push(`into ${writeString(into.value)}`);
  if (targets) parts.push(`for ${targets.map(({ name }) => name).join(', ')}`);
  return parts.join(' ');
}

function printReference({ path, version, quoted, arguments: args }: Reference, notes: PrintContext): string {
  const written = version === undefined ? path : `${path}@${version}`;
  const split = splitReference(written);
  const safe =
    /^[^\s(){}[\]"'#,“”„«»‘’`]+$/u.test(written) && split.path === path && split.version === version;
  const head =
    quoted || !safe ? `${writeString(path)}${version === undefined ? '' : `@${version}`}` : written;
  if (args.length === 0) return head;
  const list = args.map(({ name, value }) => `${name.name}: ${printValue(value, '', head.length, notes)}`);
  return `${head}(${list.join(', ')})`;
}
