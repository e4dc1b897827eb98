/** Random edits of generated files, as people and assistants make them. */
import { applyEdits, modify, type Node, parse as parseJsonc, parseTree } from 'jsonc-parser';
import { isMap, isScalar, parseDocument } from 'yaml';
import type { Laboratory, Output } from './laboratory.ts';
import { pick, type Random } from './random.ts';

export interface Edit {
  readonly path: string;
  /** New text by path. `null`: the file is deleted. */
  readonly changes: ReadonlyMap<string, string | null>;
  /** The paths passed to `absorb`, and whether new files may be absorbed. */
  readonly files: readonly string[];
  readonly added: boolean;
}

/** An edit of one text. `undefined`: the text has nothing that can be edited in this way. */
type EditText = (text: string, random: Random, output: Output) => string | undefined;

const words = ['lantern', 'carefully', 'seventeen', 'harbour', 'mild', 'quickly', 'orchard'];
const phrase = (random: Random) => `${pick(words, random)} ${pick(words, random)} ${Math.floor(random() * 1000)}`;

const hasWords = (line: string): boolean => /\p{L}/u.test(line);
const isHeading = (line: string): boolean => /^#{1,6} /.test(line);
const isItem = (line: string): boolean => /^\s*(?:[-*+]|\d+\.) \S/.test(line);

/** Indexes of lines that are text, neither front matter nor code. */
function textLines(lines: readonly string[]): number[] {
  const head = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  let fence: string | undefined;
  return lines.flatMap((line, at) => {
    if (at <= head) return [];
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      fence = mark;
      return mark === undefined ? [at] : [];
    }
    if (mark?.startsWith(fence)) fence = undefined;
    return [];
  });
}

const linesThat = (lines: readonly string[], is: (line: string) => boolean): number[] =>
  textLines(lines).filter(at => is(lines[at]!));

/** An edit of one of the lines that `is` selects. */
const onLines =
  (
    is: (line: string) => boolean,
    change: (lines: string[], at: number, random: Random, all: readonly number[]) => unknown,
    least = 1,
  ): EditText =>
  (text, random) => {
    const lines = text.split('\n');
    const all = linesThat(lines, is);
    if (all.length < least || change(lines, pick(all, random), random, all) === false) return undefined;
    return lines.join('\n');
  };

/** The line with one word changed. */
function withWord(line: string, random: Random): string | undefined {
  const places = [...line.matchAll(/\p{L}{3,}/gu)];
  if (places.length === 0) return undefined;
  const { index, 0: old } = pick(places, random);
  return line.slice(0, index) + pick(words, random) + line.slice(index + old.length);
}

const changeWord = (lines: string[], at: number, random: Random): boolean => {
  const line = withWord(lines[at]!, random);
  if (line !== undefined) lines[at] = line;
  return line !== undefined;
};

const marksOf = (line: string): string => /^\s*(?:[-*+] |\d+\. |> )?/.exec(line)![0];
const isProse = (line: string): boolean => hasWords(line) && !isHeading(line) && !/^\s*\||^\s*</.test(line);

