import type { EntriesFile } from '../../generated/types/target.ts';
import { strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { fromLineWord } from '../../text/shell.ts';
import type { ReadBack } from './backward.ts';
import { readGitArguments } from './shell.ts';

/** A server in the words of the source: what `startedAs` writes, read back. */
export function readStarted(read: ReadBack, file: EntriesFile): ReadBack {
  return takeProjectRoot(file.servers?.shell ? takeWords(read) : read, file);
}

/** Words for a shell as the texts that it makes of them. */
function takeWords({ fields, unknown }: ReadBack): ReadBack {
  const command = fields.get('command');
  const args = strings(fields.get('args')).map(fromLineWord);
  const made: [string, Data][] = [
    ...(typeof command === 'string' ? [['command', fromLineWord(command)] as [string, Data]] : []),
    ...(args.length > 0 ? [['args', args] as [string, Data]] : []),
  ];
  return { fields: new Map([...fields, ...made]), unknown };
}

/** The way to the project that a tool's file has, as `cwd`. */
function takeProjectRoot({ fields, unknown }: ReadBack, { servers }: EntriesFile): ReadBack {
  const text = servers?.root?.text;
  const cwd = fields.get('cwd');
  if (text !== undefined && typeof cwd === 'string' && (cwd === text || cwd.startsWith(`${text}/`)))
    return { fields: new Map([...fields, ['cwd', cwd.slice(text.length + 1) || 'project']]), unknown };
  const way = readGitArguments([String(fields.get('command')), ...strings(fields.get('args'))]);
  const [program, ...rest] = way?.rest ?? [];
  if (!way || program === undefined || fields.has('cwd')) return { fields, unknown };
  const made: [string, Data][] = [
    ['command', program],
    ['args', rest],
    ['cwd', way.cwd],
  ];
  return {
    fields: new Map([...fields, ...made].filter(([key]) => key !== 'args' || rest.length > 0)),
    unknown,
  };
}
