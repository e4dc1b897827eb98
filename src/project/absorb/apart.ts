import { dirname } from 'node:path/posix';
import { canonicalBlock, portableName } from '../../resolve/catalogue.ts';
import { parseNodePath } from '../../resolve/path.ts';
import { parseDocument } from '../../syntax/parse.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { isMarkdownPath, sharedDir } from '../../text/places.ts';
import { positionAt } from '../../text/source.ts';
import type { Surroundings } from './candidates.ts';
import { type Edited, plannedLines } from './edited.ts';
import { besideOf } from './texts.ts';
import type { Candidate, Kept, SourceMove, Trial } from './trial.ts';
import { surroundingsOf, type Work } from './work.ts';

/**
 * Makes the file of an item a source of its own, for the tools that read it there: what templates and specs say in it is
 * a text then, and the item stays as it is for all other tools. No other file may change by it. `undefined`: it is no
 * such file, or the sources have no such words.
 */
export async function setApart(file: Edited, work: Work): Promise<Kept | undefined> {
  const { shop, trial } = work;
  const entry = trial.entries.get(file.path);
  const planned = plannedLines(entry);
  if (!entry || !planned || file.shared) return undefined;
  const source = await sourceFor(file, entry.targets, work);
  if (!source) return undefined;
  const { leftOutOf } = await import('./fields.ts');
  const around = await surroundingsOf(file, planned, work);
  const without = [
    ...(await withoutOwnRule(entry.targets, around)),
    ...(await leftOutOf(entry.targets, around)),
  ];
  const candidates = without.map(({ edits }): Candidate => ({ edits, moves: source }));
  return shop.keepFirst(candidates, now => isAlone(file, trial, now));
}

/** A rule that has no entry, because its block says it itself, is left out of tools by a field of the block. */
async function withoutOwnRule(tools: readonly string[], around: Surroundings): Promise<Candidate[]> {
  const origins = (await Promise.all(around.lines.map((_, at) => around.originsOf(at)))).flat();
  const own = origins.filter(({ file }) => file !== undefined);
  const files = [...new Set(own.map(({ file }) => file!))];
  const said = [`except: [${tools.join(', ')}]`];
  return files.flatMap(file => {
    const lines = file.endsWith('.prs') ? around.sourceLines(file) : undefined;
    if (!lines) return [];
    const source = { name: file, text: lines.join('\n') };
    return parseDocument(source, () => {}).declarations.flatMap(declaration => {
      if (
        declaration.kind !== 'block' ||
        !own.some(({ path }) => parseNodePath(path)?.[0] === canonicalBlock(declaration.name))
      )
        return [];
      const field = declaration.body.items.find(
        one => one.kind === 'field' && portableName(declaration.name, one.key) === 'globs',
      );
      const indent = /^\s*/.exec(lines[positionAt(source, field?.span.start ?? 0).line - 1]!)![0];
      return field
        ? [
            besideOf(
              file,
              lines,
              field.span,
              false,
              said.map(line => indent + line),
            ),
          ]
        : [];
    });
  });
}

/** The file says what is on the disk, and no other file says anything else than before. */
function isAlone({ path, written }: Edited, before: Trial, after: Trial): boolean {
  const saysIt = plannedLines(after.entries.get(path))?.join('\n') === written.join('\n');
  const isSame = (other: string) => {
    const [old, now] = [before.entries.get(other), after.entries.get(other)];
    return (
      (old?.state === 'removed') === (now?.state === 'removed') &&
      String(plannedLines(old)) === String(plannedLines(now))
    );
  };
  return (
    saysIt &&
    [...before.entries.keys(), ...after.entries.keys()].every(other => other === path || isSame(other))
  );
}

/** Keys of front matter that mean something to the compiler. */
const ownKeys = ['targets', 'except', 'into', 'activation', 'placement', 'tools'];

/** The file as a source that stands in its place, with the further files of a skill. */
async function sourceFor(
  { path, written }: Edited,
  tools: readonly string[],
  { shop, trial }: Work,
): Promise<SourceMove[] | undefined> {
  const project = await shop.project();
  const text = written.join('\n');
  const { fields } = readFrontMatter(text);
  if (!project || !isMarkdownPath(path) || ownKeys.some(key => fields.has(key))) return undefined;
  const { roleFinder } = await import('../keep/roles.ts');
  const { intoLine, sourceFolders, targetLines, withLines } = await import('../keep/items.ts');
  const specs = trial.compiled.requests.map(({ spec }) => spec);
  const own = specs.filter(({ id }) => tools.includes(id));
  const role = roleFinder(
    own,
    sharedDir(project.loaded.config.universalDir),
  )(path).find(one => one.kind === 'item');
  if (role?.kind !== 'item' || !role.file) return undefined;
  const said = withLines(text, [...targetLines(specs, own), intoLine([path])]);
  const name = `${role.name.replaceAll('/', '-')}-${tools.join('-')}`;
  const folder = sourceFolders[role.file.of];
  const isFree = (file: string) => shop.linesOf(file) === undefined;
  if (folder !== undefined) {
    const source = `${folder}/${name}.md`;
    return isFree(source) ? [{ file: source, text: said }] : undefined;
  }
  const source = `.instr/skills/${name}/SKILL.md`;
  const further = furtherFiles(path, trial);
  if (!further || !isFree(source)) return undefined;
  return [
    { file: source, text: said },
    ...further.map(one => ({ file: `${dirname(source)}/${one.file}`, text: one.text })),
  ];
}

/** What else lies in the folder of a skill; `undefined` where some of it is no text or a program. */
function furtherFiles(
  path: string,
  { entries }: Trial,
): readonly { readonly file: string; readonly text: string }[] | undefined {
  const folder = `${dirname(path)}/`;
  const found: { file: string; text: string }[] = [];
  for (const entry of entries.values()) {
    if (entry.path === path || !entry.path.startsWith(folder) || entry.state === 'removed') continue;
    const lines = plannedLines(entry);
    if (!lines || (entry.mode & 0o111) !== 0) return undefined;
    found.push({ file: entry.path.slice(folder.length), text: lines.join('\n') });
  }
  return found;
}
