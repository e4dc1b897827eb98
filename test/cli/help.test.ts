/** The help text of the program and of every command. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CommandName, commands as table } from '../../src/cli/commands.ts';
import { commandHelp, generalHelp } from '../../src/cli/help.ts';
import { project, prs } from './prs.ts';

const folder = project({});
const commands = Object.keys(table);

const tests = suite('help');

tests('--version and -v print only the version', () => {
  for (const flag of ['--version', '-v']) {
    const { status, stdout, stderr } = prs(folder, [flag]);
    assert.is(status, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\n$/);
    assert.is(stderr, '');
  }
  assert.match(prs(folder, ['compile', '--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});

tests('general help lists at most fourteen commands in five groups, and all commands with --all', () => {
  const commandsIn = (text: string) => [...text.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name!).filter(name => commands.includes(name));
  const groups = ['Start', 'Every day', 'Share', 'Look into', 'Integrate'];
  for (const args of [['--help'], ['-h'], ['help']]) {
    const { status, stdout, stderr } = prs(folder, args);
    assert.is(status, 0);
    assert.is(stderr, '');
    assert.equal(stdout.split('\n').filter(line => groups.includes(line)), groups);
    assert.ok(commandsIn(stdout).length <= 14, commandsIn(stdout).join());
    for (const name of ['merge-driver', 'lsp', 'completion', 'hook']) assert.not.ok(commandsIn(stdout).includes(name), name);
  }
  for (const args of [['help', '--all'], ['--help', '--all']]) assert.equal(commandsIn(prs(folder, args).stdout).sort(), [...commands].sort());
});

tests('help fits a narrow screen, except for command lines', async () => {
  const texts = await Promise.all([generalHelp(true, 40), ...Object.keys(table).map(name => commandHelp(name as CommandName, 40))]);
  for (const line of texts.join('\n').split('\n'))
    assert.ok(line.length <= 40 || /\$ |^ {2}prs |^ *\S+$/.test(line), line);
});

tests('every command has help with examples, at most eighty columns wide', () => {
  for (const command of commands) {
    const { status, stdout, stderr } = prs(folder, [command, '--help']);
    assert.is(status, 0, command);
    assert.is(stderr, '');
    assert.match(stdout, new RegExp(`^Usage\\n {2}prs ${command}\\b`, 'm'));
    assert.match(stdout, new RegExp(`\\$ .*prs ${command}`));
    assert.not.match(stdout, /<target>,|undefined|\$0/);
    for (const line of stdout.split('\n')) if (!line.includes('$ ')) assert.ok(line.length <= 80, `${command}: ${line}`);
    assert.is(prs(folder, ['help', command]).stdout, stdout);
    assert.is(prs(folder, [command, '-h', '--json']).stdout, stdout);
  }
});

tests('the options listed for every command exist in every command', () => {
  const optionsIn = (text: string, heading: string): string[] =>
    (text.split(`\n${heading}\n`)[1] ?? '').split('\n\n')[0]!.match(/^ {2}--?[a-z-]+/gm) ?? [];
  const shared = optionsIn(prs(folder, ['help', '--all']).stdout, 'Options of every command');
  assert.ok(shared.includes('  --cwd'));
  for (const command of commands) {
    const text = prs(folder, [command, '--help']).stdout;
    assert.equal(optionsIn(text, 'Options of every command'), shared, command);
    assert.not.ok(optionsIn(text, 'Options').some(option => shared.includes(option)), command);
  }
});

tests('an unknown shell is an invalid command line', () => {
  const { status, stdout, stderr } = prs(folder, ['completion', 'constructor']);
  assert.is(status, 2);
  assert.is(stdout, '');
  assert.match(stderr, /bash, zsh, fish/);
});

tests.run();
