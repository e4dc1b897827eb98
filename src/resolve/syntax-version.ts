import type { Field as CatalogueField } from '../generated/blocks.ts';
import { newerSyntax, syntaxUnknown } from '../generated/diagnostics.ts';
import type { Feature } from '../generated/types/blocks.ts';
import type { Declaration, Document, Value } from '../syntax/ast.ts';
import { blockFields, bodyOf, valuesIn } from '../syntax/walk.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { replacementFix } from '../text/diagnostics/fixes.ts';
import type { Span } from '../text/source.ts';
import { compareVersions, newestSyntax } from '../text/version.ts';
import { featureOf, findBlock } from './catalogue.ts';

/** A use of a language feature that older versions do not have. */
interface UsedFeature extends Pick<Feature, 'title' | 'since' | 'severity'> {
  readonly span: Span;
}

const syntaxField = ({ declarations }: Document): Value | undefined =>
  declarations
    .flatMap(declaration => blockFields(declaration, 'meta'))
    .find(({ key, value }) => key === 'syntax' && value)?.value;

/** Three numbers of at most nine digits. */
const versionIn = (value: Value | undefined): string | undefined =>
  value?.kind === 'string' && /^\d{1,9}\.\d{1,9}\.\d{1,9}$/.test(value.value) ? value.value : undefined;

/** Whether declarations are applied in source order; in older files they are applied by kind. */
export function isOrdered(document: Document): boolean {
  const declared = versionIn(syntaxField(document));
  return declared === undefined || compareVersions(declared, featureOf('order').since) >= 0;
}

/** The features of a declaration that were introduced after the first version. */
function featuresOf(declaration: Declaration): UsedFeature[] {
  const used: UsedFeature[] = [];
  if (declaration.kind === 'block') {
    const { name, nameSpan: span } = declaration;
    const since = findBlock(name)?.since;
    if (since !== undefined && since !== '1.0.0')
      used.push({ title: `\`@${name}\``, since, severity: 'warning', span });
  }
  if (declaration.kind === 'override') used.push(feature('override', declaration.path.span));
  if (declaration.kind !== 'use' && declaration.kind !== 'inherit') used.push(...newerFields(declaration));
  for (const item of [declaration, ...(bodyOf(declaration)?.items ?? [])]) {
    if (item.kind === 'use' && item.targets?.[0]) used.push(feature('audience', item.targets[0].span));
    if (item.kind === 'header') used.push(feature('header', item.span));
    if (item.kind === 'field' && item.replace) used.push(feature('replace', item.keySpan));
  }
  for (const value of valuesIn(declaration)) {
    if (value.kind === 'env') used.push(feature('env', value.span));
    if (value.kind === 'string' && value.quote === 'bare' && value.value.includes('${'))
      used.push(feature('bareVariable', value.span));
  }
  return used;
}

/** Fields of entries and blocks that were introduced after their block. */
function newerFields(declaration: Exclude<Declaration, { kind: 'use' | 'inherit' }>): UsedFeature[] {
  const path = declaration.kind === 'block' ? undefined : declaration.path;
  const [first, entry, field] = path?.segments ?? [];
  const block = findBlock(declaration.kind === 'block' ? declaration.name : (first?.name ?? ''));
  if (!block) return [];
  const newer = (key: string, span: Span, fields: readonly CatalogueField[] | undefined): UsedFeature[] => {
    const since = fields?.find(({ name }) => name === key)?.since;
    const title = `\`${key}\` in \`@${block.name}\``;
    return since === undefined ? [] : [{ title, since, severity: 'warning', span }];
  };
  if (field) return newer(field.name, path!.span, block.entry?.fields);
  return (declaration.body?.items ?? []).flatMap(item => {
    if (item.kind !== 'field') return [];
    const { key, keySpan, value } = item;
    if (entry) return newer(key, keySpan, block.entry?.fields);
    if (value?.kind !== 'object') return newer(key, keySpan, block.fields);
    return value.fields.flatMap(inner => newer(inner.key, inner.keySpan, block.entry?.fields));
  });
}

const feature = (name: Feature['name'], span: Span): UsedFeature => ({ ...featureOf(name), span });

const versionFix = (span: Span, version: string) =>
  replacementFix(`Declare syntax ${version}`, span, `"${version}"`);

/** Reports an unknown version, and features that are newer than the version that the file declares. */
export function checkSyntaxVersion(document: Document, report: Report): void {
  const value = syntaxField(document);
  const declared = versionIn(value);
  if (!value || declared === newestSyntax) return;
  if (declared === undefined || compareVersions(declared, newestSyntax) > 0) {
    const version = 'raw' in value ? value.raw : 'value' in value ? String(value.value) : value.kind;
    const fixes = [versionFix(value.span, newestSyntax)];
    const where = { span: value.span, rule: 'syntax-version', fixes };
    report(syntaxUnknown({ version, newest: newestSyntax }, where));
    return;
  }
  const reported = new Set<string>();
  for (const used of document.declarations.flatMap(featuresOf)) {
    if (reported.has(used.title) || compareVersions(used.since, declared) <= 0) continue;
    reported.add(used.title);
    reportNewer(used, declared, value.span, report);
  }
}

function reportNewer(used: UsedFeature, declared: string, declaredAt: Span, report: Report): void {
  const { title, since, severity, span } = used;
  const related = [{ message: 'the version is declared here', span: declaredAt }];
  const fixes = [versionFix(declaredAt, since)];
  // The configuration cannot change the severity of an error, because the meaning of the file depends on it.
  const rule = severity === 'warning' && { rule: 'syntax-version' };
  report(newerSyntax({ feature: title, since, declared }, { span, severity, related, fixes, ...rule }));
}
