import { dirname } from 'node:path/posix';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { intoLine, sourceFolders, targetLines, withLines } from '../adopt/items.ts';
import { type EditedFile, plannedLines, plannedText } from './edited-file.ts';
import { excludedFrom } from './field-candidates.ts';
import type { Candidate, SourceLine, TrialResult, Workspace } from './workspace.ts';

/**
 * Makes the file of an item a source of its own, for the tools that read it there; the item stays as it is for all other
 * tools, and no other file may change. `undefined` where the file is no item, or the sources cannot say so.
 */
export async function splitItem(file: EditedFile, workspace: Workspace): Promise<SourceLine[] | undefined> {
  const { trial } = workspace;
  const entry = trial.entries.get(file.path);
  const planned = plannedLines(entry);
  if (!entry || !planned || file.shared) return undefined;
  const { targets } = entry;
  const files = await sourceFor(file, targets, workspace);
  if (!files || [...files.keys()].some(one => workspace.exists(one))) return undefined;
  const around = await workspace.surroundingsOf(file.path, planned, trial.compiled.sources);
  const candidates = excludedFrom(targets, around).map(exclusion => new Map([...exclusion, ...files]));
  return workspace.keepFirst(candidates, now => isOnlyChange(file, trial, now));
}

/** Whether a file has its text on the disk, and no other file changed. */
function isOnlyChange({ path, disk }: EditedFile, before: TrialResult, after: TrialResult): boolean {
  const isSame = (other: string) => {
    const [old, now] = [before.entries.get(other), after.entries.get(other)];
    const isRemoved = (entry: typeof old) => entry?.state === 'removed';
    return isRemoved(old) === isRemoved(now) && plannedText(old) === plannedText(now);
  };
  return (
    plannedText(after.entries.get(path)) === disk.join('\n') &&
    [...before.entries.keys(), ...after.entries.keys()].every(other => other === path || isSame(other))
  );
}

/** Front matter that has a meaning for the compiler. */
const reservedKeys = ['targets', 'except', 'into', 'activation', 'placement', 'tools'];

/** The file as a source that is kept in its place, with the other files of a skill. */
async function sourceFor(
  { path, disk }: EditedFile,
  tools: readonly string[],
  workspace: Workspace,
): Promise<Candidate | undefined> {
  const text = disk.join('\n');
  const { fields } = readFrontMatter(text);
  if (!isMarkdownPath(path) || reservedKeys.some(key => fields.has(key))) return undefined;
  const { specs } = workspace;
  const own = specs.filter(({ id }) => tools.includes(id));
  const roles = (await workspace.roleFinder())(path);
  const role = roles.filter(one => one.kind === 'item').find(({ spec }) => own.includes(spec));
  if (!role?.file) return undefined;
  const said = withLines(text, [...targetLines(specs, own), intoLine([path])]);
  const name = `${role.name.replaceAll('/', '-')}-${tools.join('-')}`;
  const folder = sourceFolders[role.file.of];
  if (folder !== undefined) return new Map([[`${folder}/${name}.md`, said]]);
  const source = `.instr/skills/${name}`;
  const others = otherFiles(path, source, workspace.trial);
  return others && new Map([[`${source}/SKILL.md`, said], ...others]);
}

/** The other files in the folder of a skill; `undefined` where one is binary or executable. */
function otherFiles(path: string, source: string, { entries }: TrialResult): [string, string][] | undefined {
  const folder = `${dirname(path)}/`;
  const found: [string, string][] = [];
  for (const entry of entries.values()) {
    if (entry.path === path || !entry.path.startsWith(folder) || entry.state === 'removed') continue;
    const text = plannedText(entry);
    if (text === undefined || (entry.mode & 0o111) !== 0) return undefined;
    found.push([`${source}/${entry.path.slice(folder.length)}`, text]);
  }
  return found;
}
