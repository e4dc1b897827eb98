import { wrapLines } from '../text/wrap.ts';
import { groups } from './command.ts';
import {
  type CommandInfo,
  commonOptions,
  describeCommand,
  describeCommands,
  type OptionInfo,
} from './command-info.ts';
import { type CommandName, commands } from './commands.ts';
import { table } from './report/table.ts';

/** Longer lines are hard to read, however wide the terminal is. */
const widest = 80;

/**
 * The help text of a command, wrapped at `columns`. Command lines are not wrapped, so that they can be
 * copied.
 */
export async function commandHelp(name: CommandName, columns: number): Promise<string> {
  const width = Math.min(columns, widest);
  const { default: Class } = await commands[name]();
  const { description, details, usage, options, examples } = describeCommand(Class);
  const common = commonOptions();
  const isCommon = ({ names }: OptionInfo) => common.some(one => one.names[0] === names[0]);
  const own = options.filter(option => !isCommon(option));
  return [
    wrapLines(`${description}\n`, width, ''),
    `Usage\n  ${usage} [options]\n`,
    ...(details === '' ? [] : [wrapLines(`${details}\n`, width, '')]),
    ...(own.length > 0 ? [`Options\n${table(own.map(optionRow), width)}`] : []),
    `Options of every command\n${table(common.map(optionRow), width)}`,
    `Examples\n${examples.map(([label, line]) => `${wrapLines(`  ${label}`, width, '  ')}\n    $ ${line}\n`).join('')}`,
  ].join('\n');
}

/** The general help text: commands by group, all of them or only the most used. */
export async function generalHelp(all: boolean, columns: number): Promise<string> {
  const width = Math.min(columns, widest);
  const shown = (await describeCommands()).filter(({ listed }) => all || listed);
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
      groups.flatMap(group => groupRows(group, shown)),
      width,
    ),
    ...(all ? [`Options of every command\n${table(commonOptions().map(optionRow), width)}`] : []),
    `More\n${table(more, width)}`,
  ].join('\n');
}

function groupRows(group: string, shown: readonly CommandInfo[]): string[][] {
  const rows = shown.filter(one => one.group === group).map(one => [`  ${one.name}`, one.description]);
  return [...(group === groups[0] ? [] : [['']]), [group], ...rows];
}

const optionRow = ({ names, takesValue, description }: OptionInfo): readonly [string, string] => [
  `  ${names.join(', ')}${takesValue ? ' <value>' : ''}`,
  description,
];
