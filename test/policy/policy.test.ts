/** Tests each kind of policy on real programs: violations, their positions, and allowed changes. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { covers, longestCover } from '../../src/check/policy/names.ts';
import { checkPolicies } from '../../src/check/policy/policy.ts';
import { isReferenceAllowed } from '../../src/check/policy/registry-allowlist.ts';
import type { PolicyDefinition } from '../../src/generated/types/config.ts';
import type { Change, Operation, Program, ProvenanceStep } from '../../src/resolve/program.ts';
import type { Layer } from '../../src/text/layer.ts';
import { addCases } from '../support/cases.ts';
import { collect } from '../support/collect.ts';
import { cases } from './cases.ts';

const span = (name: string) => ({ source: { name, text: 'line one\nline two\n' }, start: 9, end: 13 });
const layer = (reference: string): Layer => ({ reference, remote: reference !== '@project' });
const step = (reference: string, operation: Operation): ProvenanceStep => ({
  operation,
  span: span(`${reference}.prs`),
  layer: layer(reference),
});

/** `base > step operation path`, as in `@core/a > @project override skills.review.content`. */
function change(text: string): Change {
  const [, base, by, operation, path] = /^(\S+) > (\S+) (\S+) (\S+)$/.exec(text)!;
  return { path: path!.split('.'), base: step(base!, 'declare'), step: step(by!, operation as Operation) };
}

async function violations(policy: PolicyDefinition, changes: string[]): Promise<string[]> {
  const program: Program = {
    meta: new Map(),
    blocks: new Map(),
    parameters: [],
    skills: new Map(),
    units: [],
    changes: changes.map(change),
  };
  const { report, diagnostics } = collect();
  await checkPolicies(program, [policy], () => span('instr.yaml'), report);
  for (const one of diagnostics()) {
    assert.is(one.rule, policy.name);
    assert.is(one.severity, policy.severity);
    assert.is(one.related?.at(-1)?.span.source.name, 'instr.yaml');
  }
  return diagnostics().map(one => `${one.code} ${one.message}`);
}

const layers = suite('layer-boundary');
const boundary = (maxDistance?: number, names = ['@core', '@team', '@project']): PolicyDefinition => ({
  kind: 'layer-boundary',
  name: 'layers',
  layers: names,
  severity: 'error',
  ...(maxDistance !== undefined && { maxDistance }),
});

layers('adjacent layers may change each other, and more distant ones may not', async () => {
  assert.equal(await violations(boundary(), ['@core/a > @team/b extend standards.code']), []);
  assert.equal(await violations(boundary(), ['@team/b > @project override standards.code']), []);
  assert.equal(await violations(boundary(), ['@core/a > @project append standards.code']), [
    'PRS5001 `@project` changes `standards.code`, which `@core/a` declared 2 layers away; the policy `layers` allows 1.',
  ]);
  assert.equal(await violations(boundary(2), ['@core/a > @project append standards.code']), []);
  assert.is((await violations(boundary(0), ['@core/a > @team/b append standards.code'])).length, 1);
});

layers('the base changes nothing that builds on it', async () => {
  const [found] = await violations(boundary(5), ['@team/b > @core/a append standards.code']);
  assert.match(found!, /^PRS5002/);
});

layers('an unlisted source changes nothing in a governed layer', async () => {
  const [found] = await violations(boundary(), ['@core/a > @core-evil/a append standards.code']);
  assert.match(found!, /^PRS5003/);
  assert.is((await violations(boundary(1, ['@core']), ['@core/a > @project append x.y'])).length, 1);
});

layers('sources outside of every layer are free, and a source may change itself', async () => {
  assert.equal(await violations(boundary(), ['@other/a > @project override standards.code']), []);
  assert.equal(await violations(boundary(0), ['@core/a > @core/a override standards.code']), []);
  assert.equal(await violations(boundary(0), ['@core/a > @core/b override standards.code']), []);
});

layers('the longest listed prefix decides', async () => {
  const names = ['@core', '@core/shared', '@project'];
  assert.equal(await violations(boundary(1, names), ['@core/shared/x > @project append a.b']), []);
  assert.is((await violations(boundary(1, names), ['@core/x > @project append a.b'])).length, 1);
});

layers.run();

const protection = suite('property-protection');
const protect = (targetPattern?: string, properties = ['content']): PolicyDefinition => ({
  kind: 'property-protection',
  name: 'protected',
  properties,
  severity: 'warning',
  ...(targetPattern !== undefined && { targetPattern }),
});

