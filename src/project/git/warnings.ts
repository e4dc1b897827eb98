import { join } from 'node:path';
import { ignoredTracked, privateNotIgnored } from '../../generated/diagnostics.ts';
import { readTextAt } from '../../host/host.ts';
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
  writeList,
} from '../merge/git-files.ts';
import type { Project } from '../open/open.ts';
import type { CompileContext, WithDisk, WithReport } from '../session/world.ts';
import { ignoredByGit, trackedByGit } from './queries.ts';

/** Reports outputs that should be ignored and that Git tracks, because `.gitignore` has no effect on these. */
export function warnOfTracked(ignored: ReadonlySet<string>, { root, loaded }: Project, report: Report): void {
  const tracked = [...(trackedByGit(root, [...ignored]) ?? [])].sort(compareCodeUnits);
  if (tracked.length === 0) return;
  const span = loaded.spanOf(['output', 'git']);
  report(ignoredTracked({ paths: fewNames(tracked) }, { span }));
}

/** Writes the files of one person to `info/exclude` of Git; removes the list if there are none. */
export function hideFromGit(
  root: string,
  own: ReadonlySet<string>,
  work: boolean,
  { disk, environment }: Pick<CompileContext, 'disk' | 'environment'>,
): void {
  const isListed = () => work && mayContainMark(excludeList, gitFolders(root, disk, environment));
  const places = own.size > 0 || isListed() ? gitPlaces(root, disk) : undefined;
  if (!places) return;
  const patterns = [...own].sort().map(path => gitPattern(root, places.top, path));
  writeList(excludeList, root, places, patterns, disk);
}

/** Reports private files that Git does not ignore, because they could be committed. */
export function warnOfPrivateFiles(
  entries: readonly PlanEntry[],
  { root, loaded }: Project,
  { disk, report }: WithDisk & WithReport,
): void {
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

/** A fix that adds a line to `.gitignore`, with its line ends. */
function ignoring(path: string, source: Source): Fix {
  const { text } = source;
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const before = text === '' || text.endsWith('\n') ? '' : end;
  return insertionFix(`Add \`${path}\` to .gitignore`, source, text.length, `${before}${path}${end}`);
}
