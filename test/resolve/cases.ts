/** Shared by the tests of the resolver and the command that writes their expectations. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeDisk } from '../../src/host/disk.ts';
import { gatherUnits } from '../../src/project/gather/gather.ts';
import type { Node, Program, ProvenanceStep } from '../../src/resolve/program.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { positionAt, type Span } from '../../src/text/source.ts';
import { casesBeside } from '../support/cases.ts';

/** Settings of a case, from an optional `options.json`. */
interface CaseOptions {
  readonly include?: readonly string[];
  readonly inherit?: string;
  readonly universalDir?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly skillTargets?: Readonly<Record<string, string>>;
  /** Includes the origin of every value. */
  readonly provenance?: boolean;
}

export interface Resolved {
  readonly program: Program;
  readonly diagnostics: readonly Diagnostic[];
}

/** Gathers and resolves a folder with `.instr/project.prs`. */
export async function resolveFolder(root: string, options: CaseOptions = {}): Promise<Resolved> {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const span: Span = { source: { name: 'instr.yaml', text: '' }, start: 0, end: 0 };
  const gathered = await gatherUnits(
    {
      disk: nodeDisk,
      root,
      entry: '.instr/project.prs',
      include: options.include ?? [],
      universalDir: options.universalDir,
      inherit: options.inherit === undefined ? undefined : { reference: options.inherit, span },
    },
    report,
  );
  const env = new Map(Object.entries(options.env ?? {}));
  const { skillTargets } = options;
  const program = resolveProgram({ ...gathered, skillTargets, env: name => env.get(name) }, report);
  return { program, diagnostics };
}

export const cases = casesBeside(import.meta.url, ['expected.json', 'diagnostics.txt'], async folder => {
  const file = join(folder, 'options.json');
  const options: CaseOptions = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const { program, diagnostics } = await resolveFolder(folder, options);
  return {
    'expected.json': `${JSON.stringify(dumpProgram(program, options.provenance === true), null, 2)}\n`,
    'diagnostics.txt': diagnostics.map(describe).join(''),
  };
});

const place = ({ source, start }: Span) => {
  const { line, column } = positionAt(source, start);
  return `${source.name}:${line}:${column}`;
};

/** `file:line:column severity code message`, with the hint and related places indented below. */
export function describe({ code, message, hint, span, file, related = [], rule, severity }: Diagnostic): string {
  const where = span ? place(span) : (file ?? '-');
  const lines = [`${where} ${severity} ${code}${rule ? ` [${rule}]` : ''} ${message}`, `    ${hint}`];
  for (const other of related) lines.push(`    ${place(other.span)} ${other.message}`);
  return `${lines.join('\n')}\n`;
}

/** A program as plain data: only values, or each value with the declarations that affected it. */
export function dumpProgram(program: Program, provenance = false): unknown {
  const steps = (list: readonly ProvenanceStep[]) => list.map(step => `${step.operation} ${place(step.span)}`).join(', ');
  const dump = (node: Node): unknown => {
    const value =
      node.kind === 'scalar'
        ? node.value
        : node.kind === 'list'
          ? node.items.map(dump)
          : Object.fromEntries([...node.fields].map(([key, inner]) => [key, dump(inner)]));
    return provenance ? [steps(node.steps), value] : value;
  };
  const filled = <T extends object>(part: T): Partial<T> =>
    Object.fromEntries(
      Object.entries(part).filter(([, value]) => value !== undefined && (value as { length?: number }).length !== 0),
    ) as Partial<T>;
  return filled({
    meta: Object.fromEntries([...program.meta].map(([key, node]) => [key, dump(node)])),
    blocks: [...program.blocks.values()].map(block =>
      filled({
        block: block.name,
        headers: [...block.headers].map(([key, node]) => [key, node.value]),
        steps: provenance ? steps(block.steps) : '',
        entries: block.entries.map(entry => ({
          [entry.kind === 'field' ? entry.key : `(${entry.kind})`]: dump(entry.node),
        })),
      }),
    ),
    parameters: program.parameters.map(({ name, value, used, optional }) =>
      filled({ name, value: value?.value, used, optional: optional || undefined }),
    ),
    skills: [...program.skills]
      .map(([name, { resources, into, extra, source }]) =>
        filled({
          name,
          resources: resources.map(({ path, size, executable }) => `${path} ${size}${executable ? ' x' : ''}`),
          into,
          extra: [...extra],
          source: source?.name,
        }),
      )
      .filter(skill => Object.keys(skill).length > 1),
    changes: program.changes.map(({ path, base, step }) => `${path.join('.')}: ${steps([base, step])}`),
  });
}
