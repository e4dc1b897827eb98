import { join } from 'node:path';
import { userConfigMissing } from '../../generated/diagnostics.ts';
import { type UserFolders, userFolders } from '../../host/home.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { mapPlaces } from '../../text/diagnostics/report.ts';
import { configNames } from '../../text/places.ts';
import type { Span } from '../../text/source.ts';
import type { CompileContext } from '../session/world.ts';
import { displayPath, userDisk, userSources } from './user-disk.ts';

/**
 * The context for the files of a user: the home folder is the project, and findings show the real paths of sources.
 * `undefined` after a missing configuration was reported.
 */
export function forUser<C extends CompileContext>(context: C): C | undefined {
  const folders = userFolders(context.environment);
  const { disk } = context;
  const name = configNames.find(one => disk.stat(join(folders.config, one)));
  if (name === undefined) {
    const path = displayPath('instr.yaml', folders);
    context.report(userConfigMissing({ path }, { file: path }));
    return undefined;
  }
  const own = userDisk(disk, folders);
  return {
    ...context,
    scope: 'user',
    disk: own,
    sources: userSources(own, folders),
    cwd: folders.root,
    configPath: join(folders.root, name),
    report: showing(context.report, folders),
  };
}

/** Shows real paths in findings. Fixes are dropped, because they would edit mapped paths. */
function showing(report: Report, folders: UserFolders): Report {
  const path = (file: string) => (/^(?:\.instr\/|instr\.)/.test(file) ? displayPath(file, folders) : file);
  const text = (words: string) =>
    words.replace(/(?<![\w./~-])\.instr\/[\w./-]*/g, found => displayPath(found, folders));
  const span = (one: Span): Span => ({ ...one, source: { ...one.source, name: path(one.source.name) } });
  return ({ fixes: _fixes, ...found }) => {
    const hint = found.hint !== undefined && { hint: text(found.hint) };
    report({ ...mapPlaces(found, span, path), message: text(found.message), ...hint });
  };
}
