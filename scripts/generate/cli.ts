/**
 * src/generated/help.ts: the help of every command as ready text. src/generated/command-table.ts: names, options and
 * arguments, for completion scripts and for "did you mean". Both are made from the command classes.
 */
import { Command } from 'clipanion';
import type { PrsCommandClass } from '../../src/cli/command.ts';
import {
  type CommandInfo,
  commonOptions,
  type OptionInfo,
  type PositionalInfo,
} from '../../src/cli/command-info.ts';
import { ids } from '../../src/generated/specs.ts';
import type { Generated } from '../generate.ts';

const width = 80;

export async function generate(_root: string): Promise<Generated[]> {
  const { commands } = await import('../../src/cli/commands.ts');
  const table: CommandInfo[] = [];
  const help: Record<string, string> = {};
  for (const [name, load] of Object.entries(commands)) table.push(await describe(name, load));
  const common = commonOptions(table);
  for (const info of table) help[info.name] = commandHelp(info, common);
  help[''] = generalHelp(table, common);
  return [
    {
      path: 'src/generated/help.ts',
      text: `/** Command name to help; the empty name is the program itself. */\nexport const help: Readonly<Record<string, string>> = ${JSON.stringify(help, null, 1)};\n`,
    },
    {
      path: 'src/generated/command-table.ts',
      text: `import type { CommandInfo } from '../cli/command-info.ts';\n\nexport const commandTable: readonly CommandInfo[] = ${JSON.stringify(table, null, 1)};\n`,
    },
  ];
}

type Load = () => Promise<{ default: PrsCommandClass }>;

/** Lets the fields of the class describe themselves to a builder that only takes notes. */
async function describe(name: string, load: Load): Promise<CommandInfo> {
  const Class = (await load()).default;
  const options: OptionInfo[] = [];
  const positionals: PositionalInfo[] = [];
  const builder = {
    addOption: (option: { names: string[]; arity?: number; description?: string; hidden?: boolean }) => {
      if (option.hidden) return;
      if (!option.description) throw new Error(`prs ${name}: ${option.names[0]} has no description`);
      options.push({
        names: option.names,
        takesValue: (option.arity ?? 0) > 0,
        description: option.description,
      });
    },
    addPositional: (positional: { name: string; required?: boolean }) => {
      positionals.push({ name: positional.name, required: positional.required !== false, rest: false });
    },
    addRest: (rest: { name: string; required: number }) => {
      positionals.push({ name: rest.name, required: rest.required > 0, rest: true });
    },
  };
  for (const [key, field] of Object.entries(new Class())) {
    if (isDefinition(field)) field.definition(builder, key);
  }
  const { description, details, examples } = Class.usage ?? {};
  if (!description || !examples?.length)
    throw new Error(`prs ${name}: a command needs a description and examples`);
  return {
    name,
    description,
    details: details ?? '',
    positionals,
    options,
    examples: examples.map(fillTargets),
  };
}

/** Code knows no tool: `<target>` in an example becomes the id of one, in the order in which they are proposed. */
function fillTargets([label, line]: readonly [string, string]): [string, string] {
  let next = 0;
  return [label, line.replace(/<target>/g, () => ids[next++] ?? '<target>')];
}

function isDefinition(value: unknown): value is { definition(builder: unknown, key: string): void } {
  return typeof value === 'object' && value !== null && Command.isOption in value;
}

function commandHelp(info: CommandInfo, common: readonly OptionInfo[]): string {
  const isShared = ({ names }: OptionInfo) => common.some(option => option.names[0] === names[0]);
  const own = info.options.filter(option => !isShared(option));
  const shared = info.options.filter(isShared);
  const positionals = info.positionals.map(({ name, required, rest }) => {
    const word = rest ? `${name}...` : name;
    return required ? `<${word}>` : `[${word}]`;
  });
  return [
    `${info.description}\n`,
    `Usage\n  ${['prs', info.name, ...positionals, '[options]'].join(' ')}\n`,
    ...(info.details ? [`${wrap(info.details, '')}\n`] : []),
    ...(own.length ? [`Options\n${rows(own.map(optionRow))}`] : []),
    `Options of every command\n${rows([...shared.map(optionRow), ...standing])}`,
    `Examples\n${info.examples.map(([label, line]) => `  ${label}\n    $ ${line}\n`).join('')}`,
  ].join('\n');
}

const standing: readonly (readonly [string, string])[] = [
  ['-h, --help', 'Show help.'],
  ['-v, --version', 'Show the version.'],
];

function generalHelp(table: readonly CommandInfo[], common: readonly OptionInfo[]): string {
  return [
    'prs writes AI coding instructions once and compiles them for every assistant.\n',
    'Usage\n  prs <command> [options]\n',
    `Commands\n${rows(table.map(({ name, description }) => [name, description]))}`,
    `Options of every command\n${rows([...common.map(optionRow), ...standing])}`,
    'Start here\n  In a new project\n    $ prs init\n  In a project that has instruction files already\n    $ prs migrate --dry-run\n  Then\n    $ prs compile\n',
    'Read on\n  The manual\n    $ prs help topics\n  A block, a field of the configuration, a finding\n    $ prs explain @guards\n    $ prs explain instr.yaml targets\n    $ prs explain PRS1001\n',
  ].join('\n');
}

const optionRow = ({ names, takesValue, description }: OptionInfo): readonly [string, string] => [
  `${names.join(', ')}${takesValue ? ' <value>' : ''}`,
  description,
];

/** Two columns; the second one is wrapped. */
function rows(entries: readonly (readonly [string, string])[]): string {
  const column = Math.max(...entries.map(([left]) => left.length)) + 4;
  return entries
    .map(([left, right]) => `  ${left.padEnd(column - 2)}${wrap(right, ' '.repeat(column)).trimStart()}\n`)
    .join('');
}

function wrap(text: string, indent: string): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length + 1 > width && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}
