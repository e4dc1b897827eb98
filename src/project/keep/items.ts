import type { TargetSpec } from '../../generated/types/target.ts';
import { agentsPath, commandsPath, isMarkdownPath, rulesPath } from '../../text/places.ts';
import { readYaml } from '../../text/yaml.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { Kept, Reading, Refused } from './keeping.ts';
import type { ItemRole } from './roles.ts';

/** A file that a tool reads as one item, with its text. */
export interface ItemFile {
  readonly path: string;
  readonly roles: readonly ItemRole[];
  readonly text: string;
}

const folders: Readonly<Record<string, string>> = {
  guards: rulesPath,
  agents: agentsPath,
  commands: commandsPath,
};

/** Rules, agents and commands as sources with all their front matter; what several tools have alike is one source. */
export function itemSources(
  files: readonly ItemFile[],
  specs: readonly TargetSpec[],
  refused: Refused,
): {
  readonly sources: readonly SourceFile[];
  readonly kept: readonly Kept[];
  readonly left: readonly Reading[];
} {
  const left: Reading[] = [];
  const groups = new Map<string, { text: string; files: ItemFile[]; targets: Set<TargetSpec> }>();
  for (const file of files) {
    const readers = file.roles.map(({ spec }) => spec);
    const leave = (reason: string) => left.push({ path: file.path, specs: readers, reason });
    const reason = refused.get(file.path);
    const { file: place, name } = file.roles[0]!;
    const folder = folders[place.of];
    if (reason !== undefined) leave(reason);
    else if (folder === undefined || !isMarkdownPath(file.path))
      leave('it is not Markdown, and stays as it is');
    else if (hasOwnTargets(file.text)) leave('its front matter says `targets` in a meaning of its own');
    else {
      const source = `${folder}/${place.of === 'guards' ? name : name.replaceAll('/', '-')}.md`;
      const known = groups.get(source);
      if (known && known.text !== file.text) {
        leave(`another tool has a different text of that name (${known.files[0]!.path})`);
        continue;
      }
      const group = known ?? { text: file.text, files: [], targets: new Set<TargetSpec>() };
      groups.set(source, group);
      group.files.push(file);
      for (const spec of readers) group.targets.add(spec);
    }
  }
  const sources: SourceFile[] = [];
  const kept: Kept[] = [];
  for (const [path, { text, files: originals, targets }] of groups) {
    const ids = specs.filter(spec => targets.has(spec)).map(({ id }) => id);
    sources.push({ path, text: ids.length === specs.length ? text : withTargets(text, ids) });
    kept.push(...originals.map(original => ({ path: original.path, source: path })));
  }
  return { sources, kept, left };
}

/** A text with a line more in its front matter; all the rest stays as it is. */
export function withTargets(text: string, ids: readonly string[]): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const line = `targets: [${ids.join(', ')}]${end}`;
  const head = /^\ufeff?---[ \t]*\r?\n/.exec(text);
  if (!head || !/\n---[ \t]*(?:\r?\n|$)/.test(text)) return `---${end}${line}---${end}${end}${text}`;
  return head[0] + line + text.slice(head[0].length);
}

function hasOwnTargets(text: string): boolean {
  const head = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\n---[ \t]*(?:\r?\n|$)/.exec(text)?.[1];
  if (head === undefined || !/^(?:targets|except)[ \t]*:/m.test(head)) return false;
  const { data } = readYaml({ name: '', text: head });
  return typeof data === 'object' && data !== null && ('targets' in data || 'except' in data);
}
