import type { TargetSpec } from '../../generated/types/target.ts';
import { activationIn } from '../../kinds/items/read/activation.ts';
import type { Activation } from '../../model/guards.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { agentsPath, checksPath, commandsPath, isMarkdownPath, rulesPath } from '../../text/places.ts';
import type { SourceFile } from '../write/write-sources.ts';
import { type Adopted, type AdoptedPart, type Constraints, type NotTaken, noPart } from './adoption.ts';
import { type ItemFile, portableItem } from './item-text.ts';
import { unitedText } from './unite.ts';

/** The folder for sources of a kind that lie in one; skills have folders of their own. */
export const sourceFolders: Readonly<Record<string, string>> = {
  guards: rulesPath,
  topics: rulesPath,
  agents: agentsPath,
  commands: commandsPath,
  workflows: commandsPath,
  checks: checksPath,
};

interface Group {
  /** The source; made anew when a file with other fields comes to it. */
  text: string;
  isUnited: boolean;
  readonly activation: Activation | undefined;
  /** The source says in which files it stands. */
  readonly isPinned: boolean;
  readonly files: ItemFile[];
  readonly targets: Set<TargetSpec>;
}

/**
 * Rules, agents and commands as sources with all their front matter; what several tools have alike is one source.
 * Originals in `pinned` did not come out where they stood by their name alone: their sources say where they stand.
 * Files of one name and text with other fields are one source, too, which says the fields of single tools, unless they
 * are in `separate`: those did not come out of it as they stood.
 */
export async function itemSources(
  files: readonly ItemFile[],
  specs: readonly TargetSpec[],
  { excluded, pinned, separate, planned }: Constraints,
): Promise<AdoptedPart> {
  const left: NotTaken[] = [];
  const groups = new Map<string, Group>();
  const mayUnite = ({ path }: ItemFile) => !separate.has(path) && !pinned.has(path);
  for (const file of [...files].sort((a, b) => Number(separate.has(a.path)) - Number(separate.has(b.path)))) {
    const readers = file.roles.map(({ spec }) => spec);
    const found = excluded.get(file.path) ?? (await sourceTextOf(file, planned.get(file.path)));
    if (typeof found === 'string') {
      left.push({ path: file.path, specs: readers, reason: found });
      continue;
    }
    const { file: place, name, spec } = file.roles[0]!;
    const folder = sourceFolders[place?.of ?? 'guards'] ?? rulesPath;
    const stem = folder === rulesPath ? name : name.replaceAll('/', '-');
    const isPinned = pinned.has(file.path) || name.includes('/');
    const fits = async (path: string, alone: boolean) => {
      const other = groups.get(path);
      if (!other) return true;
      if (other.isPinned !== alone) return false;
      if (!other.isUnited && other.text === found.text && other.activation === found.activation) return true;
      if (alone || ![file, ...other.files].every(mayUnite)) return false;
      const text = await unitedText([...other.files, file], specs);
      if (text === undefined) return false;
      Object.assign(other, { text, isUnited: true });
      return true;
    };
    let source = `${folder}/${stem}.md`;
    let own = isPinned;
    for (let count = 1; !(await fits(source, own)); count++) {
      // A text of its own under a name that another tool has, too.
      source = `${folder}/${stem}-${spec.id}${count > 1 ? `-${count}` : ''}.md`;
      own = true;
    }
    const group = groups.get(source) ?? {
      ...found,
      isUnited: false,
      isPinned: own,
      files: [],
      targets: new Set<TargetSpec>(),
    };
    groups.set(source, group);
    group.files.push(file);
    for (const reader of readers) group.targets.add(reader);
  }
  const sources: SourceFile[] = [];
  const adopted: Adopted[] = [];
  const unpinned: string[] = [];
  const united = new Map<string, ReadonlySet<string>>();
  for (const [path, { text, activation, isPinned, isUnited, files: originals, targets }] of groups) {
    const lines = [
      ...targetLines(specs, targets),
      ...(isPinned ? [intoLine(originals.map(original => original.path))] : []),
      ...(activation === undefined || isUnited ? [] : [`activation: ${activation}`]),
    ];
    sources.push({ path, text: withLines(text, lines) });
    adopted.push(...originals.map(original => ({ path: original.path, source: path })));
    if (isUnited)
      for (const original of originals)
        united.set(original.path, new Set(original.roles.map(({ spec }) => spec.id)));
    if (!isPinned) unpinned.push(...originals.map(original => original.path));
  }
  return { ...noPart, sources, adopted, left, unpinned, united };
}

/** The text of a source, or why there can be none. */
async function sourceTextOf(
  file: ItemFile,
  planned: string | undefined,
): Promise<{ readonly text: string; readonly activation: Activation | undefined } | string> {
  const { file: place } = file.roles[0]!;
  if (place && !isMarkdownPath(file.path)) return portableItem(file, planned);
  if (!isMarkdownPath(file.path)) {
    if (place !== undefined) return 'it is not Markdown, and stays as it is';
    // Plain text may begin like front matter: that of the source is one before it.
    const isLike = readFrontMatter(file.text).lines > 0;
    return { text: isLike ? withOwnHead(file.text) : file.text, activation: undefined };
  }
  const { fields } = readFrontMatter(file.text);
  const [own] = ['targets', 'except', 'into', 'activation', 'placement'].filter(key => fields.has(key));
  if (own !== undefined) return `its front matter says \`${own}\` in a meaning of its own`;
  const activation =
    place?.of === 'guards' ? activationIn(place, place.frontmatter ?? [], fields) : undefined;
  return { text: file.text, activation: isSaidOtherwise(activation) ? activation : undefined };
}

/** A rule with globs is read with its files, one without always: both need no words. */
const isSaidOtherwise = (activation: Activation | undefined): boolean =>
  activation === 'description' || activation === 'manual';

/** Lines of front matter that say for which tools a source is, unless it is for all. */
export function targetLines(
  specs: readonly TargetSpec[],
  targets: ReadonlySet<TargetSpec> | readonly TargetSpec[],
): string[] {
  const wanted = new Set(targets);
  const ids = specs.filter(spec => wanted.has(spec)).map(({ id }) => id);
  return ids.length === specs.length ? [] : [`targets: [${ids.join(', ')}]`];
}

/** The line that says in which files a source stands. */
export const intoLine = (paths: readonly string[]): string => {
  const written = paths.map(path => (/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)));
  return written.length === 1 ? `into: ${written[0]}` : `into: [${written.join(', ')}]`;
};

/** A text below an empty front matter of its own. */
function withOwnHead(text: string): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  return `---${end}---${end}${end}${text}`;
}

/** A text with further lines in its front matter; all the rest stays as it is. */
export function withLines(text: string, lines: readonly string[]): string {
  if (lines.length === 0) return text;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const block = lines.map(line => line + end).join('');
  const head = /^\ufeff?---[ \t]*\r?\n/.exec(text);
  if (!head || readFrontMatter(text).lines === 0) return `---${end}${block}---${end}${end}${text}`;
  return head[0] + block + text.slice(head[0].length);
}
