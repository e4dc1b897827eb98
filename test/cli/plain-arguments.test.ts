/** What is read of plain lines without clipanion is what clipanion reads of them, for every command. */
import { Cli } from 'clipanion';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PrsCommandClass } from '../../src/cli/command.ts';
import { type CommandName, commands } from '../../src/cli/commands.ts';
import { plainCommand } from '../../src/cli/plain-arguments.ts';

const tests = suite('plain arguments');

/** The fields of a command; `context` is what the program does not use. */
const fieldsOf = (command: object) => {
  const { context, ...fields } = command as { context?: unknown };
  return JSON.parse(JSON.stringify(fields));
};

function parse(Class: PrsCommandClass, words: readonly string[]): unknown {
  const cli = new Cli({ binaryName: 'prs' });
  cli.register(Class);
  try {
    return fieldsOf(cli.process([...words]));
  } catch (error) {
    return (error as Error).name;
  }
}

const optionsOf = (Class: PrsCommandClass): string[] => {
  const cli = new Cli({ binaryName: 'prs' });
  cli.register(Class);
  const lists = cli.definitions().flatMap(({ options }) => options.map(({ definition }) => definition));
  return lists.flatMap(list => list.replace(/ .*/, '').split(','));
};

let seed = 7;
const random = (below: number): number => {
  seed = (seed * 48271) % 2147483647;
  return seed % below;
};

for (const name of Object.keys(commands) as CommandName[])
  tests(name, async () => {
    const Class = (await commands[name]()).default as PrsCommandClass;
    const options = optionsOf(Class);
    const others = ['a', 'b/c', '', '-', '--', '-x', '--no-json', '--json=1', '--cwd=x', '-h', '--help', '7', 'claude'];
    let plain = 0;
    for (let round = 0; round < 300; round++) {
      const words = Array.from({ length: random(5) }, () =>
        random(4) === 0 ? others[random(others.length)]! : options[random(options.length)]!,
      );
      const command = plainCommand(Class, name, words);
      if (!command) continue;
      plain++;
      assert.equal(fieldsOf(command), parse(Class, [name, ...words]), words.join(' '));
    }
    const needsWords = typeof parse(Class, [name]) === 'string';
    assert.ok(needsWords ? plain === 0 : plain > 50, `${plain} lines were plain`);
  });

tests('lines that are not plain are left to clipanion', async () => {
  const Class = (await commands.compile()).default as PrsCommandClass;
  for (const word of ['--no-color', '--cwd=a', '-x', 'claude', '--cwd', '--help'])
    assert.is(plainCommand(Class, 'compile', [word]), undefined, word);
  assert.is(plainCommand(Class, 'compile', ['--check', '--cwd', 'a'])?.cwd, 'a');
});

tests.run();
