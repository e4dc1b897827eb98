import type { ItemFiles } from '../generated/types/target.ts';
import type { Data } from '../model/model.ts';

/** Fields that a body shows behind or before the content, read back; what is left is the content. */
export interface BodyRead {
  readonly content: string;
  readonly fields: ReadonlyMap<string, Data>;
}

/** Undoes the body of an item file. `has` are the fields that its keys gave already: a body does not repeat them. */
export function readBody(
  body: string,
  file: ItemFiles | undefined,
  of: string,
  has: ReadonlySet<string>,
): BodyRead {
  const name = file?.body ?? (of === 'skills' ? 'skill' : 'content');
  if (name === 'described' && !has.has('description')) {
    // One line is both what a command does and all that it says.
    const line = of === 'commands' ? /^([^\n]+)\n*$/.exec(body)?.[1] : undefined;
    return line === undefined
      ? readDescribed(body)
      : { content: '', fields: new Map([['description', line]]) };
  }
  if (name === 'scoped') return readScoped(body);
  if (name === 'skill') return readSkill(body, has);
  return { content: body, fields: new Map() };
}

/**
 * A line above the text that is no sentence describes it. Anything else is part of the text: whoever wrote it by hand
 * meant it to be followed, and descriptions are not always read.
 */
export function readDescribed(body: string): BodyRead {
  const match = /^([^\n#>|`*\-\d\s][^\n]{0,250}[^\n.!?:;,\s])\n\n+([\s\S]+)$/.exec(body);
  if (!match || /<|@|\$/.test(match[1]!)) return { content: body, fields: new Map() };
  return { content: match[2]!, fields: new Map([['description', match[1]!]]) };
}

/** A description and the files a rule is about, in the words that emit gives them; otherwise all of it is the rule. */
function readScoped(body: string): BodyRead {
  const match = /^(?:([^\n]+)\n\n)?Applies to: (`[^`\n]+`(?:, `[^`\n]+`)*)\n\n([\s\S]+)$/.exec(body);
  if (!match) return { content: body, fields: new Map() };
  const globs = match[2]!.slice(1, -1).split('`, `');
  const fields = new Map<string, Data>([['globs', globs]]);
  if (match[1] !== undefined) fields.set('description', match[1]);
  return { content: match[3]!, fields };
}

/** The labelled parts behind the content of a skill, in the order of its body. */
const lines: readonly (readonly [label: string, field: string, list: boolean])[] = [
  ['Trigger', 'trigger', false],
  ['Requires', 'requires', true],
];
const tables: readonly (readonly [label: string, field: string])[] = [
  ['Parameters', 'params'],
  ['Inputs', 'inputs'],
  ['Outputs', 'outputs'],
  ['Examples', 'examples'],
];

function readSkill(body: string, has: ReadonlySet<string>): BodyRead {
  const all = body.split('\n');
  for (const [index, line] of all.entries()) {
    if (!/^\*\*[A-Z][a-z]+(?::\*\* |\*\*$)/.test(line) || (index > 0 && all[index - 1] !== '')) continue;
    const fields = readTail(all.slice(index).join('\n').trimEnd());
    if (!fields || [...fields.keys()].some(field => has.has(field))) continue;
    return { content: all.slice(0, index).join('\n').trimEnd(), fields };
  }
  return { content: body, fields: new Map() };
}

/** The whole of a text as labelled parts, each at most once and in order. */
function readTail(text: string): Map<string, Data> | undefined {
  const fields = new Map<string, Data>();
  let rest = text;
  for (const [label, field, list] of lines) {
    const match = new RegExp(`^\\*\\*${label}:\\*\\* ([^\\n]+)(?:\\n\\n|$)`).exec(rest);
    if (!match) continue;
    fields.set(field, list ? match[1]!.split(', ') : match[1]!);
    rest = rest.slice(match[0].length);
  }
  for (const [label, field] of tables) {
    const match = new RegExp(`^\\*\\*${label}\\*\\*\\n\\n((?: *- [^\\n]+(?:\\n|$))+)(?:\\n|$)`).exec(rest);
    const data = match && readList(match[1]!.trimEnd().split('\n'), 0);
    if (!data) continue;
    fields.set(field, data);
    rest = rest.slice(match![0].length);
  }
  return rest.trim() === '' && fields.size > 0 ? fields : undefined;
}

/** A list whose items are `key: value`, or `key:` with such a list below it. */
function readList(all: readonly string[], depth: number): Data | undefined {
  const data: Record<string, Data> = Object.create(null);
  for (let at = 0; at < all.length; ) {
    const match = /^( *)- ([A-Za-z_][\w.-]*):(?: (.+))?$/.exec(all[at]!);
    if (!match || match[1]!.length !== depth || Object.hasOwn(data, match[2]!)) return undefined;
    let next = at + 1;
    while (next < all.length && /^ */.exec(all[next]!)![0].length > depth) next++;
    if (match[3] !== undefined) {
      if (next > at + 1) return undefined;
      data[match[2]!] = match[3];
    } else {
      const below = readList(all.slice(at + 1, next), depth + 2);
      if (below === undefined || next === at + 1) return undefined;
      data[match[2]!] = below;
    }
    at = next;
  }
  return data;
}
