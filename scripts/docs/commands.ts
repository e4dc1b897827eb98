import type { CommandInfo } from '../../src/cli/command-info.ts';

/** The commands with what each does, as the command line describes them. */
export function commandList(commands: readonly CommandInfo[]): string {
  const rows = commands.map(
    ({ name, description }) => `| \`prs ${name}\` | ${description.replaceAll('|', '\\|')} |`,
  );
  return ['| command | what it does |', '| --- | --- |', ...rows].join('\n');
}
