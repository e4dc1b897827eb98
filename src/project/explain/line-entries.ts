import type { WholeFile } from '../../kinds/output.ts';
import { scalarText } from '../../model/data.ts';
import type { NameOrigin, Origin, ValueOrigin } from '../../model/model.ts';
import type { ProvenanceStep } from '../../resolve/program.ts';
import { writtenAt } from '../../resolve/written-at.ts';
import { positionAt, type Span } from '../../text/source.ts';
import type { Run } from '../../text/traced.ts';
import { readableText } from '../../text/variables.ts';
import type { Explained } from './explain.ts';

/** Origins of a line as entries of a report, in order, each place once; the layout where nothing else made it. */
export function entriesOf(line: string, origins: readonly (Origin | Run<Origin>)[]): Explained[] {
  const runs = origins.map(one => ('start' in one ? one : wholeOf(one)));
  const values = runs.flatMap(({ origin, at, start, end, exact }) =>
    origin.kind === 'value' ? valueEntries(origin, at, exact ? at + end - start : at) : [],
  );
  const names = runs
    .flatMap(({ origin }) => (origin.kind === 'name' ? [nameEntry(origin)] : []))
    .filter(name => !values.some(value => isBelow(value.path, name.path) && isSameLine(value, name)));
  // The words of a line say more about it than the marks around them.
  const laidOut = runs.filter(({ origin }) => origin.kind === 'layout');
  const made = laidOut.sort((a, b) => b.end - b.start - (a.end - a.start))[0]?.origin;
  if (values.length + names.length === 0 && made?.kind === 'layout')
    return [{ path: made.by, value: line.trim(), operation: 'layout' }];
  const seen = new Set<string>();
  return [...names, ...values].filter(({ path, file, line: at }) => {
    const key = `${path}\n${file}\n${at}`;
    return !seen.has(key) && seen.add(key);
  });
}

const wholeOf = (origin: Origin): Run<Origin> => ({
  start: 0,
  end: origin.kind === 'value' ? scalarText(origin.node).length : 0,
  origin,
  at: 0,
  exact: true,
});

/** The name of what holds a value and stands on the same line says nothing that the value does not. */
const isSameLine = (one: Explained, other: Explained): boolean =>
  one.file === other.file && one.line === other.line;

const isBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(`${above}.`) || path.startsWith(`${above}[`);

function valueEntries({ path, node }: ValueOrigin, from: number, to: number): Explained[] {
  const text = scalarText(node);
  const said = text.split('\n');
  const first = text.slice(0, from).split('\n').length - 1;
  return writtenAt(node, from, to).map(({ span, step }, index) => ({
    path,
    value: readableText((said[first + index] ?? said.at(-1)!).trim()),
    ...entryAt(step, span),
  }));
}

const nameEntry = ({ path, text, step }: NameOrigin): Explained => ({
  path,
  value: text,
  ...entryAt(step, step.span),
});

function entryAt({ operation, layer }: ProvenanceStep, { source, start }: Span) {
  return {
    operation,
    file: source.name,
    ...positionAt(source, start),
    ...(layer.registry !== undefined && { registry: layer.registry }),
    ...(layer.version !== undefined && { version: layer.version }),
  };
}

/** A line of a file that travels with an item: the same line of the file it is a copy of. */
export function copiedLine(
  { item, resource }: NonNullable<WholeFile['copied']>,
  text: string,
  line: number,
): Explained {
  const file = item.resources.find(({ path }) => path === resource)?.file;
  const name = item.origins?.name;
  const siblingFolder = name?.kind === 'name' ? name.step.span.source.name.replace(/[^/]*$/, '') : '';
  return {
    path: `${item.path}/${resource}`,
    value: text.trim(),
    operation: 'declare',
    file: file ?? `${siblingFolder}${resource}`,
    line,
    column: 1,
  };
}