/** The lines of a section: from its heading to the next one that is not below it. */
function sectionAt(lines: readonly string[], at: number): { readonly end: number; readonly level: number } {
  const level = /^#+/.exec(lines[at]!)![0].length;
  const heads = linesThat(lines, isHeading);
  const end = heads.find(head => head > at && /^#+/.exec(lines[head]!)![0].length <= level) ?? lines.length;
  return { end, level };
}

const onSections = (change: Parameters<typeof onLines>[1], least = 1) =>
  onLines(line => /^#{2,6} /.test(line), change, least);

function swapSections(lines: string[], at: number): boolean {
  const { end, level } = sectionAt(lines, at);
  if (end >= lines.length || !lines[end]!.startsWith(`${'#'.repeat(level)} `)) return false;
  const next = sectionAt(lines, end).end;
  const trim = (some: readonly string[]) => some.join('\n').replace(/\n*$/, '').split('\n');
  const [one, other] = [trim(lines.slice(at, end)), trim(lines.slice(end, next))];
  const tail = lines.slice(end + other.length, next);
  lines.splice(at, next - at, ...other, '', ...one, ...tail);
  return true;
}

/** The fields of front matter, or of a file that has only fields. */
const onFields =
  (change: (lines: string[], fields: readonly number[], end: number, random: Random) => unknown): EditText =>
  (text, random) => {
    const lines = text.split('\n');
    const end = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
    if (end < 2) return undefined;
    const fields = lines.flatMap((line, at) => (at > 0 && at < end && /^[\w-]+:/.test(line) ? [at] : []));
    if (fields.length === 0 || change(lines, fields, end, random) === false) return undefined;
    return lines.join('\n');
  };

const changeField: EditText = onFields((lines, fields, end, random) => {
  const at = pick(fields, random);
  const next = fields.find(field => field > at) ?? end;
  const [line] = lines.slice(at, next).reverse();
  const key = /^[\w-]+: ?|^\s*- /.exec(line!)?.[0] ?? '';
  const value = withWord(line!.slice(key.length), random);
  if (value === undefined || /^(?:true|false|null)$/.test(line!.slice(key.length))) return false;
  lines[next - 1] = key + value;
});

/** Fields that may be added to any item. All other fields are taken from a sibling item. */
const newFields = ['description: Minds the orchard', 'color: blue', 'note: mild', 'owner: web'];

const insertField = (beside: readonly string[]): EditText => onFields((lines, _fields, end, random) => {
  const field = pick([...newFields, ...beside], random);
  const key = field.slice(0, field.indexOf(':') + 1);
  if (lines.slice(0, end).some(line => line.startsWith(key))) return false;
  lines.splice(end, 0, field);
});

const deleteField: EditText = onFields((lines, fields, end, random) => {
  const at = pick(fields, random);
  const next = fields.find(field => field > at) ?? end;
  lines.splice(at, next - at);
});

/** Strings of a JSON text with their paths. */
function stringsOf(node: Node | undefined, path: readonly (string | number)[] = []): (readonly (string | number)[])[] {
  if (!node) return [];
  if (node.type === 'string') return [path];
  if (node.type === 'array') return (node.children ?? []).flatMap((one, at) => stringsOf(one, [...path, at]));
  if (node.type !== 'object') return [];
  return (node.children ?? []).flatMap(({ children = [] }) => stringsOf(children[1], [...path, String(children[0]?.value)]));
}

const valueAt = (text: string, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string | number, unknown>)[key], parseJsonc(text));

const setJson = (text: string, path: readonly (string | number)[], value: unknown): string =>
  applyEdits(text, modify(text, [...path], value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));

/** Whether a path is owned by the compiler: only its values in a file of the user, everything in a generated file. */
const isOurs = (path: readonly (string | number)[], { keys }: Output): boolean =>
  !keys || keys.some(own => own.every((key, at) => String(path[at]) === key));

const changeJson: EditText = (text, random, output) => {
  const all = stringsOf(parseTree(text)).filter(path => isOurs(path, output));
  if (all.length === 0) return undefined;
  const path = pick(all, random);
  const value = withWord(String(valueAt(text, path)), random);
  return value === undefined ? undefined : setJson(text, path, value);
};

const insertJson: EditText = (text, random, output) => {
  const all = stringsOf(parseTree(text)).filter(path => path.length > 1 && isOurs(path.slice(0, -1), output));
  if (all.length === 0) return undefined;
  const path = pick(all, random);
  const last = path.at(-1)!;
  if (typeof last === 'number') {
    const above = path.slice(0, -1);
    return setJson(text, [...above, (valueAt(text, above) as unknown[]).length], pick(words, random));
  }
  return setJson(text, [...path.slice(0, -1), pick(words, random)], phrase(random));
};

const deleteJson: EditText = (text, random, output) => {
  const all = stringsOf(parseTree(text)).filter(path => isOurs(path, output));
  return all.length === 0 ? undefined : setJson(text, pick(all, random), undefined);
};

/** Deletes a complete entry that the compiler owns. */
const deleteEntry: EditText = (text, random, { keys = [] }) => {
  const whole = keys.filter(path => typeof valueOrNothing(text, path) === 'object');
  return whole.length === 0 ? undefined : setJson(text, pick(whole, random), undefined);
};

const valueOrNothing = (text: string, path: readonly string[]): unknown => {
  try {
    return valueAt(text, path);
  } catch {
    return undefined;
  }
};

/** Inserts a server next to one that the compiler owns, as a user would by hand. */
const insertEntry: EditText = (text, random, { keys = [] }) => {
  const servers = keys.filter(path => {
    const value = valueOrNothing(text, path) as { command?: unknown; url?: unknown } | null | undefined;
    return typeof value === 'object' && value !== null && ('command' in value || 'url' in value);
  });
  if (servers.length === 0) return undefined;
  const path = pick(servers, random);
  const model = valueAt(text, path) as { command?: unknown };
  const name = `${pick(words, random)}-${Math.floor(random() * 100)}`;
  const extra = Object.fromEntries(
    Object.entries(model).filter(([key]) => /^(?:type|enabled|transport)$/.test(key)),
  );
  const command = Array.isArray(model.command) ? { command: ['npx', name] } : { command: 'npx', args: [name] };
  const entry = model.command === undefined ? { ...model } : { ...extra, ...command };
  return setJson(text, [...path.slice(0, -1), name], entry);
};

/** Lines `key = "text"` of TOML. */
const tomlLine = /^(?:[\w-]+|"[^"]+") = "(?!"")(.*)"$/;
const onToml =
  (change: (lines: string[], at: number, random: Random) => unknown): EditText =>
  (text, random) => {
    const lines = text.split('\n');
    const all = lines.flatMap((line, at) => (tomlLine.test(line) ? [at] : []));
    if (all.length === 0 || change(lines, pick(all, random), random) === false) return undefined;
    return lines.join('\n');
  };

const changeToml = onToml((lines, at, random) => {
  const start = lines[at]!.indexOf('"');
  const value = withWord(lines[at]!.slice(start), random);
  if (value === undefined) return false;
  lines[at] = lines[at]!.slice(0, start) + value;
});
const insertToml = onToml((lines, at, random) => void lines.splice(at + 1, 0, `${pick(words, random)} = "${phrase(random)}"`));
const deleteToml = onToml((lines, at) => void lines.splice(at, 1));
/** Changes a line within a multi-line text. */
const changeTomlText: EditText = (text, random) => {
  const block = /(?<="""\n|'''\n)[\s\S]+?(?="""|''')/.exec(text);
  if (!block) return undefined;
  const lines = block[0].split('\n');
  const textIndexes = lines.flatMap((line, at) => (hasWords(line) ? [at] : []));
  if (textIndexes.length === 0 || !changeWord(lines, pick(textIndexes, random), random)) return undefined;
  return text.slice(0, block.index) + lines.join('\n') + text.slice(block.index + block[0].length);
};

const onYaml =
  (change: (map: { items: { key: unknown; value: unknown }[] }, random: Random, text: string) => string | undefined): EditText =>
  (text, random) => {
    const document = parseDocument(text);
    return isMap(document.contents) && document.errors.length === 0
      ? change(document.contents as never, random, text)
      : undefined;
  };

const changeYaml = onYaml(({ items }, random, text) => {
  const all = items.flatMap(({ value }) => (isScalar(value) && typeof value.value === 'string' && value.range ? [value.range] : []));
  if (all.length === 0) return undefined;
  const [start, end] = pick(all, random);
  const value = withWord(text.slice(start, end), random);
  return value === undefined ? undefined : text.slice(0, start) + value + text.slice(end);
});
const lineOfYaml = (text: string, random: Random): [string[], number] | undefined => {
  const lines = text.split('\n');
  const all = lines.flatMap((line, at) => (/^[\w-]+: \S/.test(line) && !/: [|>[{]/.test(line) ? [at] : []));
  return all.length === 0 ? undefined : [lines, pick(all, random)];
};
const insertYaml = onYaml((_map, random, text) => {
  const found = lineOfYaml(text, random);
  found?.[0].splice(found[1] + 1, 0, `${pick(words, random)}: ${phrase(random)}`);
  return found?.[0].join('\n');
});
const deleteYaml = onYaml((_map, random, text) => {
  const found = lineOfYaml(text, random);
  found?.[0].splice(found[1], 1);
  return found?.[0].join('\n');
});

const formatOf = ({ path, text }: Pick<Output, 'path' | 'text'>): 'json' | 'toml' | 'yaml' | 'text' => {
  if (/\.jsonc?$/.test(path)) return 'json';
  if (path.endsWith('.toml')) return 'toml';
  return /\.ya?ml$/.test(path) && !text.startsWith('---') ? 'yaml' : 'text';
};

/** Edits of data files, by format. */
const inData =
  (json: EditText, toml: EditText, yaml: EditText): EditText =>
  (text, random, output) => {
    const format = formatOf(output);
    const edit = { json, toml, yaml, text: undefined }[format];
    return output.keys ? undefined : edit?.(text, random, output);
  };

const inText =
  (edit: EditText): EditText =>
  (text, random, output) =>
    formatOf(output) === 'text' ? edit(text, random, output) : undefined;

const inShared =
  (edit: EditText): EditText =>
  (text, random, output) =>
    output.keys && formatOf(output) === 'json' ? edit(text, random, output) : undefined;

/** Files with one item each, in a folder for items of that kind. */
const isItemFile = ({ path, keys, isMain }: Output): boolean =>
  !keys && !isMain && /^\.?[^/]+\/(?:.+\/)?(?:rules|agents|commands|prompts|workflows|skills|steering|droids|instructions|chatmodes)\//.test(path);

const inItems =
  (edit: EditText): EditText =>
  (text, random, output) =>
    isItemFile(output) ? edit(text, random, output) : undefined;

/** Moves an item next to another one of its kind. */
function moveItem(lines: string[], at: number, random: Random, all: readonly number[]): boolean {
  const isOwner = /^\s*/.exec(lines[at + 1] ?? '')![0].length > /^\s*/.exec(lines[at]!)![0].length;
  const others = all.filter(other => other !== at && marksOf(lines[other]!) === marksOf(lines[at]!));
  if (isOwner || others.length === 0) return false;
  const to = pick(others, random);
  const [line] = lines.splice(at, 1);
  lines.splice(to, 0, line!);
  return true;
}

const isParagraph = (line: string): boolean => isProse(line) && !isItem(line);

/** Moves a one-line paragraph, with the blank line after it, before another one of its section. */
function moveParagraph(lines: string[], at: number, random: Random, all: readonly number[]): boolean {
  const isAlone = (one: number) => lines[one - 1]?.trim() === '' && lines[one + 1]?.trim() === '';
  const between = (other: number) => lines.slice(Math.min(at, other), Math.max(at, other));
  const others = all.filter(other => other !== at && isAlone(other) && !between(other).some(isHeading));
  if (!isAlone(at) || others.length === 0) return false;
  const to = pick(others, random);
  const [line] = lines.splice(at, 2);
  lines.splice(to > at ? to - 2 : to, 0, line!, '');
  return true;
}

/** The line after a list item and its children. */
function endOfItem(lines: readonly string[], at: number): number {
  const indentOf = (line: string | undefined) => /^\s*/.exec(line ?? '')![0].length;
  let end = at + 1;
  while (lines[end]?.trim() && indentOf(lines[end]) > indentOf(lines[at])) end++;
  return end;
}

/** Removes a line. Of two blank lines around it, one is removed as well. */
function withoutLine(lines: string[], at: number): void {
  const isApart = lines[at - 1]?.trim() === '' && lines[at + 1]?.trim() === '';
  lines.splice(at, isApart ? 2 : 1);
}

/** Edits of one text, by kind. */
const ofTexts = {
  'line changed': inText(onLines(isProse, changeWord)),
  'line rewritten': inText(
    onLines(isProse, (lines, at, random) => {
      lines[at] = `${marksOf(lines[at]!)}Mind the ${phrase(random)}.`;
    }),
  ),
  'line inserted': inText(
    onLines(isProse, (lines, at, random) => void lines.splice(at + 1, 0, `${marksOf(lines[at]!)}Mind ${phrase(random)}.`)),
  ),
  'line deleted': inText(onLines(isProse, withoutLine)),
  'line moved': inText(onLines(isItem, moveItem, 2)),
  'paragraph moved': inText(onLines(isParagraph, moveParagraph, 2)),
  'two lines changed': inText(
    onLines(isProse, (lines, at, random, all) => changeWord(lines, at, random) && changeWord(lines, pick(all, random), random), 2),
  ),
  'paragraph inserted': inText(
    onLines(isProse, (lines, at, random) => {
      let end = at + 1;
      while (lines[end] !== undefined && lines[end]!.trim() !== '') end++;
      lines.splice(end, 0, '', `Mind the ${phrase(random)}.`);
    }),
  ),
  'paragraph deleted': inText(
    onLines(isProse, (lines, at) => {
      let [from, to] = [at, at];
      while (lines[from - 1]?.trim() && !isHeading(lines[from - 1]!)) from--;
      while (lines[to + 1]?.trim() && !isHeading(lines[to + 1]!)) to++;
      lines.splice(from, to - from + (lines[to + 1] === '' ? 2 : 1));
    }),
  ),
  'list item changed': inText(onLines(isItem, changeWord)),
  'list item inserted': inText(
    onLines(isItem, (lines, at, random) => void lines.splice(endOfItem(lines, at), 0, `${marksOf(lines[at]!)}Mind ${phrase(random)}`)),
  ),
  'list item deleted': inText(
    onLines(isItem, (lines, at) => {
      if (endOfItem(lines, at) === at + 1) withoutLine(lines, at);
      else lines.splice(at, endOfItem(lines, at) - at);
    }),
  ),
  'list items swapped': inText(
    onLines(isItem, (lines, at) => {
      const indentOf = (line: string | undefined) => /^\s*/.exec(line ?? '')![0].length;
      const [own, next] = [lines[at]!, lines[at + 1] ?? ''];
      // Lines below an item belong to it.
      const isOwner = lines[at + 2]?.trim() !== '' && indentOf(lines[at + 2]) > indentOf(next);
      if (!isItem(next) || isOwner || marksOf(own).replace(/\d+/, '') !== marksOf(next).replace(/\d+/, '')) return false;
      if (/^\s*\d/.test(own)) {
        [lines[at], lines[at + 1]] = [marksOf(own) + next.slice(marksOf(next).length), marksOf(next) + own.slice(marksOf(own).length)];
        return;
      }
      [lines[at], lines[at + 1]] = [lines[at + 1]!, lines[at]!];
    }),
  ),
  'field changed': inText(changeField),
  'field inserted': (text, random, output) => inItems(inText(insertField(output.beside ?? [])))(text, random, output),
  'field deleted': inText(deleteField),
  'heading renamed': inText(
    onLines(isHeading, (lines, at, random) => {
      lines[at] = `${/^#+ /.exec(lines[at]!)![0]}${pick(words, random)} ${pick(words, random)}`;
    }),
  ),
  'section added': inText(
    onSections((lines, place, random, all) => {
      // Mostly at the end, where assistants add things to remember. The last section may end before the file does,
      // because a title can follow it.
      const last = all.find(one => sectionAt(lines, one).end === lines.length);
      const at = random() < 0.5 ? (last ?? place) : place;
      const { level, end } = sectionAt(lines, at);
      const section = [`${'#'.repeat(level)} About the ${pick(words, random)}`, '', `Mind the ${phrase(random)}.`];
      if (end === lines.length) lines.splice(end - 1, 0, '', ...section);
      else lines.splice(end, 0, ...section, '');
    }),
  ),
  'section removed': inText(onSections((lines, at) => void lines.splice(at, sectionAt(lines, at).end - at))),
  'sections swapped': inText(onSections((lines, at) => swapSections(lines, at), 2)),
  'data changed': inData(changeJson, (text, random, output) => (random() < 0.5 ? changeToml : changeTomlText)(text, random, output), changeYaml),
  'data inserted': inData(insertJson, insertToml, insertYaml),
  'data deleted': inData(deleteJson, deleteToml, deleteYaml),
  'entry changed': inShared(changeJson),
  'entry field inserted': inShared(insertJson),
  'entry field deleted': inShared(deleteJson),
  'entry removed': inShared(deleteEntry),
  'entry added': inShared(insertEntry),
} satisfies Record<string, EditText>;

export type Kind = keyof typeof ofTexts | 'file added' | 'file removed' | 'resource changed';
export const kinds = [...Object.keys(ofTexts), 'file added', 'file removed', 'resource changed'] as Kind[];

const isResource = ({ path }: Output): boolean => /\/skills\/[^/]+\//.test(path) && !path.endsWith('/SKILL.md');

/** A random edit of a kind. `undefined`: the project has nothing that can be edited in this way. */
export function editOf(kind: Kind, lab: Laboratory, random: Random): Edit | undefined {
  if (kind === 'file removed' || kind === 'file added') {
    const items = lab.outputs.filter(one => isItemFile(one) && !isResource(one));
    if (items.length === 0) return undefined;
    const output = pick(items, random);
    if (kind === 'file added') return newFile(output, lab, random);
    return { path: output.path, changes: new Map([[output.path, null]]), files: [output.path], added: false };
  }
  const outputs = lab.outputs.filter(one => isResource(one) === (kind === 'resource changed'));
  const tried = new Set<Output>();
  while (tried.size < outputs.length && tried.size < 12) {
    const output = pick(outputs, random);
    tried.add(output);
    const edit = kind === 'resource changed' ? anyLine : ofTexts[kind];
    const text = edit(output.text, random, output);
    if (text === undefined || text === output.text) continue;
    return { path: output.path, changes: new Map([[output.path, text]]), files: [], added: kind === 'entry added' };
  }
  return undefined;
}

const anyLine: EditText = (text, random) => {
  const lines = text.split('\n');
  return changeWord(lines, Math.floor(random() * lines.length), random) ? lines.join('\n') : undefined;
};

/** A copy of a generated file, with another name and an extra line. */
function newFile({ path, text }: Output, lab: Laboratory, random: Random): Edit | undefined {
  const name = /\/([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? /\/([^/.]+)[^/]*$/.exec(path)?.[1];
  if (name === undefined) return undefined;
  const own = `${pick(words, random)}-${Math.floor(random() * 100)}`;
  const at = path.lastIndexOf(name);
  const place = path.slice(0, at) + own + path.slice(at + name.length);
  if (lab.files.has(place)) return undefined;
  const named = text.replaceAll(name, own);
  const lines = named.split('\n');
  const textIndexes = linesThat(lines, isProse);
  if (formatOf({ path, text }) === 'text' && textIndexes.length > 0) lines[pick(textIndexes, random)] = `Mind the ${phrase(random)}.`;
  // The path is passed explicitly, because the folder may hold other files that nobody owns.
  return { path: place, changes: new Map([[place, lines.join('\n')]]), files: [place], added: true };
}
