import { localUnreached } from '../../generated/diagnostics.ts';
import { trackedByGit } from '../../host/git.ts';
import type { OutputFile } from '../../kinds/output.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { fewNames } from '../../text/names.ts';
import { pathKey } from '../../text/portable-path.ts';
import type { Project } from '../open/open.ts';
import type { WithIsolation } from '../session/world.ts';
import { disabledServersOption } from './requests.ts';

/** The outputs of a project and of one person as one list. */
export interface JoinedOutputs {
  readonly files: readonly OutputFile[];
  /** Paths of those that are there for the person alone. */
  readonly own: ReadonlySet<string>;
}

/**
 * Joins what a project compiles to with what one person wants. What is committed stays as the project has it: files that
 * the project writes for all, and files that version control has. What the person does not get for that reason is
 * reported.
 */
export function joinLocal(
  project: Project,
  shared: readonly OutputFile[],
  local: readonly OutputFile[],
  requests: readonly TargetRequest[],
  context: WithIsolation,
  report: Report,
): JoinedOutputs {
  const isIgnored = project.loaded.config.output?.git === 'ignored';
  const isCommitted = (file: OutputFile) => !file.private && !(isIgnored && file.kind === 'whole');
  const ofProject = new Map(shared.map(file => [pathKey(file.path), file]));
  const committed = shared.filter(isCommitted);
  const rest = local.filter(({ path }) => {
    const other = ofProject.get(pathKey(path));
    return !other || !isCommitted(other);
  });
  const asked = rest.filter(file => !file.private).map(({ path }) => path);
  const tracked = context.isolated ? undefined : trackedByGit(project.root, asked);
  reportUnreached(project, concerned(project, committed, local, tracked, requests), report);
  const files = rest.flatMap((file): OutputFile[] => {
    const other = ofProject.get(pathKey(file.path));
    if (tracked?.has(file.path)) return other ? [other] : [];
    return [{ ...file, private: true }];
  });
  const isOwn = ({ path }: OutputFile) => !ofProject.has(pathKey(path));
  return {
    files: [...committed, ...files],
    own: new Set(files.filter(isOwn).map(({ path }) => path)),
  };
}

/** Files that stay as the project has them though the person wants other servers or fewer skills. */
function concerned(
  { loaded }: Project,
  committed: readonly OutputFile[],
  local: readonly OutputFile[],
  tracked: ReadonlySet<string> | undefined,
  requests: readonly TargetRequest[],
): readonly OutputFile[] {
  const { disabled, hasServers } = loaded.local!;
  const wanted = new Map(local.map(file => [pathKey(file.path), file]));
  // A file of the person's own switches them off.
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
