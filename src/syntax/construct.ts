import {
  duplicateKey,
  optionalOutsideParams,
  replaceOutsideExtend,
  typeOutsideParams,
} from '../generated/diagnostics.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { removalFix } from '../text/diagnostics/fixes.ts';
import type {
  Argument,
  Body,
  BodyItem,
  Declaration,
  Field,
  Path,
  Reference,
  UseDeclaration,
  Value,
} from './ast.ts';
import {
  endOf,
  identifierOf,
  join,
  joinedOf,
  readType,
  scalarOf,
  spanFrom,
  stringOf,
  typeNames,
} from './construct-scalars.ts';
import { spanOf, type Token } from './lexer.ts';
import { splitReference } from './reference.ts';
import { removeToken } from './token-fixes.ts';
import {
  type BodyTree,
  type CallTree,
  type DeclarationTree,
  type FieldTree,
  type ItemTree,
  listOf,
  type SourceTree,
  type UseTree,
  type ValueTree,
} from './tree.ts';

/** The syntax beyond `key: value` that is allowed for a field in its context. */
interface Allowed {
  /** `key?:` and `key: type = default` */
  readonly types: boolean;
  /** Whether the fields of a `params` field inside this one allow types. */
  readonly paramsBelow: boolean;
  /** `key!:` */
  readonly replace: boolean;
}

const plain: Allowed = { types: false, paramsBelow: false, replace: false };

/**
 * Constructs the AST of one declaration. Reports errors that the grammar cannot detect because they depend on
 * the context (`key!:`, `key?:`, types) or on the rest of the body (duplicate keys).
 */
export function constructDeclaration(tree: DeclarationTree, report: Report): Declaration {
  switch (tree.kind) {
    case 'block': {
      const name = tree.at.text.slice(1);
      return {
        kind: 'block',
        name,
        nameSpan: join(tree.at, tree.at, 1),
        body: bodyOf(tree.body, allowedAt([name]), report),
        span: join(tree.at, tree.body.close),
      };
    }
    case 'inherit': {
      const reference = referenceOf(tree.source, report);
      return { kind: 'inherit', reference, span: spanFrom(tree.at, reference.span.end) };
    }
    case 'use':
      return useOf(tree, report);
    case 'extend': {
      const path = pathOf(tree.path, report);
      const body = bodyOf(tree.body, { ...allowedAt(namesIn(path)), replace: true }, report);
      return { kind: 'extend', path, body, span: join(tree.at, tree.body.close) };
    }
    case 'override': {
      const path = pathOf(tree.path, report);
      const span = join(tree.at, tree.close);
      if (tree.value) return { kind: 'override', path, value: readValue(tree.value, plain, report), span };
      const body = bodyOf(tree.body!, allowedAt(namesIn(path)), report);
      const only = body.items.length === 1 ? body.items[0] : undefined;
      if (only?.kind === 'text') return { kind: 'override', path, value: only.value, span };
      return { kind: 'override', path, body, span };
    }
  }
}

/** `params` and `meta.params` contain parameters, whichever declaration they are in. */
function allowedAt(names: readonly string[]): Allowed {
  const path = names.join('.');
  return { types: path === 'params' || path === 'meta.params', paramsBelow: path === 'meta', replace: false };
}

const namesIn = ({ segments }: Path): string[] => segments.map(({ name }) => name);

function bodyOf(tree: BodyTree, allowed: Allowed, report: Report): Body {
  const items = tree.items.map(item => itemOf(item, allowed, report));
  return { items: lastOfEachKey(items, report), span: join(tree.open, tree.close) };
}

function itemOf(tree: ItemTree, allowed: Allowed, report: Report): BodyItem {
  switch (tree.kind) {
    case 'field':
      return fieldOf(tree, allowed, report);
    case 'text':
      return { kind: 'text', value: stringOf(tree.text, report), span: spanOf(tree.text) };
    case 'item': {
      const value = readValue(tree.value, plain, report);
      return { kind: 'item', value, span: spanFrom(tree.dash, value.span.end) };
    }
    case 'header': {
      const title = stringOf(tree.title, report);
      const span = join(tree.at, tree.title);
      return { kind: 'header', ...(tree.section && { section: identifierOf(tree.section) }), title, span };
    }
    case 'use':
      return useOf(tree, report);
  }
}

/**
 * Keeps the last of several fields with one key. Each duplicate is reported with the first one as related
 * location.
 */
