import type { CommandInfo } from '../../src/cli/command-info.ts';

/** The commands of the short list with what each does, as the command line describes them. */
export function commandList(commands: readonly CommandInfo[]): string {
  const rows = commands
    .filter(({ listed }) => listed)
    .map(({ name, description }) => `| \`prs ${name}\` | ${description.replaceAll('|', '\\|')} |`);
  return ['| command | what it does |', '| --- | --- |', ...rows].join('\n');
}
