/** Tests properties of merging, with random programs. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Node, Program, SourceUnit, Unit } from '../../src/resolve/program.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import fc from '../support/property.ts';
import { dumpProgram } from './cases.ts';

const properties = suite('resolve: properties');

const meta = '@meta { id: "x" syntax: "1.5.0" }\n';

/** A program of files, given as text by name. `@use ./name` refers to the file of that name. */
function resolve(files: Readonly<Record<string, string>>, order = Object.keys(files)) {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const references = new Map(Object.keys(files).map(name => [`./${name}`, name]));
  const units = new Map<string, Unit>(
    order.map((name): [string, SourceUnit] => {
      const document = parseDocument({ name, text: meta + files[name]! }, report);
      const layer = { reference: '@project', remote: false };
      return [name, { kind: 'source', id: name, layer, document, references }];
    }),
  );
  return { program: resolveProgram({ units, entryId: 'entry', env: () => undefined }, report), diagnostics };
}

const blocksOf = (program: Program) => (dumpProgram(program) as { blocks?: unknown }).blocks;

const word = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString');
const sentence = fc.constantFrom('One.', 'Two.', 'Three, four.');
const quoted = sentence.map(text => `"${text}"`);
const listed = fc.array(quoted, { maxLength: 4 }).map(items => `[${items.join(', ')}]`);
const text = sentence.map(line => `"""\n${line}\n"""`);
const { value } = fc.letrec<{ value: string; object: string }>(tie => ({
  value: fc.oneof({ maxDepth: 3 }, quoted, listed, text, fc.integer().map(String), tie('object')),
  object: fc.array(fc.tuple(word, tie('value')), { maxLength: 3 }).map(fields => `{ ${unique(fields)} }`),
}));
const item = fc.oneof(
  fc.tuple(word, value).map(([key, node]) => `${key}: ${node}`),
  text,
  quoted.map(line => `- ${line}`),
);
const block = fc
  .tuple(fc.constantFrom('standards', 'context', 'restrictions', 'agents', 'skills', 'house'), fc.array(item))
  .map(([name, items]) => `@${name} {\n${items.join('\n')}\n}`);
const change = fc
  .tuple(fc.constantFrom('standards', 'standards.a', 'skills.a', 'house.b.c'), word, value)
  .map(([path, key, node]) => `@extend ${path} { ${key}: ${node} }`);
const file = fc.array(fc.oneof(block, change), { maxLength: 6 }).map(parts => parts.join('\n'));

function unique(fields: readonly (readonly [string, string])[]): string {
  return [...new Map(fields)].map(([key, node]) => `${key}: ${node}`).join(' ');
}

properties('using a file twice is the same as using it once', () => {
  fc.assert(
    fc.property(file, file, (a, own) => {
      const once = resolve({ entry: `${own}\n@use ./a`, a });
      const twice = resolve({ entry: `${own}\n@use ./a\n@use ./a`, a });
      assert.equal(blocksOf(twice.program), blocksOf(once.program));
    }),
  );
});

properties('a file used through another one has the same result', () => {
  fc.assert(
    fc.property(file, a => {
      const direct = resolve({ entry: '@use ./a', a });
      const through = resolve({ entry: '@use ./b\n@use ./c', a, b: '@use ./a', c: '@inherit ./a' });
      assert.equal(blocksOf(through.program), blocksOf(direct.program));
    }),
  );
});

properties('the order in which files are read does not matter', () => {
  fc.assert(
    fc.property(file, file, file, (entry, a, b) => {
      const files = { entry: `@inherit ./a\n${entry}\n@use ./b`, a, b };
      const forwards = resolve(files, ['entry', 'a', 'b']);
      const backwards = resolve(files, ['b', 'a', 'entry']);
      assert.equal(dumpProgram(backwards.program, true), dumpProgram(forwards.program, true));
      assert.equal(codes(backwards.diagnostics), codes(forwards.diagnostics));
    }),
  );
});

properties('merging a block with an empty program loses nothing', () => {
  fc.assert(
    fc.property(file, a => {
      const alone = resolve({ entry: a });
      const used = resolve({ entry: '@use ./a', a });
      assert.equal(blocksOf(used.program), blocksOf(alone.program));
    }),
  );
});