function lastOfEachKey<T extends BodyItem>(items: readonly T[], report: Report): readonly T[] {
  const firsts = new Map<string, Field>();
  const lasts = new Map<string, Field>();
  for (const item of items) {
    if (item.kind !== 'field') continue;
    const first = firsts.get(item.key);
    if (first) {
      const related = [{ message: `\`${item.key}\` is set here first`, span: first.keySpan }];
      const fixes = [removalFix(`Remove the earlier \`${item.key}\``, lasts.get(item.key)!.span)];
      const where = { span: item.keySpan, rule: 'duplicate-name', related, fixes };
      report(duplicateKey({ key: item.key }, where));
    } else firsts.set(item.key, item);
    lasts.set(item.key, item);
  }
  return items.filter(item => item.kind !== 'field' || lasts.get(item.key) === item);
}

function fieldOf(tree: FieldTree, allowed: Allowed, report: Report): Field {
  const { mark } = tree;
  const key = tree.key.type === 'string' ? stringOf(tree.key, report).value : tree.key.text;
  const replace = mark?.type === 'bang';
  const optional = mark?.type === 'question';
  if (mark && !(replace ? allowed.replace : allowed.types)) {
    const finding = replace ? replaceOutsideExtend : optionalOutsideParams;
    report(finding({ key }, { span: spanOf(mark), fixes: [removeToken(mark)] }));
  }
  const typeTree = allowed.types ? typeTreeOf(tree) : undefined;
  if (tree.equals && !typeTree) report(typeOutsideParams({ key }, { span: spanOf(tree.equals) }));
  const type = typeTree && readType(typeTree, report);
  const below = allowed.paramsBelow && key === 'params' ? { ...plain, types: true } : plain;
  const valueTree = typeTree ? tree.fallback : tree.value;
  const value = valueTree && readValue(valueTree, below, report, key);
  return {
    kind: 'field',
    key,
    keySpan: spanOf(tree.key),
    replace,
    optional,
    ...(type && { type }),
    ...(value && { value }),
    span: spanFrom(tree.key, endOf(tree.fallback ?? tree.value)),
  };
}

/** The type in `key: type` and `key: type = default`; `undefined` in `key: default`. */
function typeTreeOf({ value, equals }: FieldTree): Token | CallTree | undefined {
  if ('type' in value)
    return value.type === 'name' && (equals || typeNames.has(value.text)) ? value : undefined;
  return value.kind === 'call' && value.name.text !== 'env' ? value : undefined;
}

function readValue(tree: ValueTree, allowed: Allowed, report: Report, key?: string): Value {
  if ('type' in tree) return scalarOf(tree, report);
  if (tree.kind === 'call' || tree.kind === 'join') return joinedOf(tree, report, key);
  const span = join(tree.open, tree.close);
  if (tree.kind === 'array') {
    return { kind: 'array', items: tree.items.map(item => readValue(item, plain, report)), span };
  }
  const fields = tree.items.map(field => fieldOf(field, allowed, report));
  return { kind: 'object', fields: lastOfEachKey(fields, report), span };
}

function useOf(tree: UseTree, report: Report): UseDeclaration {
  const targets = listOf(tree.targets);
  const ends = [tree.source.close, tree.alias, tree.into, ...targets].map(token => token?.end ?? 0);
  return {
    kind: 'use',
    reference: referenceOf(tree.source, report),
    ...(tree.alias && { alias: identifierOf(tree.alias) }),
    ...(tree.into && { into: stringOf(tree.into, report) }),
    ...(targets.length > 0 && { targets: targets.map(identifierOf) }),
    span: spanFrom(tree.at, Math.max(...ends)),
  };
}

function referenceOf(tree: SourceTree, report: Report): Reference {
  const quoted = tree.path.type === 'string';
  const { path, version } = quoted
    ? { path: stringOf(tree.path, report).value, version: tree.version?.text.slice(1) }
    : splitReference(tree.path.text);
  const given = tree.arguments.map((argument): Argument => {
    const value = readValue(argument.value, plain, report);
    return { name: identifierOf(argument.name), value, span: spanFrom(argument.name, value.span.end) };
  });
  const span = join(tree.path, tree.close);
  return { path, ...(version !== undefined && { version }), arguments: given, quoted, span };
}

function pathOf(tokens: readonly Token[], report: Report): Path {
  const segments = tokens.map(token => ({
    name: token.type === 'string' ? stringOf(token, report).value : token.text,
    span: spanOf(token),
  }));
  return { segments, span: join(tokens[0]!, tokens.at(-1)!) };
}
