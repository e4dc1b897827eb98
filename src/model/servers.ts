import { posixCommand, splitCommand } from '../text/shell.ts';
import { strings } from './data.ts';
import type { Data, Fields } from './model.ts';

/**
 * A portable MCP server. `program` and `arguments` are the two halves of the command line, `argv` the whole,
 * `commandLine` the same as one POSIX shell command;
 * `transport` is filled in from what the server has when the source does not say it.
 */
export function serverFields(fields: Map<string, Data>): Fields {
  const command = strings(fields.get('command'));
  const [only] = command;
  const words = command.length === 1 ? (splitCommand(only!) ?? command) : command;
  const argv = [...words, ...strings(fields.get('args'))];
  if (argv.length > 0) {
    fields.set('argv', argv);
    fields.set('program', argv[0]!);
    if (argv.length > 1) fields.set('arguments', argv.slice(1));
    fields.set('commandLine', posixCommand(argv));
  }
  if (!fields.has('transport')) fields.set('transport', fields.has('url') ? 'http' : 'stdio');
  return fields;
}
