/** Output on a screen of 80 columns: columns are not broken, and important values are shown. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { parse } from 'yaml';
import { fileList } from '../../src/cli/report/files.ts';
import { targetList } from '../../src/cli/report/targets.ts';
import type { PlanEntry } from '../../src/plan/plan.ts';
import { listTargets } from '../../src/project/open/targets.ts';
import { renderStyles } from '../../src/text/style.ts';
import { project, prs, read, targetIds } from './prs.ts';
import { hasTerminal, openScreen } from './screen.ts';

const tests = suite('narrow screens');
const onScreen = hasTerminal ? tests : tests.skip;

tests('the list of tools fits 80 columns', () => {
  const targets = listTargets(new Map());
  const narrow = renderStyles(targetList(targets, 80), false).split('\n');
  for (const line of narrow) assert.ok(line.length <= 80, line);
  for (const { id, title, capabilities } of targets) {
    const at = narrow.findIndex(line => line.startsWith(`${id} `));
    assert.ok(narrow[at]!.includes(title), id);
    const below = narrow.slice(at + 1, at + 3).join(' ');
    for (const one of capabilities) assert.ok(below.includes(one), `${id}: ${one}`);
  }
});

tests('the list of planned files stays readable: targets are counted, and reasons go below', () => {
  const entry = { state: 'drifted', action: 'keep', mode: 0o644, bytes: 1, sha256: '', needsBackup: false } as const;
  const entries: PlanEntry[] = [
    { ...entry, path: 'AGENTS.md', targets: targetIds, reason: 'It was edited after it had been written, and says something else than the record of it.' },
    { ...entry, state: 'new', action: 'write', path: `${'deep/'.repeat(14)}RULES.md`, targets: ['claude', 'cursor'] },
  ];
  const lines = renderStyles(fileList(entries, 80), false).trimEnd().split('\n');
  assert.match(lines[0]!, /^drifted {4}0644 {2}AGENTS\.md {2}\(\d+ targets\)$/);
  assert.match(lines[1]!, /^ {17}It was edited/);
  assert.match(lines.at(-1)!, /^ {17}\(claude, cursor\)$/);
  for (const line of lines) assert.ok(line.length <= 80 || line.includes('deep/'), line);
});

onScreen('a small project gets a short report that lists the written files', async () => {
  const folder = project({
    'instr.yaml': 'id: x\nsyntax: "1.6.0"\ntargets: [claude]\nincludeInstrSkill: false\n',
    '.instr/project.prs': '@meta { id: "x" syntax: "1.6.0" }\n@identity { "You maintain a shop." }\n',
  });
  const screen = await openScreen(folder);
  screen.type('clear; prs compile', 'Enter');
  const output = await screen.shows(/^\[0\]$/m);
  assert.match(output, /^ {2}new {2}CLAUDE\.md\n1 file \(1 new\) · 1 target · \d+ ms\n/m);
  assert.not.match(output, /Always loaded/);
  screen.close();
});

onScreen('init searches tools by the typed text', async () => {
  const folder = project({ 'opencode.json': '{}\n' });
  const screen = await openScreen(folder);
  screen.type('prs init', 'Enter');
  await screen.shows(/What is the id/);
  screen.type('Enter');
  await screen.shows(/Which assistants/);
  screen.type('kiro');
  assert.match(await screen.shows(/1 match/), /◻ Kiro/);
  screen.type('Tab', 'Enter');
  await screen.shows(/A registry to share/);
  screen.type('Enter');
  await screen.shows(/^\[0\]$/m);
  assert.equal(parse(read(folder, 'instr.yaml')).targets.sort(), ['kiro', 'opencode']);
  assert.is(prs(folder, ['validate']).status, 0);
  screen.close();
});

tests.run();
