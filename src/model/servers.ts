import { commandWords, posixCommand } from '../text/shell.ts';
import { strings } from './data.ts';
import type { Data, Fields } from './model.ts';

/**
 * A portable MCP server. `program` and `arguments` are the two halves of the command line, `argv` the whole,
 * `commandLine` the same as one POSIX shell command;
 * `transport` is filled in from what the server has when the source lacks it, and `disabled` is set when it is
 * switched off.
 */
export function serverFields(fields: Map<string, Data>): Fields {
  const argv = [...commandWords(strings(fields.get('command'))), ...strings(fields.get('args'))];
  if (argv.length > 0) {
    fields.set('argv', argv);
    fields.set('program', argv[0]!);
    if (argv.length > 1) fields.set('arguments', argv.slice(1));
    fields.set('commandLine', posixCommand(argv));
  }
  // Other tools have `disabled: true`. A server that is switched off in either way must not be started.
  if (
    fields.get('enabled') === false ||
    fields.get('disabled') === true ||
    fields.get('disabled') === 'true'
  ) {
    fields.set('enabled', false);
    fields.set('disabled', true);
  } else fields.delete('disabled');
  if (!fields.has('transport')) fields.set('transport', fields.has('url') ? 'http' : 'stdio');
  return fields;
}
