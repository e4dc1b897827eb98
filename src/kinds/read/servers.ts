import type { EntriesFile } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { ReadBack } from './backward.ts';
import { readCommand } from './shell.ts';

/** A server with the way to the project that a tool's file has, as `cwd`: what `startedInProject` writes. */
export function takeProjectRoot({ fields, unknown }: ReadBack, { servers }: EntriesFile): ReadBack {
  const text = servers?.root.text;
  const cwd = fields.get('cwd');
  if (text !== undefined && typeof cwd === 'string' && (cwd === text || cwd.startsWith(`${text}/`)))
    return { fields: new Map([...fields, ['cwd', cwd.slice(text.length + 1) || 'project']]), unknown };
  const [flag, script, name, program, ...rest] = strings(fields.get('args'));
  const way = flag === '-c' && name === 'sh' ? /^(cd .* && )exec "\$@"$/.exec(script ?? '')?.[1] : undefined;
  const at = way === undefined ? undefined : readCommand(`${way}true`, undefined)?.cwd;
  if (fields.get('command') !== 'sh' || at === undefined || program === undefined || fields.has('cwd'))
    return { fields, unknown };
  const made: [string, Data][] = [
    ['command', program],
    ['args', rest],
    ['cwd', at],
  ];
  return {
    fields: new Map([...fields, ...made].filter(([key]) => key !== 'args' || rest.length > 0)),
    unknown,
  };
}
