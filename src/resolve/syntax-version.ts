import type { Report } from '../diagnostics/diagnostic.ts';
import { replacing } from '../diagnostics/fixes.ts';
import type { Field as FieldOfCatalogue } from '../generated/blocks.ts';
import { newerSyntax, syntaxUnknown } from '../generated/diagnostics.ts';
import type { Feature } from '../generated/types/blocks.ts';
import type {
  BodyItem,
  Declaration,
  Document,
  Field,
  Reference,
  UseDeclaration,
  Value,
} from '../syntax/ast.ts';
import { perObject } from '../text/memo.ts';
import type { Span } from '../text/source.ts';
import { compareVersions, newestSyntax } from '../text/version.ts';
import { featureOf, findBlock } from './catalogue.ts';

/** The version a file declares, with its place; `undefined` when it declares none that can be read. */
export interface DeclaredSyntax {
  readonly version: string;
  readonly span: Span;
}

/** Something a file uses that not every version has. */
export interface UsedFeature {
  readonly title: string;
  readonly since: string;
  readonly severity: Feature['severity'];
  readonly span: Span;
}

/** Three numbers of at most nine digits; said with `{1,9}`, V8 would take a millisecond to compile it. */
const isVersion = (text: string): boolean =>
  /^\d+\.\d+\.\d+$/.test(text) && text.split('.').every(part => part.length <= 9);

function syntaxField(document: Document): Value | undefined {
  for (const declaration of document.declarations) {
    if (declaration.kind !== 'block' || declaration.name !== 'meta') continue;
    const field = declaration.body.items.find(
      (item): item is Field => item.kind === 'field' && item.key === 'syntax',
    );
    if (field?.value) return field.value;
  }
  return undefined;
}

/** The syntax version of a file. */
export const declaredSyntax = (document: Document): DeclaredSyntax | undefined =>
  versionIn(syntaxField(document));

function versionIn(value: Value | undefined): DeclaredSyntax | undefined {
  return value?.kind === 'string' && isVersion(value.value)
    ? { version: value.value, span: value.span }
    : undefined;
}

/** Whether declarations apply in the order they are written; older files have an order of their own. */
export function isOrdered(document: Document): boolean {
  const declared = declaredSyntax(document);
  return !declared || compareVersions(declared.version, featureOf('order').since) >= 0;
}

/** Everything in a file that came with a later version than the first, in the order it is written. */
function usedFeatures(document: Document): UsedFeature[] {
  const used: UsedFeature[] = [];
  for (const declaration of document.declarations) addFeatures(declaration, used);
  return used;
}

function addFeatures(declaration: Declaration, used: UsedFeature[]): void {
  if (declaration.kind === 'use') {
    addUse(declaration, used);
    return;
  }
  if (declaration.kind === 'inherit') {
    addArguments(declaration.reference, used);
    return;
  }
  if (declaration.kind === 'block') {
    const block = findBlock(declaration.name);
    if (block && block.since !== '1.0.0') {
      const title = `\`@${declaration.name}\``;
      used.push({ title, since: block.since, severity: 'warning', span: declaration.nameSpan });
    }
  }
  if (declaration.kind === 'override') {
    used.push(feature('override', declaration.path.span));
    if (declaration.value) addVariables(declaration.value, used);
  }
  addFields(declaration, used);
  for (const item of declaration.body?.items ?? []) addFeaturesOfItem(item, used);
}

/** Fields of entries and blocks that are younger than their block. */
function addFields(
  declaration: Extract<Declaration, { kind: 'block' | 'extend' | 'override' }>,
  used: UsedFeature[],
): void {
  const path = declaration.kind === 'block' ? undefined : declaration.path;
  const block = findBlock(declaration.kind === 'block' ? declaration.name : (path?.segments[0]?.name ?? ''));
  if (!block) return;
  const own = younger(block.fields ?? noFields);
  const inner = younger(block.entry?.fields ?? noFields);
  if (own.size === 0 && inner.size === 0) return;
  const add = (key: string, span: Span, fields: ReadonlyMap<string, string>) => {
    const since = fields.get(key);
    if (since !== undefined)
      used.push({ title: `\`${key}\` in \`@${block.name}\``, since, severity: 'warning', span });
  };
  const field = path?.segments[2];
  if (field) {
    add(field.name, path.span, inner);
    return;
  }
  for (const item of declaration.body?.items ?? []) {
    if (item.kind !== 'field') continue;
    if (path?.segments[1]) add(item.key, item.keySpan, inner);
    else if (item.value?.kind !== 'object') add(item.key, item.keySpan, own);
    else for (const { key, keySpan } of item.value.fields) add(key, keySpan, inner);
  }
}

