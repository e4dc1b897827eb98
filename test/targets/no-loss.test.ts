/** Nothing is lost silently: all content of a program is in a file of each target or in its omissions. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { allVersions, compileModel, openKitchenSink, resolveText } from '../support/compile.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';
import { leavesOf, lostLeaves, translationsOf } from '../support/texts.ts';

const tests = suite('no silent loss');
const { program } = await openKitchenSink();
const leaves = leavesOf(program);

tests('the project has texts of every kind', () => {
  const blocks = new Set(leaves.map(({ path }) => path.split(/[.@]/)[0]));
  for (const block of ['identity', 'context', 'standards', 'restrictions', 'knowledge', 'shortcuts', 'params', 'skills', 'agents', 'local', 'guards', 'examples', 'workflows', 'hooks', 'mcpServers', 'plugins', 'house-rules'])
    assert.ok(blocks.has(block), block);
  assert.ok(leaves.length > 140, `${leaves.length} texts`);
});

tests('a lost text is found', () => {
  const lost = lostLeaves([{ path: 'a', text: 'nowhere to be seen' }, { path: 'b', text: 'Use it.' }], {
    files: [],
    omissions: [{ target: 'x', version: 'y', source: 'b', text: 'Use it.', advice: '' }],
  });
  assert.equal(lost, ['a: nowhere to be seen']);
});

/** Words that layout, quoting or escaping could drop. */
const words = [
  'plain', "it's", '"quoted"', '`code`', '# not a heading', '- dash', '---', 'key: value', '{{x}}', '${HOME}', '*star*',
  '| bar |', '<tag>', '& more', 'back\\slash', '%PATH%', '𝛑', 'שלום', '👩‍👧', 'true', '1.10', '[x](y)', '!not', '@at', '> quote',
  'a, b', ';',
];

const sentence = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 })
  .map(parts => `x${parts.join(' ')}x`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 3 }).map(lines => lines.join('\n\n'));
const name = fc.constantFrom('alpha', 'beta', 'gamma');

const fence = '"'.repeat(3);
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
const block = (text: string) => `${fence}\n${text}\n${fence}`;

/** Small programs as source. Every text is unique, so that a lost text is not mistaken for an equal one. */
const source = fc
  .record({
    identity: paragraph,
    standards: fc.uniqueArray(sentence, { minLength: 1, maxLength: 3 }),
    restriction: sentence,
    skill: fc.record({ name, description: sentence, content: paragraph, license: sentence }),
    agent: fc.record({ name, description: sentence, content: paragraph, color: sentence }),
    guard: fc.record({ name, description: sentence, content: paragraph }),
    command: fc.record({ name, description: sentence, content: paragraph }),
    hook: fc.record({
      event: fc.constantFrom('stop', 'pre-tool-use', 'notification'),
      argument: sentence,
      status: sentence,
    }),
    server: fc.record({ argument: sentence, description: sentence }),
    note: sentence,
  })
  .map(({ identity, standards, restriction, skill, agent, guard, command, hook, server, note }) =>
    [
      '@meta { id: "random" syntax: "1.5.0" }',
      `@identity { ${block(`identity ${identity}`)} }`,
      `@standards { topic: [${standards.map(text => quoted(`standard ${text}`)).join(', ')}] }`,
      `@restrictions { - ${quoted(`restriction ${restriction}`)} }`,
      `@skills { ${skill.name}: { description: ${quoted(`skill ${skill.description}`)} license: ${quoted(`licence ${skill.license}`)} content: ${block(`skill text ${skill.content}`)} } }`,
      `@agents { ${agent.name}: { description: ${quoted(`agent ${agent.description}`)} color: ${quoted(`colour ${agent.color}`)} content: ${block(`agent text ${agent.content}`)} } }`,
      `@guards { ${guard.name}: { applyTo: ["src/**"] description: ${quoted(`guard ${guard.description}`)} content: ${block(`guard text ${guard.content}`)} } }`,
      `@shortcuts { "/${command.name}": { prompt: true description: ${quoted(`command ${command.description}`)} content: ${block(`command text ${command.content}`)} } }`,
      `@hooks { run: { event: "${hook.event}" command: ["echo", ${quoted(`hook ${hook.argument}`)}] statusMessage: ${quoted(`status ${hook.status}`)} } }`,
      `@mcpServers { server: { transport: "stdio" command: ["node", ${quoted(`server ${server.argument}`)}] description: ${quoted(`about ${server.description}`)} } }`,
      `@local { ${block(`note ${note}`)} }`,
    ].join('\n\n'),
  );

tests('random programs keep their texts in any version of any target', async () => {
  const versions = allVersions();
  await fc.assert(
    fc.asyncProperty(source, fc.nat(versions.length - 1), async (text, index) => {
      const { loaded, version } = versions[index]!;
      const random = resolveText(text);
      const compiled = await compileModel(random.model, [{ loaded, config: { version } }]);
      // Two items for the same file are an error, which users do not overlook.
      fc.pre(!compiled.diagnostics.some(({ severity }) => severity === 'error'));
      const lost = lostLeaves(leavesOf(random.program), compiled, translationsOf(loaded.spec));
      assert.is(lost.join('\n'), '', `${loaded.spec.id} ${version}`);
    }),
    { numRuns: runs(150), seed: 7 },
  );
});

tests.run();