protection('replacing is a violation, and adding is one unless `append` allows it', async () => {
  for (const operation of ['replace', 'override', 'remove']) {
    const found = await violations(protect(), [`@core/a > @project ${operation} skills.review.content`]);
    assert.equal(found, [
      'PRS5010 `content` of `skills.review` is protected by the policy `protected` and may not be replaced.',
    ]);
  }
  for (const operation of ['append', 'merge']) {
    const changes = [`@core/a > @project ${operation} skills.review.content`];
    const added = ['PRS5011 A source adds to `content` of `skills.review`, which the policy `protected` protects.'];
    assert.equal(await violations(protect(), changes), added);
    assert.equal(await violations({ ...protect(), append: 'deny' } as PolicyDefinition, changes), added);
    assert.equal(await violations({ ...protect(), append: 'allow' } as PolicyDefinition, changes), []);
  }
  assert.equal(await violations(protect(), ['@core/a > @project override skills.review.license']), []);
});

protection('both ways to name an entry match', async () => {
  const change = '@core/a > @project override skills.review.content';
  for (const pattern of ['@core/skills/review', '@core/skills/*', '@core/**', '**', 'skills.review', 'skills.*']) {
    assert.is((await violations(protect(pattern), [change])).length, 1, pattern);
  }
  for (const pattern of ['@core-evil/skills/*', '@project/skills/*', '@core/agents/*', 'skills.rev', '@core/skills']) {
    assert.is((await violations(protect(pattern), [change])).length, 0, pattern);
  }
});

protection('replacing the entry or the whole block is a violation as well', async () => {
  for (const path of ['skills.review', 'skills']) {
    for (const pattern of ['@core/skills/*', '@core/**', 'skills.*', undefined]) {
      const change = `@core/a > @project override ${path}`;
      assert.is((await violations(protect(pattern), [change])).length, 1, `${path} ${pattern}`);
    }
  }
  assert.is((await violations(protect('@core/agents/*'), ['@core/a > @project override skills'])).length, 0);
});

protection.run();

const allowlist = suite('registry-allowlist');

/** The references that a configuration with these policies refuses, with the messages. */
function judge(policies: PolicyDefinition[], references: string[]) {
  const { report, diagnostics } = collect();
  const refused = references.filter(
    reference => !isReferenceAllowed(reference, span('project.prs'), policies, () => span('instr.yaml'), report),
  );
  return { refused, said: diagnostics().map(({ code, severity, rule }) => `${code} ${severity} ${rule}`) };
}

const allow = (allowed: string[], more: Partial<PolicyDefinition> = {}): PolicyDefinition =>
  ({ kind: 'registry-allowlist', name: 'sources', allowed, severity: 'error', ...more }) as PolicyDefinition;

allowlist('allows only references below an allowed prefix', () => {
  const policy = allow(['@core', 'github.com/acme']);
  assert.equal(judge([policy], ['@core/skills/a', '@core', 'github.com/acme/x']), { refused: [], said: [] });
  const wrong = ['@core-evil/a', '@coree', 'github.com/acme-evil/x', 'github.com/other', '@core/../evil/x'];
  assert.equal(judge([policy], wrong), { refused: wrong, said: wrong.map(() => 'PRS5020 error sources') });
  assert.equal(judge([allow([])], ['@core/a']).refused, ['@core/a']);
});

allowlist('checks every policy; a policy with warnings only refuses nothing', () => {
  const warning = allow(['@core'], { name: 'advice', severity: 'warning' });
  assert.equal(judge([warning], ['@other/a']), { refused: [], said: ['PRS5020 warning advice'] });
  const both = judge([warning, allow(['@core'])], ['@core/a', '@other/a']);
  assert.equal(both, { refused: ['@other/a'], said: ['PRS5020 warning advice', 'PRS5020 error sources'] });
  assert.equal(judge([allow(['@core', '@team']), allow(['@core'])], ['@team/a']).refused, ['@team/a']);
  assert.equal(judge([boundary(), protect()], ['@other/a']), { refused: [], said: [] });
});

allowlist('prefixes match whole segments', () => {
  assert.ok(covers('@core', '@core@1.2.0'));
  assert.ok(covers('@core/', '@core/a'));
  assert.ok(covers('git@host', 'git@host:org/x'));
  assert.not.ok(covers('git@host', 'git@host@elsewhere:org/x'));
  assert.not.ok(covers('', '@core/a'));
  assert.not.ok(covers('@core/a', '@core/ab'));
  assert.is(longestCover(['@a', '@a/b', '@a/b/c'], ['@a/b/x']), '@a/b');
});

allowlist.run();

const projects = suite('policies on projects');

addCases(projects, cases);

projects.run();
