import type { EmitResult } from '../../emit/emit.ts';
import { localUnreached } from '../../generated/diagnostics.ts';
import type { OutputFile } from '../../kinds/output.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import { fewNames } from '../../text/names.ts';
import { pathKey } from '../../text/portable-path.ts';
import { trackedByGit } from '../git/queries.ts';
import type { Build, ChosenBuilds } from '../open/builds.ts';
import type { Project } from '../open/open.ts';
import type { WithIsolation, WithReport } from '../session/world.ts';
import { disabledServersOption } from './requests.ts';

/** Committed files from which the person wanted other servers, or fewer skills. */
function concerned(
  { loaded }: Project,
  committed: readonly OutputFile[],
  local: readonly OutputFile[],
  tracked: ReadonlySet<string> | undefined,
  requests: readonly TargetRequest[],
): readonly OutputFile[] {
  const { disabled, hasServers } = loaded.local!;
  const wanted = new Map(local.map(file => [pathKey(file.path), file]));
  // A personal file of the tool disables these.
  const switchedOff = new Set(
    requests.filter(({ options }) => options.has(disabledServersOption)).map(({ spec }) => spec.id),
  );
  const isConcerned = ({ targets }: OutputFile) =>
    hasServers || (disabled.servers.length > 0 && !targets.every(id => switchedOff.has(id)));
  return [
    ...committed.filter(file => {
      const other = wanted.get(pathKey(file.path));
      if (file.kind === 'shared') return isConcerned(file) && !(other && isSame(file, other));
      return !other && disabled.skills.length > 0;
    }),
    ...local.filter(({ kind, path }) => kind === 'shared' && hasServers && tracked?.has(path)),
  ];
}

function reportUnreached({ loaded }: Project, files: readonly OutputFile[], report: Report): void {
  if (files.length === 0) return;
  const { hasServers, spanOf } = loaded.local!;
  const paths = [...new Set(files.map(({ path }) => path))].sort();
  const span = spanOf([hasServers ? 'mcpServers' : 'disabled'], 'key');
  report(localUnreached({ paths: fewNames(paths) }, { span }));
}

const isSame = (one: OutputFile, other: OutputFile): boolean =>
  JSON.stringify(editsOf(one)) === JSON.stringify(editsOf(other));

const editsOf = (file: OutputFile) =>
  file.kind === 'shared' ? file.edits.map(({ kind, path, value }) => [kind, path, value]) : [];

/**
 * Compiles the project for one person, and adds what is only for this person: files that are not committed, and results
 * for targets that the project does not have. Files that are committed stay as the project has them; what the person
 * does not get for this reason is reported. `personalPaths` are files that only exist for that person.
 */
export async function addLocal<R extends EmitResult>(
  project: Project,
  chosen: ChosenBuilds,
  files: readonly OutputFile[],
  reported: readonly Diagnostic[],
  compile: (build: Build, report: Report) => Promise<R>,
  { report, isolated }: WithReport & WithIsolation,
) {
  const { requests } = chosen.local!;
  const emitted = await compile(chosen.local!, onlyUnreported(reported, report));
  const isIgnored = project.loaded.config.output?.git === 'ignored';
  const isCommitted = (file: OutputFile) => !file.private && !(isIgnored && file.kind === 'whole');
  const ofProject = new Map(files.map(file => [pathKey(file.path), file]));
  const committed = files.filter(isCommitted);
  const uncommitted = emitted.files.filter(({ path }) => {
    const other = ofProject.get(pathKey(path));
    return !other || !isCommitted(other);
  });
  const paths = uncommitted.filter(file => !file.private).map(({ path }) => path);
  const tracked = isolated ? undefined : trackedByGit(project.root, paths);
  reportUnreached(project, concerned(project, committed, emitted.files, tracked, requests), report);
  const personal = uncommitted.flatMap((file): OutputFile[] => {
    const other = ofProject.get(pathKey(file.path));
    if (tracked?.has(file.path)) return other ? [other] : [];
    return [{ ...file, private: true }];
  });
  const shared = new Set(chosen.builds.flatMap(build => build.requests.map(({ spec }) => spec.id)));
  const isOwn = ({ target }: { readonly target: string }) => !shared.has(target);
  return {
    files: [...committed, ...personal],
    personalPaths: new Set(personal.map(({ path }) => path).filter(path => !ofProject.has(pathKey(path)))),
    requests: requests.filter(({ spec }) => !shared.has(spec.id)),
    emitted: {
      ...emitted,
      omissions: emitted.omissions.filter(isOwn),
      budgets: emitted.budgets.filter(isOwn),
      overlaps: emitted.overlaps.filter(({ request }) => !shared.has(request.spec.id)),
      placed: () => emitted.placed().filter(isOwn),
    },
  };
}

/** A report that drops known findings, because two compiles of one program share most of them. */
export function onlyUnreported(reported: readonly Diagnostic[], report: Report): Report {
  const keyOf = ({ code, message, span, file, target }: Diagnostic) =>
    [code, message, span?.source.name, span?.start, file, target].join('\0');
  const known = new Set(reported.map(keyOf));
  return found => {
    if (!known.has(keyOf(found))) report(found);
  };
}
