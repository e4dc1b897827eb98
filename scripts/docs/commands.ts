import type { CommandInfo } from '../../src/cli/help.ts';

/** A table of the commands in the short list, with the descriptions of the command line. */
export function commandList(commands: readonly CommandInfo[]): string {
  const rows = commands
    .filter(({ listed }) => listed)
    .map(({ name, description }) => `| \`prs ${name}\` | ${description.replaceAll('|', '\\|')} |`);
  return ['| command | what it does |', '| --- | --- |', ...rows].join('\n');
}