const codes = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ code, span }) => `${span?.source.name} ${span?.start} ${code}`).sort();

/** The number of distinct nodes and steps in a program. */
function measure(program: Program) {
  const nodes = new Set<Node>();
  let steps = 0;
  const visit = (node: Node) => {
    if (nodes.has(node)) return;
    nodes.add(node);
    steps += node.steps.length;
    if (node.kind === 'list') node.items.forEach(visit);
    else if (node.kind === 'object') node.fields.forEach(visit);
  };
  for (const { entries } of program.blocks.values()) for (const { node } of entries) visit(node);
  return { nodes: nodes.size, steps };
}

const skills = (count: number) =>
  `@skills {\n${Array.from({ length: count }, (_, n) => `s${n}: { description: "d${n}" content: "c${n}" }`).join('\n')}\n}`;

/** A chain of files. Each inherits the previous one and changes one skill. */
function layered(layers: number, count: number): Record<string, string> {
  const files: Record<string, string> = { l0: skills(count) };
  for (let n = 1; n < layers; n++) {
    files[`l${n}`] = `@inherit ./l${n - 1}\n@extend skills.s${n % count} { description: "layer ${n}" }`;
  }
  files.entry = `@inherit ./l${layers - 1}`;
  return files;
}

properties('the cost of layers depends on their changes, not on what they inherit', () => {
  const flat = measure(resolve(layered(1, 200)).program);
  const deep = measure(resolve(layered(50, 200)).program);
  assert.is(deep.nodes, flat.nodes);
  // Each layer adds a step to the description that it replaces and to the skill.
  assert.is(deep.steps, flat.steps + 49 * 2);
});

properties('a file that many files use is stored once', () => {
  const files: Record<string, string> = { base: skills(100), entry: '' };
  for (let n = 0; n < 40; n++) {
    files[`f${n}`] = `@inherit ./base\n@standards { t${n}: "x" }`;
    files.entry += `@use ./f${n}\n`;
  }
  const base = measure(resolve({ entry: '@use ./base', base: files.base! }).program);
  const many = measure(resolve(files).program);
  assert.is(many.nodes, base.nodes + 40);
});

properties('files that use the next one twice are resolved once each', () => {
  const files: Record<string, string> = { entry: '@use ./d0\n@use ./d0' };
  for (let n = 0; n < 80; n++) {
    const next = n < 79 ? `@use ./d${n + 1}\n@use ./d${n + 1}\n` : '';
    files[`d${n}`] = `${next}@knowledge { "K${n}" }`;
  }
  const { program, diagnostics } = resolve(files);
  assert.is(program.blocks.get('knowledge')!.entries.length, 80);
  assert.equal(diagnostics, []);
});

properties('templates cannot multiply without limit', () => {
  const files: Record<string, string> = { entry: '@use ./d0(x: "a")' };
  for (let n = 0; n < 60; n++) {
    const next = n < 59 ? `@use ./d${n + 1}(x: "{{x}}a")\n@use ./d${n + 1}(x: "{{x}}b")\n` : '';
    files[`d${n}`] = `@params { x: string }\n${next}@knowledge { "{{x}}" }`;
  }
  assert.equal(
    resolve(files).diagnostics.map(({ code }) => code),
    ['PRS2009'],
  );
});

properties('a template cannot grow without limit', () => {
  const files: Record<string, string> = { entry: '@use ./d0(x: "aaaaaaaa")' };
  for (let n = 0; n < 40; n++) {
    const next = n < 39 ? `@use ./d${n + 1}(x: "{{x}}{{x}}")\n` : '';
    files[`d${n}`] = `@params { x: string }\n${next}`;
  }
  assert.equal(
    resolve(files).diagnostics.map(({ code }) => code),
    ['PRS2302'],
  );
});

properties('a chain of a hundred files is allowed', () => {
  const files: Record<string, string> = { entry: '@use ./d0' };
  for (let n = 0; n < 120; n++) files[`d${n}`] = n < 119 ? `@use ./d${n + 1}` : '@identity { "x" }';
  assert.equal(
    resolve(files).diagnostics.map(({ code }) => code),
    ['PRS2102'],
  );
});

properties.run();
