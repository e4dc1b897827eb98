/** Collects the texts of a program, and finds those that are neither in a compiled tree nor in its omissions. */
import { parse as parseJsonc } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import type { TargetSpec } from '../../src/generated/types/target.ts';
import { selectForOthers } from '../../src/kinds/audience.ts';
import type { Model } from '../../src/model/model.ts';
import type { Node, Program, ResolvedBlock } from '../../src/resolve/program.ts';
import { equalData } from '../../src/text/data.ts';
import { splitReferences } from '../../src/text/variables.ts';
import { type Compiled, textOf } from './compile.ts';

export interface Leaf {
  /** Path within the program, such as `skills.review.content`. */
  readonly path: string;
  readonly text: string;
}

/** Blocks and fields that control the compiler. They are not content. */
const steering = [
  /^meta\b/,
  /^(?:shortcuts)\.[^.]+\.prompt$/,
  /^skills\.[^.]+\.(?:sealed|references)(?:\.|$)/,
  /^guards\.(?:[^.]+\.)?requires(?:\.|$)/,
  /^hooks\.[^.]+\.(?:targets|enabled|event|cwd)(?:\.|$)/,
  /^mcpServers\.[^.]+\.(?:transport$|targets\.)/,
  // Tools have no names for hooks.
  /^plugins\.[^.]+\.hooks\.\d+$/,
  /^permissions\.\w+\.\d+\.(?:targets|except)(?:\.|$)/,
];

/** Every leaf of a program that is content. Names of entries count, because a command has to be callable. */
export function leavesOf(program: Program): Leaf[] {
  const found: Leaf[] = [];
  const visit = (node: Node, path: string): void => {
    if (node.kind === 'scalar') for (const text of piecesOf(String(node.raw ?? node.value ?? ''))) found.push({ path, text });
    else if (node.kind === 'list') for (const [index, item] of node.items.entries()) visit(item, `${path}.${index}`);
    else for (const [key, field] of node.fields) visit(field, `${path}.${key}`);
  };
  for (const block of program.blocks.values()) visitBlock(block, visit, found);
  for (const { name, value } of program.parameters.filter(({ used }) => !used)) {
    found.push({ path: `params.${name}`, text: name });
    if (value) visit(value, `params.${name}`);
  }
  return found.filter(({ path, text }) => text.trim() !== '' && !steering.some(pattern => pattern.test(path)));
}

/**
 * Tools have different syntax for variables and arguments. Only their names and the text around them must be present.
 */
const piecesOf = (text: string): string[] =>
  splitReferences(text).flatMap(part =>
    typeof part === 'string' ? part.split(/\$(?:ARGUMENTS\b|[1-9](?!\d))/) : [part.name, part.fallback ?? ''],
  );

function visitBlock(block: ResolvedBlock, visit: (node: Node, path: string) => void, found: Leaf[]): void {
  if (block.name === 'params') return;
  for (const [key, title] of block.headers) {
    // The titles of private notes, and of blocks that are not sections, are not output.
    if (block.name !== 'local') found.push({ path: `${block.name}@${key}`, text: String(title.value) });
  }
  for (const [index, entry] of block.entries.entries())
    visit(entry.node, entry.kind === 'field' ? `${block.name}.${entry.key}` : `${block.name}.${index}`);
}

/** Collapses white space and removes the list and heading markers that layouts put before lines. */
const plain = (text: string): string =>
  text
    .replace(/^[ \t]*(?:#{1,6}|[-*•]|\d+\.)[ \t]+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();

/** A compiled tree as one text. Structured files are included both unescaped and verbatim. */
export function shownText({ files, omissions }: Pick<Compiled, 'files' | 'omissions'>): string {
  const parts = files.flatMap(file => {
    const text = textOf(file);
    return [file.path, plain(text), ...dataTexts(file.path, text).map(plain), unquoteShell(plain(text))];
  });
  for (const { source, text } of omissions)
    parts.push(plain(source), plain(text), ...dataTexts('omission.json', text).map(plain));
  return parts.join('\n');
}

/** The strings of a structured file, or of the front matter of a Markdown file. */
function dataTexts(path: string, text: string): string[] {
  const strings: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') strings.push(value, unquoteShell(value));
    else if (typeof value === 'number' || typeof value === 'boolean') strings.push(String(value));
    else if (typeof value === 'object' && value !== null)
      for (const [key, part] of Object.entries(value)) {
        strings.push(key);
        collect(part);
      }
  };
  const front = /^---\n([\s\S]*?)\n---\n/.exec(text)?.[1];
  try {
    if (front !== undefined) collect(parseYaml(front));
    else if (path.endsWith('.toml')) collect(parseToml(text));
    else if (/\.jsonc?$/.test(path)) collect(parseJsonc(text));
    else if (/\.ya?ml$/.test(path)) collect(parseYaml(text));
    else if (/\.[jt]s$/.test(path))
      for (const [word] of text.matchAll(/"(?:[^"\\\n]|\\.)*"/g)) collect(JSON.parse(word));
  } catch {
    // Unquoted globs are not valid YAML. The verbatim text contains them.
  }
  return strings;
}

/** Resolves shell quoting: `'it'\''s here'` becomes `it's here`. */
function unquoteShell(text: string): string {
  let last = '';
  let now = text;
  // A command inside `sh -c '…'` is quoted twice.
  for (let round = 0; round < 3 && now !== last; round++) {
    last = now;
    now = now.replaceAll("'\\''", '\u0001').replace(/'([^']*)'/g, '$1').replaceAll('\u0001', "'");
  }
  return now;
}

