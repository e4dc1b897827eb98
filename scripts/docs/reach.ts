/** Determines which server fields and hook events reach which tools, by compiling samples instead of reading the specs. */
import type { Field } from '../../src/generated/blocks.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { fieldsWithoutText } from '../../src/model/collections.ts';
import { findBlock } from '../../src/resolve/catalogue.ts';
import { compileModel, resolveText } from '../../test/support/compile.ts';
import { cell, code, table } from './markdown.ts';
import { byTitle, has } from './tools.ts';

/** Sample values for server fields, by the first type of the field. */
const samples: Readonly<Record<string, string>> = {
  text: '"x"',
  list: '["x"]',
  object: '{ A: "x" }',
  number: '4000',
};

/** Sample values for fields with special values, and the fields of servers that are started by a command. */
const values: Readonly<Record<string, string>> = { clientSecret: 'env("SECRET")', cwd: '"project"' };
const started: readonly string[] = ['env', 'cwd'];

const head = '@meta { id: "x" syntax: "1.6.0" }\n@identity { "You work." }\n';

const fieldsOf = (block: string): readonly Field[] => findBlock(block)?.entry?.fields ?? [];

/** The tools that compile an entry of a collection without omissions. */
async function reached(specs: readonly TargetSpec[], of: string, text: string): Promise<TargetSpec[]> {
  const { model } = resolveText(head + text);
  const found: TargetSpec[] = [];
  for (const spec of specs.filter(one => has(one, of))) {
    const { omissions, diagnostics } = await compileModel(model, [
      { loaded: { spec, templates: new Map() } },
    ]);
    const isComplete = !omissions.some(({ source }) => source.startsWith(`${of}.`));
    if (isComplete && !diagnostics.some(({ severity }) => severity === 'error')) found.push(spec);
  }
  return found;
}

const rowOf = (name: string, tools: readonly TargetSpec[]): string[] => [
  code(name),
  String(tools.length),
  byTitle(tools)
    .map(({ title }) => cell(title))
    .join(', '),
];

/** A table of the server fields that not every tool supports, with the tools that receive them. */
export async function serverFields(specs: readonly TargetSpec[]): Promise<string> {
  const steering = fieldsWithoutText('mcpServers');
  const others = ['description', 'name', 'url', 'into', 'targets', 'except'];
  const rows: string[][] = [];
  for (const { name, types } of fieldsOf('mcpServers')) {
    if (steering.has(name) || others.includes(name)) continue;
    const value = values[name] ?? samples[types[0]!];
    const server = started.includes(name) ? 'command: ["x"]' : 'url: "https://example.com/mcp"';
    const id = name === 'clientSecret' ? ' clientId: "x"' : '';
    const text = `@mcpServers { notes: { ${server}${id} ${name}: ${value} } }\n`;
    rows.push(rowOf(name, await reached(specs, 'mcpServers', text)));
  }
  return table(['Field', 'Tools', 'Reaches'], rows);
}

/** A table of hook events with the tools that support them. */
export async function hookEvents(specs: readonly TargetSpec[]): Promise<string> {
  const rows: string[][] = [];
  for (const event of fieldsOf('hooks').find(({ name }) => name === 'event')?.values ?? [])
    rows.push(
      rowOf(event, await reached(specs, 'hooks', `@hooks { one: { event: "${event}" command: ["x"] } }\n`)),
    );
  return table(['Event', 'Tools', 'Reaches'], rows);
}
