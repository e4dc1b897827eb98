import { Cli } from 'clipanion';
import { ids } from '../generated/specs.ts';
import { type Group, PrsCommand, type PrsCommandClass } from './command.ts';
import { commands } from './commands.ts';

/** What help, completion and suggestions show of a command, derived from its clipanion class. */
export interface CommandInfo {
  readonly name: string;
  readonly group: Group;
  /** Whether the short list of commands shows it. */
  readonly listed: boolean;
  readonly description: string;
  readonly details: string;
  /** `prs import <file>`, without options. */
  readonly usage: string;
  readonly options: readonly OptionInfo[];
  readonly examples: readonly (readonly [label: string, line: string])[];
}

/** An option as help and completion show it. */
export interface OptionInfo {
  /** `--dry-run`, or `-y` and `--yes`. */
  readonly names: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

/** All commands, in display order. */
export async function describeCommands(): Promise<readonly CommandInfo[]> {
  const modules = await Promise.all(Object.values(commands).map(load => load()));
  return modules.map(module => describeCommand(module.default));
}

/** Describes one command. */
export function describeCommand(Class: PrsCommandClass): CommandInfo {
  const [definition] = Cli.from(Class, { binaryName: 'prs' }).definitions();
  const { description = '', details = '', category, examples = [] } = Class.usage!;
  return {
    name: Class.paths![0]![0]!,
    group: category as Group,
    listed: Class.listed,
    description,
    details,
    usage: definition!.usage.replace('...', `[${Class.rest}...]`),
    options: definition!.options.map(option => optionInfo(option.definition, option.description ?? '')),
    examples: examples.map(withTargets),
  };
}

/** Options that take names of tools. */
export const targetOptions: readonly string[] = ['--target', '--targets', '--as'];

/** The options that every command has. */
export const commonOptions = (): readonly OptionInfo[] => [
  ...describeCommand(AnyCommand).options,
  { names: ['-h', '--help'], takesValue: false, description: 'Show help.' },
  { names: ['-v', '--version'], takesValue: false, description: 'Show the version.' },
];

class AnyCommand extends PrsCommand {
  static override paths = [['<command>']];
  static override usage = PrsCommand.Usage({});
  override run = (): never => {
    throw new Error('This command is only described.');
  };
}

/** clipanion writes `-y,--yes`, and `--name #0` for an option with a value. */
function optionInfo(definition: string, description: string): OptionInfo {
  const [names = '', value] = definition.split(' ');
  return { names: names.split(','), takesValue: value !== undefined, description };
}

/**
 * Code must not name tools: `<target>` in an example is replaced by the id of one, in the order of
 * suggestions.
 */
function withTargets([label, line]: readonly [string, string]): readonly [string, string] {
  let next = 0;
  return [label, line.replace(/<target>/g, word => ids[next++] ?? word)];
}