const younger = perObject(
  (fields: readonly FieldOfCatalogue[]): ReadonlyMap<string, string> =>
    new Map(fields.flatMap(({ name, since }) => (since === undefined ? [] : [[name, since]]))),
);

const noFields: readonly FieldOfCatalogue[] = [];

function addFeaturesOfItem(item: BodyItem, used: UsedFeature[]): void {
  if (item.kind === 'use') addUse(item, used);
  if (item.kind === 'header') used.push(feature('header', item.span));
  if (item.kind === 'field' && item.replace) used.push(feature('replace', item.keySpan));
  if ((item.kind === 'field' || item.kind === 'item') && item.value) addVariables(item.value, used);
}

function addUse({ reference, targets }: UseDeclaration, used: UsedFeature[]): void {
  if (targets?.[0]) used.push(feature('audience', targets[0].span));
  addArguments(reference, used);
}

function addArguments(reference: Reference, used: UsedFeature[]): void {
  if (reference.arguments.length === 0) return;
  for (const { value } of reference.arguments) addVariables(value, used);
}

function addVariables(value: Value, used: UsedFeature[]): void {
  if (value.kind === 'env') used.push(feature('env', value.span));
  if (value.kind === 'string' && value.quote === 'bare' && value.value.includes('${')) {
    used.push(feature('bareVariable', value.span));
  } else if (value.kind === 'array') for (const item of value.items) addVariables(item, used);
  else if (value.kind === 'object')
    for (const field of value.fields) if (field.value) addVariables(field.value, used);
}

function feature(name: Feature['name'], span: Span): UsedFeature {
  const { title, since, severity } = featureOf(name);
  return { title, since, severity, span };
}

const versionFix = (span: Span, version: string) =>
  replacing(`Declare syntax ${version}`, span, `"${version}"`);

/** Reports a version that does not exist, and what the file uses that came after the version it declares. */
export function checkSyntaxVersion(document: Document, report: Report): void {
  const value = syntaxField(document);
  if (!value) return;
  const declared = versionIn(value);
  if (declared?.version === newestSyntax) return;
  if (!declared || compareVersions(declared.version, newestSyntax) > 0) {
    const version = 'raw' in value ? value.raw : 'value' in value ? String(value.value) : value.kind;
    report(
      syntaxUnknown(
        { version, newest: newestSyntax },
        { span: value.span, rule: 'syntax-version', fixes: [versionFix(value.span, newestSyntax)] },
      ),
    );
    return;
  }
  const features = usedFeatures(document);
  if (features.length === 0) return;
  const told = new Set<string>();
  for (const used of features) {
    if (told.has(used.title) || compareVersions(used.since, declared.version) <= 0) continue;
    told.add(used.title);
    reportNewer(used, declared, report);
  }
}

/** Reports a feature whose use only what is brought along shows, such as a document with a place of its own. */
export function checkFeature(name: Feature['name'], span: Span, document: Document, report: Report): void {
  const declared = declaredSyntax(document);
  const used = feature(name, span);
  if (declared && compareVersions(used.since, declared.version) > 0) reportNewer(used, declared, report);
}

function reportNewer(
  { title, since, severity, span }: UsedFeature,
  declared: DeclaredSyntax,
  report: Report,
): void {
  const related = [{ message: 'the version is declared here', span: declared.span }];
  const holes = { feature: title, since, declared: declared.version };
  // An error stays one whatever the configuration says about the rule: the meaning of the file depends on it.
  report(
    newerSyntax(holes, {
      span,
      severity,
      related,
      fixes: [versionFix(declared.span, since)],
      ...(severity === 'warning' && { rule: 'syntax-version' }),
    }),
  );
}
