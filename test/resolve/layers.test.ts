/** Tests the layers of declarations, and the changes that policies check. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { findNode } from '../../src/resolve/path.ts';
import type { SourceUnit, Unit } from '../../src/resolve/program.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import type { Layer } from '../../src/text/layer.ts';

const layers = suite('resolve: layers');

const project: Layer = { reference: '@project', remote: false };
const core: Layer = { reference: '@core/base', remote: true, registry: 'https://example.org', version: '1.0.0' };

function resolve(own: string, shared: string, env: Readonly<Record<string, string>> = {}) {
  const diagnostics: Diagnostic[] = [];
  const report = (diagnostic: Diagnostic) => void diagnostics.push(diagnostic);
  const references = new Map([['@core/base@1.0.0', 'base']]);
  const unit = (id: string, text: string, layer: Layer): [string, SourceUnit] => {
    const document = parseDocument({ name: id, text: `@meta { id: "x" syntax: "1.5.0" }\n${text}` }, report);
    return [id, { kind: 'source', id, layer, document, references }];
  };
  const units = new Map<string, Unit>([unit('entry', own, project), unit('base', shared, core)]);
  const values = new Map(Object.entries(env));
  const program = resolveProgram({ units, entryId: 'entry', env: name => values.get(name) }, report);
  const valueAt = (...path: string[]) => {
    const node = findNode(program, path);
    return node && 'kind' in node && node.kind === 'scalar' ? node.value : undefined;
  };
  return { program, valueAt, codes: diagnostics.map(({ code }) => code) };
}

layers('a shared file never reads the environment, whatever its arguments', () => {
  const shared = `@params { given: string other: string = "\${SECRET}" }
@context { a: "\${SECRET}" b: \${SECRET} c: "{{given}}" d: "{{other}}" e: "\${{{given}}}" }`;
  const own = '@inherit @core/base@1.0.0(given: "${GIVEN}")\n@context { f: "${SECRET}" }';
  const { valueAt, codes } = resolve(own, shared, { SECRET: 'secret', GIVEN: '${SECRET}' });
  assert.equal(codes, []);
  for (const key of ['a', 'b', 'c', 'd']) assert.is(valueAt('context', key), '${SECRET}', key);
  assert.not(String(valueAt('context', 'e')).includes('secret'));
  assert.is(valueAt('context', 'f'), 'secret');
});

layers('changes name the layer that declared and the layer that changed', () => {
  const shared = '@standards { code: "base" }\n@skills { review: { description: "R" content: "C" } }';
  const own = `@inherit @core/base@1.0.0
@standards { code: "mine" own: "new" }
@extend skills.review { license: "MIT" content: "Mine" requires: ["x"] }`;
  const { program } = resolve(own, shared);
  assert.equal(
    program.changes.map(
      ({ path, base, step }) =>
        `${path.join('.')} ${base.layer.reference} ${step.operation} ${step.layer.reference}`,
    ),
    [
      'standards.code @core/base replace @project',
      'skills.review.license @core/base merge @project',
      'skills.review.content @core/base extend @project',
      'skills.review.requires @core/base merge @project',
    ],
  );
});

layers('the history of a container has its overrides in order, and that of its siblings has not', () => {
  const { program } = resolve(
    `@inherit @core/base@1.0.0
@override context.git.format { "Gitmoji" }
@extend context.git { scope: true }
@override context.git.deep.sign { false }
@override context.git { { format: "None" deep: { sign: true } } }
@override context.git.format { "Free" }`,
    '@context { git: { format: "Conventional" deep: { sign: true } } port: 1 }',
  );
  const history = (...path: string[]) =>
    findNode(program, path)!.steps.map(
      ({ operation, layer, span }) =>
        `${operation} ${layer.reference} ${span.source.text.slice(0, span.start).split('\n').length}`,
    );
  const declared = 'declare @core/base 2';
  const replaced = 'override @project 6';
  assert.equal(history('context', 'git'), [
    declared,
    'merge @project 3',
    'merge @project 4',
    'merge @project 5',
    replaced,
    'merge @project 7',
  ]);
  assert.equal(history('context'), [
    declared,
    'inherit @project 2',
    'merge @project 3',
    'merge @project 4',
    'merge @project 5',
    'merge @project 6',
    'merge @project 7',
  ]);
  assert.equal(history('context', 'port'), [declared]);
});

layers('the history of a value starts with the oldest declaration', () => {
  const { program } = resolve(
    '@inherit @core/base@1.0.0\n@context { port: 2 }\n@override context.port { 3 }',
    '@context { port: 1 }',
  );
  const node = findNode(program, ['context', 'port'])!;
  assert.equal(
    node.steps.map(({ operation, layer }) => `${operation} ${layer.reference}`),
    ['declare @core/base', 'replace @project', 'override @project'],
  );
});

layers('the file that sealed a skill may still change it, and others may not', () => {
  const shared = `@skills { a: { description: "A" content: "C" sealed: true } }
@extend skills.a { content: "Later" }`;
  const { valueAt, codes } = resolve('@inherit @core/base@1.0.0\n@extend skills.a { content: "Mine" }', shared);
  assert.is(valueAt('skills', 'a', 'content'), 'Later');
  assert.equal(codes, ['PRS2204']);
});

layers.run();
