/**
 * A POSIX script that runs commands one after the other with the same input. The first failure ends it with that
 * status, so that a tool that blocks on a status still can.
 */
export function hookScript(commands: readonly string[]): string {
  if (commands.length === 1) return `#!/bin/sh\n${commands[0]}\n`;
  const lines = commands.map(command => `printf '%s' "$input" | (${command}) || exit $?`);
  return `#!/bin/sh\ninput=$(cat)\n${lines.join('\n')}\n`;
}
