import { commandWords } from '../text/shell.ts';
import { isDataObject, strings } from './data.ts';
import type { Data, Fields } from './model.ts';

/**
 * A portable hook with its command as one argument list in `argv`: `command` as written, or the interpreter,
 * path and arguments of `script`. Arguments stay apart; how they are quoted is up to the target's shell.
 */
export function hookFields(name: string, fields: Map<string, Data>): Fields {
  const script = fields.get('script');
  const argv = isDataObject(script)
    ? [...strings(script.interpreter), ...strings(script.path), ...strings(script.args)]
    : [...commandWords(strings(fields.get('command')))];
  fields.set('argv', argv);
  fields.set('id', name);
  return fields;
}