/**
 * The leaves that neither a file nor an omission contains, with the first missing line. `translated` maps values to the
 * target's own words.
 */
export function lostLeaves(
  leaves: readonly Leaf[],
  compiled: Pick<Compiled, 'files' | 'omissions'>,
  translated: ReadonlyMap<string, string> = new Map(),
): string[] {
  const shown = shownText(compiled);
  const has = (path: string, part: string): boolean =>
    shown.includes(part) ||
    isMeasured(path, part, shown) ||
    isWorded(path, part, shown) ||
    isFolder(path, part, compiled.files) ||
    (translated.has(part) && shown.includes(translated.get(part)!));
  return leaves.flatMap(({ path, text }) => {
    const line = text
      .split('\n')
      .map(plain)
      .find(part => part !== '' && !has(path, part));
    return line === undefined ? [] : [`${path}: ${line}`];
  });
}

/** Tools have different syntax for patterns. Only the words between stars, slashes and colons must be present. */
const isWorded = (path: string, part: string, shown: string): boolean =>
  /^(?:permissions|ignore)\./.test(path) &&
  part
    .replace(/^\w+:/, '')
    .split(/[^\w.-]+/)
    .every(word => shown.includes(word) || shown.includes(word.replaceAll('.', '\\.')));

/** The portable values that rows and slots of a spec translate, with the tool's own word. */
export function translationsOf(spec: TargetSpec): Map<string, string> {
  const found = new Map<string, string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { key, map, from, as } = value as { key?: unknown; map?: Record<string, unknown>; from?: unknown; as?: unknown };
    // A field for the name of a token variable implies the scheme.
    if (from === 'bearerVariable') found.set('Bearer', 'bearer_token_env_var');
    // Where everything else is denied, only the key is written.
    if (map && typeof from === 'string') for (const [word, own] of Object.entries(map)) found.set(word, String(as === 'denied' ? key : own));
    for (const part of Object.values(value)) visit(part);
  };
  visit(spec.files);
  return found;
}

/** An entry may be for other targets, and a hook may have other values for a target. */
export function overridden(model: Model, path: string, spec: TargetSpec): boolean {
  const others = Object.values(model.items).flatMap(items => selectForOthers(items, spec));
  const below = others.map(other => `${other.path.replace(/\[(\d+)\]/g, '.$1')}.`);
  if (below.some(start => path.startsWith(start))) return true;
  return Object.values(model.items).flat().some(item => {
    const variant = item.variants?.get(spec.id);
    if (!variant || !path.startsWith(`${item.path}.`)) return false;
    const [field] = path.slice(item.path.length + 1).split('.');
    return field === 'tools' || field === 'targets' || !equalData(variant.fields.get(field!), item.fields.get(field!));
  });
}

/** Times are written in the unit of the tool. */
function isMeasured(path: string, text: string, shown: string): boolean {
  return path.endsWith('.timeoutMs') && shown.includes(String(Math.ceil(Number(text) / 1000)));
}

/** A rule for a folder may become a main file in that folder. */
function isFolder(path: string, text: string, files: Compiled['files']): boolean {
  const folder = /^([^*?[\]{}]+)\/\*\*(?:\/\*)?$/.exec(text)?.[1];
  if (folder === undefined || !/\.(?:applyTo|globs)/.test(path)) return false;
  return files.some(file => file.path.startsWith(`${folder}/`) && !file.path.slice(folder.length + 1).includes('/'));
}
