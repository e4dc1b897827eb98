import { join } from 'node:path';
import { ignoredTracked, privateNotIgnored } from '../../generated/diagnostics.ts';
import { ignoredByGit, trackedByGit } from '../../host/git.ts';
import { readTextAt, type WritableDisk } from '../../host/host.ts';
import type { PlanEntry } from '../../plan/plan.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { type Fix, insertionFix } from '../../text/diagnostics/fixes.ts';
import { fewNames } from '../../text/names.ts';
import { compareCodeUnits } from '../../text/order.ts';
import { localConfigPath } from '../../text/places.ts';
import type { Source } from '../../text/source.ts';
import {
  excludeList,
  gitFolders,
  gitPattern,
  gitPlaces,
  mayContainMark,
  placeOf,
  writeBlock,
} from '../merge/git-files.ts';
import type { Project } from '../open/open.ts';
import type { CompileContext, WithDisk, WithReport } from '../session/world.ts';

/** Reports files that are to be ignored and that Git tracks: it goes on with them in spite of `.gitignore`. */
export async function warnOfTracked(
  ignored: ReadonlySet<string>,
  { root, loaded }: Project,
  report: Report,
): Promise<void> {
  const tracked = [...(trackedByGit(root, [...ignored]) ?? [])].sort(compareCodeUnits);
  if (tracked.length === 0) return;
  const span = loaded.spanOf(['output', 'git']);
  report(ignoredTracked({ paths: fewNames(tracked) }, { span }));
}

/** Has this clone ignore the files of one person, and no longer those that are for all by now. */
export async function hideFromGit(
  root: string,
  own: ReadonlySet<string>,
  work: boolean,
  { disk, environment }: Pick<CompileContext, 'disk' | 'environment'>,
): Promise<void> {
  if (own.size === 0) {
    if (!work) return;

    if (!mayContainMark(excludeList, gitFolders(root, disk, environment))) return;
  }

  excludeFromGit(root, own, disk);
}

/** Reports private notes that Git does not ignore: they must not be offered for a commit. */
export async function warnOfPrivateFiles(
  entries: readonly PlanEntry[],
  { root, loaded }: Project,
  { disk, report }: WithDisk & WithReport,
): Promise<void> {
  const outputs = entries.filter(entry => entry.private && entry.state !== 'removed').map(({ path }) => path);
  const paths = [...(loaded.local ? [localConfigPath] : []), ...outputs];
  if (paths.length === 0) return;

  const ignored = ignoredByGit(root, paths);
  if (!ignored) return;
  const text = readTextAt(disk, join(root, '.gitignore'));
  const present = text === undefined ? undefined : { name: '.gitignore', text };
  for (const path of paths.filter(one => !ignored.has(one))) {
    const fixes = present ? [ignoring(path, present)] : [];
    report(privateNotIgnored({ path }, { file: path, fixes }));
  }
}

/** Adds a line to `.gitignore`, with the line ends that it has. */
function ignoring(path: string, source: Source): Fix {
  const { text } = source;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? '' : end;
  return insertionFix(`Add \`${path}\` to .gitignore`, source, text.length, `${before}${path}${end}`);
}

/** Lists files of one person in Git's own list of what this clone ignores; without any, the list goes. */
function excludeFromGit(root: string, paths: Iterable<string>, disk: WritableDisk): void {
  const places = gitPlaces(root, disk);
  if (!places) return;
  const { top } = places;
  const list = places.list('exclude');
  // Projects of one repository share the list.
  const place = placeOf(root, top);
  const marks = { start: `${excludeList.mark} (${place})`, end: `# prs: end (${place})` };
  writeBlock(
    list,
    marks,
    [...paths].sort().map(path => gitPattern(root, top, path)),
    disk,
  );
}
