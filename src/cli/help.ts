import { Cli } from 'clipanion';
import { ids } from '../generated/specs.ts';
import { wrapLines } from '../text/wrap.ts';
import { type Group, groups, PrsCommand, type PrsCommandClass } from './command.ts';
import { type CommandName, commands } from './commands.ts';
import { table } from './report/table.ts';

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
  const classes: PrsCommandClass[] = await Promise.all(Object.values(commands).map(load => load()));
  return classes.map(describeCommand);
}

/** Describes one command. */
function describeCommand(Class: PrsCommandClass): CommandInfo {
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
  override run = async () => undefined;
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

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 80;

/**
 * The help text of a command, wrapped at `columns`. Command lines are not wrapped, so that they can be
 * copied.
 */
export async function commandHelp(name: CommandName, columns: number): Promise<string> {
  const width = Math.min(columns, widest);
  const { description, details, usage, options, examples } = describeCommand(await commands[name]());
  const common = commonOptions();
  const isCommon = ({ names }: OptionInfo) => common.some(one => one.names[0] === names[0]);
  const specific = options.filter(option => !isCommon(option));
  return [
    wrapLines(`${description}\n`, width, ''),
    `Usage\n  ${usage} [options]\n`,
    ...(details === '' ? [] : [wrapLines(`${details}\n`, width, '')]),
    ...(specific.length > 0 ? [`Options\n${table(specific.map(optionRow), width)}`] : []),
    `Options of every command\n${table(common.map(optionRow), width)}`,
    `Examples\n${examples.map(([label, line]) => `${wrapLines(`  ${label}`, width, '  ')}\n    $ ${line}\n`).join('')}`,
  ].join('\n');
}

/** The general help text: commands by group, all of them or only the most used. */
export async function generalHelp(all: boolean, columns: number): Promise<string> {
  const width = Math.min(columns, widest);
  const visible = (await describeCommands()).filter(({ listed }) => all || listed);
  const more: (readonly [string, string])[] = [
    ['  prs <command> --help', 'options and examples of a command'],
    ...(all ? [] : [['  prs help --all', 'every command'] as const]),
    ['  prs help topics', 'the manual'],
    ['  prs explain @guards', 'a block, a field of instr.yaml, or a finding'],
  ];
  return [
    wrapLines(`prs compiles AI coding instructions, written once, for every assistant.\n`, width, ''),
    'Usage\n  prs <command> [options]\n',
    table(
      groups.flatMap(group => groupRows(group, visible)),
      width,
    ),
    ...(all ? [`Options of every command\n${table(commonOptions().map(optionRow), width)}`] : []),
    `More\n${table(more, width)}`,
  ].join('\n');
}

function groupRows(group: Group, commands: readonly CommandInfo[]): string[][] {
  const rows = commands.filter(one => one.group === group).map(one => [`  ${one.name}`, one.description]);
  return [...(group === groups[0] ? [] : [['']]), [group], ...rows];
}

const optionRow = ({ names, takesValue, description }: OptionInfo): readonly [string, string] => [
  `  ${names.join(', ')}${takesValue ? ' <value>' : ''}`,
  description,
];
