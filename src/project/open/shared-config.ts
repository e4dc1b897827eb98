import { posix, resolve } from 'node:path';
import { isReferenceAllowed } from '../../check/policy/registry-allowlist.ts';
import {
  configFileMissing,
  extendsNotFound,
  policyAlias,
  sourceRemote,
} from '../../generated/diagnostics.ts';
import type { PolicyDefinition } from '../../generated/types/config.ts';
import { withForwardSlashes } from '../../host/relative-path.ts';
import type { LockEntry } from '../../registry/lock.ts';
import { referenceNamer } from '../../registry/naming.ts';
import type { TrackedRegistries } from '../../registry/registries.ts';
import type { Located } from '../../registry/tree.ts';
import { splitReference } from '../../syntax/reference.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { normalizeInnerPath } from '../../text/paths.ts';
import type { Span } from '../../text/source.ts';
import type { DataPath } from '../../text/yaml.ts';
import {
  type ChainOptions,
  type ConfigFile,
  followChain,
  type Layer,
  mayBeReference,
  type OpenShared,
  policiesOf,
  readChain,
  registriesOf,
} from '../config/chain.ts';
import { openRegistries, type RegistryMode } from '../lock.ts';
import type { CompileContext } from '../session/world.ts';

/** Opens configurations in registries, and records what was read. */
export interface SharedConfigs {
  readonly open: OpenShared;
  /** Lock entries for what was read. */
  readonly used: () => LockEntry[];
  /** Absolute paths of local files that were read. */
  readonly files: () => string[];
}

/** Opens the configurations that `extends` names in registries. */
export function sharedConfigs(context: CompileContext, mode: RegistryMode): SharedConfigs {
  const opened: TrackedRegistries[] = [];
  return {
    open: async (reference, at, nearer, root, report) => {
      if (context.isolated) {
        report(sourceRemote({ reference }, { span: at, hint: isolatedHint }));
        return undefined;
      }
      mode.untracked?.();
      const { path, version } = splitReference(reference);
      const settings = registriesOf(nearer);
      const naming = referenceNamer(settings, settings, root);
      const declared = nearer.flatMap(layer =>
        policiesOf(layer).map((policy, index) => ({ policy, layer, index })),
      );
      const policies = declared.map(({ policy }) => policy as PolicyDefinition);
      const placeOf = ([, number, ...rest]: DataPath) => {
        const { layer, index } = declared[number as number]!;
        return layer.file.spanOf(['policies', index, ...rest]);
      };
      if (!isReferenceAllowed(path, at, policies, placeOf, report, () => naming)) return undefined;
      const registries = openRegistries({ config: settings, root }, mode, { ...context, report });
      if (!registries) return undefined;
      opened.push(registries);
      const located = await registries.locate(path, version, at);
      return located && findIn(located, located.path, at, reference, report);
    },
    used: () => opened.flatMap(registries => registries.used()),
    files: () => opened.flatMap(registries => [...registries.files()]),
  };
}

const isolatedHint =
  'Nothing is fetched where a project is compiled from values: give the configuration as a file of the project.';

/** Finds the file at a path, or with an extension of configurations. A missing file is reported. */
async function findIn(
  { tree }: Pick<Located, 'tree'>,
  path: string,
  at: Span,
  reference: string,
  report: Report,
): Promise<ConfigFile | undefined> {
  const candidates = /\.ya?ml$/.test(path) ? [path] : [`${path}.yaml`, `${path}.yml`];
  for (const candidate of candidates) {
    const bytes = await tree.read(candidate);
    if (bytes) {
      return {
        path: `${tree.id}:${candidate}`,
        name: `${tree.id}:${candidate}`,
        bytes,
        reference,
        openSibling: async other => {
          const inner = normalizeInnerPath(posix.join(posix.dirname(candidate), other.replace(/\\/g, '/')));
          return inner === undefined ? undefined : findIn({ tree }, inner, at, reference, () => {});
        },
      };
    }
    if (tree.failed?.(candidate)) return undefined;
  }
  const hint = `It has no \`${candidates[0]}\`. The path starts at the root of the registry.`;
  report(extendsNotFound({ path: reference }, { span: at, hint }));
  return undefined;
}

const hint =
  'Give a path, relative to the working directory, or an address without a protocol: `git.example.com/lumen/instructions/company.yaml`.';

/**
 * Reads the configurations of `--policy` with what they extend. Paths are relative to the working folder. References
 * must contain the host, because the project defines names of registries. Problems are reported.
 */
export async function readOutsidePolicies(
  wanted: readonly string[],
  context: CompileContext & Pick<ChainOptions, 'root'>,
  report: Report,
): Promise<Layer[][]> {
  const { root, disk, cwd } = context;
  const { open } = sharedConfigs({ ...context, report }, { pinned: false });
  const options: ChainOptions = { root, disk, openShared: open };
  const chains: Layer[][] = [];
  for (const text of wanted) {
    const path = withForwardSlashes(resolve(cwd, text));
    if (disk.stat(path)) chains.push(await readChain(path, options, report));
    else if (text.startsWith('@')) report(policyAlias({ reference: text }));
    else if (!mayBeReference(text)) report(configFileMissing({ path: text }, { file: text, hint }));
    else {
      const at = { source: { name: '--policy', text }, start: 0, end: text.length };
      const file = await open(text, at, [], root, report);
      if (file) chains.push(await followChain(file, options, report));
    }
  }
  return chains.filter(chain => chain.length > 0);
}
