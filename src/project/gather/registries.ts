import { sourceRemote } from '../../generated/diagnostics.ts';
import type { LockEntry } from '../../registry/lock.ts';
import { settingOf, splitReference } from '../../registry/reference.ts';
import { replacingIn } from '../../text/diagnostics/fixes.ts';
import { joinEntries, openRegistries, type ProjectRegistries, type RegistryMode } from '../lock.ts';
import type { Project } from '../open/open.ts';
import { referenceGuard } from '../open/policy-namings.ts';
import type { CompileContext } from '../session/world.ts';

/**
 * The registries of a project, opened at the first remote reference, because most projects have none and opening
 * reads the lock file. If the lock file is damaged, that is reported and no remote source is found.
 */
export function projectRegistries(
  project: Project,
  mode: RegistryMode,
  context: CompileContext,
): ProjectRegistries {
  let isOpened = false;
  let opened: ProjectRegistries | undefined;
  return {
    locate: async (path, version, at) => {
      if (!hasRegistries(project) && looksLocal(path)) {
        const hint = `Write \`./${path}\` for a file of the project. For shared files, add \`registry\` or \`registries\` to the configuration.`;
        const fixes = replacingIn(at, `Write \`./${path}\``, path, `./${path}`);
        context.report(sourceRemote({ reference: path }, { span: at, hint, fixes }));
        return undefined;
      }
      if (context.isolated && !isDirectory(path, project)) {
        context.report(sourceRemote({ reference: path }, { span: at, hint: isolatedHint }));
        return undefined;
      }
      if (!isOpened) opened = openProjectRegistries(project, mode, context);
      isOpened = true;
      return opened?.locate(path, version, at);
    },
    used: (): LockEntry[] => joinEntries([...project.usedByConfig(), ...(opened?.used() ?? [])]),
    files: () => [...project.filesOfConfig(), ...(opened?.files() ?? [])],
    lockState: () => opened?.lockState?.(),
  };
}

const isolatedHint =
  'Nothing is fetched where a project is compiled from values: give the shared files too, with `registry.path` or `./`.';

/** Whether a reference leads to a directory: that of `registry.path`, or of an alias. */
function isDirectory(reference: string, { loaded }: Project): boolean {
  const place = splitReference(reference, loaded.config);
  if (place.kind === 'registry') return settingOf(place.name, loaded.config)?.kind === 'folder';
  return place.kind === 'package';
}

const hasRegistries = ({ loaded: { config } }: Project): boolean =>
  config.registry !== undefined || config.registries !== undefined;

/** `standards` or `fragments/standards`, without an alias or a host: most likely the `./` is missing. */
const looksLocal = (path: string): boolean => /^[\w-]+(?:\/[\w.-]+)*$/.test(path);

function openProjectRegistries(
  { loaded, root }: Project,
  mode: RegistryMode,
  context: CompileContext,
): ProjectRegistries | undefined {
  const { config, spanOf } = loaded;
  const isAllowed = referenceGuard(loaded, context);
  return openRegistries({ config, spanOf, root, isAllowed }, mode, context);
}
