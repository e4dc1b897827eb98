import { isReferenceAllowed } from '../../check/policy/registry-allowlist.ts';
import { sourceRemote } from '../../generated/diagnostics.ts';
import { cacheDirectory } from '../../host/cache-dir.ts';
import { recordExternalInput } from '../../host/outside.ts';
import type { LockEntry } from '../../registry/lock.ts';
import { splitReference } from '../../registry/reference.ts';
import { createRegistries, type TrackedRegistries } from '../../registry/registries.ts';
import type { RegistrySettings } from '../../registry/settings.ts';
import { replacingIn } from '../../text/diagnostics/fixes.ts';
import type { LockState } from '../executables.ts';
import { isFrozen, joinEntries, openLock, type RegistryMode } from '../lock.ts';
import type { Project } from '../open/open.ts';
import { policyNamings, waiversOf } from '../open/policy-namings.ts';
import type { CompileContext } from '../session/world.ts';

export interface ProjectRegistries extends TrackedRegistries {
  lockState?(): LockState | undefined;
}

/**
 * The registries of a project, opened at the first remote reference, because most projects have none and opening
 * reads the lock file. If the lock file is damaged, that is reported and no remote source is found.
 */
export function projectRegistries(
  project: Project,
  mode: RegistryMode,
  context: CompileContext,
): ProjectRegistries {
  let opening: Promise<void> | undefined;
  let opened: ProjectRegistries | undefined;
  const open = async () => {
    opened = await openRegistries(project, mode, context);
  };
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
      opening ??= open();
      await opening;
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
  const settings = loaded.config as RegistrySettings;
  const { git, path } = settings.registry ?? {};
  const place = splitReference(reference, settings);
  if (place.kind !== 'alias')
    return place.kind === 'package' || (!git && path !== undefined && place.kind === 'registry');
  const setting = settings.registries![place.alias]!;
  return typeof setting === 'object' && 'path' in setting;
}

const hasRegistries = ({ loaded: { config } }: Project): boolean =>
  config.registry !== undefined || config.registries !== undefined;

/** `standards` or `fragments/standards`, without an alias or a host: most likely the `./` is missing. */
const looksLocal = (path: string): boolean => /^[\w-]+(?:\/[\w.-]+)*$/.test(path);

async function openRegistries(
  { loaded, root }: Project,
  { frozen, locking, registryOverrides }: RegistryMode,
  context: CompileContext,
): Promise<ProjectRegistries | undefined> {
  recordExternalInput('registry');
  const { disk, environment, clock, progress, report } = context;
  const present = locking ? 'none' : openLock(root, context);
  if (present === 'broken') return undefined;
  const { config, spanOf } = loaded;
  const waivers = waiversOf(loaded, context);
  const namings = policyNamings(config, loaded.policyRegistries, root);
  const env = (name: string) => environment[name];
  const lock = locking ? locking.from : present === 'none' ? undefined : present.lock;
  const isOnlyPinned = !locking && isFrozen(frozen, environment);
  const registries = createRegistries(
    {
      config: config as RegistrySettings,
      spanOf,
      root,
      disk,
      env,
      cacheDir: cacheDirectory(environment),
      isAllowed: (reference, at) =>
        isReferenceAllowed(reference, at, config.policies, spanOf, report, namings, waivers),
      lock,
      frozen: isOnlyPinned,
      ...(locking && { locking: true }),
      registryOverrides,
      progress,
      now: () => clock().getTime(),
    },
    report,
  );
  return { ...registries, lockState: () => ({ lock, frozen: isOnlyPinned, found: locking?.found }) };
}
