/** Imports hooks of a tool under their portable events. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { HookFacts } from '../../src/generated/types/target.ts';
import { compile } from '../../src/index.ts';
import { type NativeHook, portableHooks, readHook } from '../../src/kinds/read/hooks.ts';
import { commandsOfScript } from '../../src/kinds/scripts/read.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { builtinSpec } from '../../src/spec/load.ts';

const tests = suite('import: hooks');

const events: HookFacts['events'] = {
  few: [{ name: 'A' }, { name: 'B' }],
  all: [{ name: 'A' }, { name: 'B' }, { name: 'C' }],
  edits: [{ name: 'Use', matcher: 'Edit' }],
  uses: [{ name: 'Use' }],
};
const hook = (native: string, more: Partial<NativeHook> = {}): NativeHook => ({
  native,
  fields: new Map([['command', ['run']]]),
  unknown: new Map(),
  ...more,
});
const found = (...hooks: NativeHook[]) =>
  portableHooks(hooks, { events } as HookFacts).map(({ key, fields }) => [key, fields.get('event'), fields.get('matcher')]);

tests('a hook under several native events is one hook, under the broadest portable event that includes them all', () => {
  assert.equal(found(hook('A'), hook('B'), hook('C')), [['all', 'all', undefined]]);
  assert.equal(found(hook('A'), hook('B')), [['few', 'few', undefined]]);
});

tests('a matcher that an event implies is not repeated, and other matchers are kept', () => {
  assert.equal(found(hook('Use', { matcher: 'Edit' })), [['edits', 'edits', undefined]]);
  assert.equal(found(hook('Use', { matcher: 'Bash' })), [['uses', 'uses', 'Bash']]);
  assert.equal(found(hook('Else')), [['else', 'Else', undefined]]);
});

tests('a hook for several events of the tool is one file with an entry for each, and is imported as one; a prompt stays one', async () => {
  const text = '@meta { id: "x" syntax: "1.6.0" }\n@identity { "You work." }\n@hooks { seen: { event: "file-changed" command: ["notify"] } asks: { event: "stop" prompt: "Is all of it done?" } }\n';
  const { files, ok } = await compile({ files: { 'instr.yaml': 'id: x\nsyntax: "1.6.0"\ntargets: [kiro]\nincludeInstrSkill: false\n', '.instr/project.prs': text } });
  assert.ok(ok);
  const contentOf = (path: string) => String(files.find(file => file.path === path)!.content);
  const { hooks } = JSON.parse(contentOf('.kiro/hooks/seen.json')) as { hooks: { trigger: string }[] };
  assert.equal(hooks.map(({ trigger }) => trigger), ['PostFileSave', 'PostFileCreate', 'PostFileDelete']);
  const back = async (path: string) => {
    const read = await importFile({ path, bytes: new TextEncoder().encode(contentOf(path)), specs: [builtinSpec('kiro')!.spec] }, () => {});
    return read!.parts.map(({ key, content }) => [key, content.kind === 'fields' && [...content.fields]]);
  };
  assert.equal(await back('.kiro/hooks/seen.json'), [['seen', [['event', 'file-changed'], ['command', ['notify']]]]]);
  assert.equal(await back('.kiro/hooks/asks.json'), [['asks', [['event', 'stop'], ['prompt', 'Is all of it done?']]]]);
});

tests('a hook is imported under the most specific event', () => {
  const wide: HookFacts['events'] = { every: [{ name: 'R' }, { name: 'W' }], reads: [{ name: 'R' }] };
  const [one] = portableHooks([hook('R')], { events: wide });
  assert.is(one?.fields.get('event'), 'reads');
  assert.is(portableHooks([hook('R'), hook('W')], { events: wide })[0]?.fields.get('event'), 'every');
});

tests('a prompt is a separate kind of hook, and kinds that only the tool supports are kept for that tool', () => {
  const read = (fields: [string, string][]) => readHook({ native: 'A', read: { fields: new Map(fields), unknown: new Map() } }, { events } as HookFacts);
  const asked = read([['action', 'prompt'], ['prompt', 'Is it safe?'], ['model', 'small']]) as NativeHook;
  assert.equal([...asked.fields], [['prompt', 'Is it safe?'], ['model', 'small']]);
  assert.equal(read([['action', 'agent'], ['prompt', 'Is it safe?']]), { unreadable: "it is of the tool's own kind `agent`" });
});

tests('hooks get unique names', () => {
  const script = (name: string) => new Map([['command', ['sh', name]]]);
  const hooks = [hook('Use', { fields: script('a/format.sh') }), hook('Use', { fields: script('b/format.sh') }), hook('Use', { id: 'mine' })];
  assert.equal(found(...hooks).map(([key]) => key), ['format', 'format-2', 'mine']);
});

tests('a script with more than a list of commands is not imported', () => {
  assert.equal(commandsOfScript('#!/bin/sh\nnpm test\n'), ['npm test']);
  const passed = (command: string) => `printf '%s' "$input" | (${command}) || exit $?`;
  assert.equal(commandsOfScript(`#!/bin/sh\ninput=$(cat)\n${passed('one')}\n${passed('two')}\n`), ['one', 'two']);
  assert.is(commandsOfScript(`#!/bin/sh\ninput=$(cat)\n${passed('one')}\nif true; then echo; fi\n`), undefined);
  assert.is(commandsOfScript('#!/bin/sh\nset -e\nnpm test\n'), undefined);
  assert.is(commandsOfScript('#!/bin/bash\nnpm test\n'), undefined);
});

tests('a hook that is not imported has a reason, which never quotes a missing command', () => {
  const facts = { events, root: undefined } as unknown as HookFacts;
  const why = (fields: [string, string][], unknown: [string, string][] = []) =>
    (readHook({ native: 'A', read: { fields: new Map(fields), unknown: new Map(unknown) } }, facts) as { unreadable?: string }).unreadable;
  assert.is(why([['shell', 'eslint $(git diff)']]), '`eslint $(git diff)` needs a shell that fills something in');
  assert.is(why([['shell', ' ']]), 'it names no command');
  assert.is(why([], [['type', 'prompt'], ['prompt', 'Be brief.']]), "it names no command; what it has (`type`, `prompt`) is the tool's own");
});

tests.run();
