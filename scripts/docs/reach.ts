/** Which fields of servers and which events of hooks reach which tools: tried, not read from the specs. */
import type { Field } from '../../src/generated/blocks.ts';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { fieldsWithoutText } from '../../src/model/collections.ts';
import { findBlock } from '../../src/resolve/catalogue.ts';
import { completeSpec } from '../../src/spec/load.ts';
import { compileModel, resolveText } from '../../test/support/compile.ts';
import { cell, code, table } from './markdown.ts';
import { byTitle, has } from './tools.ts';

/** What a field of a server may hold, by the first type that it takes. */
const samples: Readonly<Record<string, string>> = {
  text: '"x"',
  list: '["x"]',
  object: '{ A: "x" }',
  number: '4000',
};

/** Fields whose values are no plain ones, and those of servers that are started. */
const values: Readonly<Record<string, string>> = { clientSecret: 'env("SECRET")', cwd: '"project"' };
const started: readonly string[] = ['env', 'cwd'];

const head = '@meta { id: "x" syntax: "1.6.0" }\n@identity { "You work." }\n';

const fieldsOf = (block: string): readonly Field[] => findBlock(block)?.entry?.fields ?? [];

/** The tools for which nothing of an entry of a collection is left out. */
async function reached(specs: readonly TargetSpec[], of: string, text: string): Promise<TargetSpec[]> {
  const { model } = resolveText(head + text);
  const found: TargetSpec[] = [];
  for (const spec of specs.filter(one => has(one, of))) {
    const { omissions, diagnostics } = await compileModel(model, [{ loaded: completeSpec(spec) }]);
    const isWhole = !omissions.some(({ source }) => source.startsWith(`${of}.`));
    if (isWhole && !diagnostics.some(({ severity }) => severity === 'error')) found.push(spec);
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

/** Fields of a server that not every tool has, with the tools that are told. */
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

/** Events of hooks, with the tools that have them. */
export async function hookEvents(specs: readonly TargetSpec[]): Promise<string> {
  const rows: string[][] = [];
  for (const event of fieldsOf('hooks').find(({ name }) => name === 'event')?.values ?? [])
    rows.push(
      rowOf(event, await reached(specs, 'hooks', `@hooks { one: { event: "${event}" command: ["x"] } }\n`)),
    );
  return table(['Event', 'Tools', 'Reaches'], rows);
}
