import { type Position, positionAt, type Span } from '../text/source.ts';
import { portableName } from './catalogue.ts';
import { findNode, type NodePath, parseNodePath } from './path.ts';
import type { Node, Program, ResolvedBlock } from './program.ts';

/** The place of the last declaration that shaped a value. */
export interface DeclaredAt {
  readonly file: string;
  readonly line: number;
}

/**
 * The place of a value by its path in emit: fields may have the names of the portable model, and a path that continues
 * after the last existing name (a resource, a computed field) has the place of that name.
 */
export function findDeclaration(path: string, program: Program): DeclaredAt | undefined {
  const span = declarationSpan(path, program);
  if (!span) return undefined;
  const { line }: Position = positionAt(span.source, span.start);
  return { file: span.source.name, line };
}

/** The declaration itself, for findings that show it. */
export function declarationSpan(path: string, program: Program): Span | undefined {
  const parsed = parseNodePath(nameIn(path));
  if (!parsed) return undefined;
  if (parsed[0] === 'params') return parameterSpan(parsed[1], program);
  for (let length = parsed.length; length > 0; length--) {
    const found =
      findNode(program, parsed.slice(0, length)) ?? findPortable(program, parsed.slice(0, length));
    const step = found?.steps.findLast(({ operation }) => operation !== 'parameter') ?? found?.steps[0];
    if (!step) continue;
    return step.span;
  }
  return undefined;
}

/**
 * The part of a path before the first blank or slash outside of quotes. A slash is followed by a file of the entry, a
 * blank by a remark.
 */
const nameIn = (path: string): string => /^(?:"(?:[^"\\]|\\.)*"|[^\s/"])*/.exec(path)![0];

/** A parameter; for all of them the first that a template leaves over, which is what outputs list. */
function parameterSpan(name: string | number | undefined, { parameters }: Program): Span | undefined {
  const found =
    name === undefined ? parameters.find(({ used }) => !used) : parameters.find(one => one.name === name);
  return (found ?? parameters[0])?.span;
}

/** A field by the name that the portable model has for it: `globs` is what sources call `applyTo`. */
function findPortable(program: Program, path: NodePath): Node | ResolvedBlock | undefined {
  const [block, name] = [path[0], path.at(-1)];
  const parent = path.length > 1 ? findNode(program, path.slice(0, -1)) : undefined;
  if (!parent || typeof name !== 'string' || typeof block !== 'string') return undefined;
  const fields: readonly (readonly [string, Node])[] =
    'entries' in parent
      ? parent.entries.flatMap(entry => (entry.kind === 'field' ? [[entry.key, entry.node] as const] : []))
      : parent.kind === 'object'
        ? [...parent.fields]
        : [];
  return fields.find(([key]) => portableName(block, key) === name)?.[1];
}
