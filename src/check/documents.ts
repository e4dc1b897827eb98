import type { Program, SourceUnit } from '../resolve/program.ts';
import type { Body, BodyItem, Declaration, StringValue, Value } from '../syntax/ast.ts';
import type { ReadText } from './rule.ts';

/** The `.prs` files of a program, in the order they were read. */
export function sourceUnits(program: Program): SourceUnit[] {
  return program.units.filter(unit => unit.kind === 'source');
}

/** Every text that was read, once each; for skills of a registry also the prose that travels with them. */
export function readTexts(program: Program): ReadText[] {
  const texts = new Map<unknown, ReadText>();
  for (const unit of program.units) {
    if (unit.kind === 'directory') continue;
    const source = unit.kind === 'source' ? unit.document.source : unit.source;
    if (texts.has(source)) continue;
    const { remote } = unit.layer;
    const strings = unit.kind === 'source' && remote && new Set(stringStarts(unit));
    texts.set(source, { source, remote, ...(strings && { strings }) });
    // The project's own files are reviewed where they are; what a registry sends along is not.
    if (unit.kind !== 'skill' || !unit.layer.remote) continue;
    for (const { path, read } of unit.resources.filter(resource =>
      /\.(?:md|mdc|txt)$/i.test(resource.path),
    )) {
      const name = source.name.replace(/[^/]*$/, path);
      const text = new TextDecoder().decode(read());
      texts.set(path + unit.id, { source: { name, text }, remote: true });
    }
  }
  return [...texts.values()];
}

function* stringStarts({ document }: SourceUnit): Generator<number> {
  for (const declaration of document.declarations)
    for (const { quote, span } of stringsOf(declaration))
      if (quote === 'double' || quote === 'single') yield span.start;
}

/** The body of a declaration that has one. */
export function bodyOf(declaration: Declaration): Body | undefined {
  return 'body' in declaration ? declaration.body : undefined;
}

/** Every string of a declaration, texts included. */
export function stringsOf(declaration: Declaration): StringValue[] {
  const strings: StringValue[] = [];
  for (const item of bodyOf(declaration)?.items ?? [])
    for (const value of valuesOf(item)) addStrings(value, strings);
  if (declaration.kind === 'override' && declaration.value) addStrings(declaration.value, strings);
  if (declaration.kind === 'use' || declaration.kind === 'inherit')
    for (const { value } of declaration.reference.arguments) addStrings(value, strings);
  return strings;
}

function addStrings(value: Value, strings: StringValue[]): void {
  if (value.kind === 'string') strings.push(value);
  else if (value.kind === 'array') for (const item of value.items) addStrings(item, strings);
  else if (value.kind === 'object')
    for (const field of value.fields) if (field.value) addStrings(field.value, strings);
}

function valuesOf(item: BodyItem): Value[] {
  switch (item.kind) {
    case 'field':
    case 'item':
    case 'text':
      return item.value ? [item.value] : [];
    case 'header':
      return [item.title];
    case 'use':
      return item.reference.arguments.map(argument => argument.value);
  }
}
