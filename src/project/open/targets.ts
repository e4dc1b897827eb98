import { readRequest } from '../../emit/request.ts';
import { conventions } from '../../generated/conventions.ts';
import { noSuchTarget } from '../../generated/diagnostics.ts';
import type { Target } from '../../generated/types/report.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import type { TargetRequest } from '../../kinds/request.ts';
import { userSpec } from '../../spec/adapted.ts';
import { confidenceOf } from '../../spec/confidence.ts';
import { findSpec, otherSpecs, ownSpecs, resolveTargetName, specOf, targetNames } from '../../spec/load.ts';
import { type LoadedSpec, partOf } from '../../spec/spec.ts';
import { allAdvice } from '../../spec/vocabulary.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { didYouMean } from '../../text/similar.ts';
import type { ConfiguredTarget } from '../config/targets.ts';
import type { WithReport } from '../session/world.ts';
import type { Project } from './open.ts';

/** The built-in tools in the order of suggestion, then those of the project. */
export function listTargets(custom: CustomSpecs): readonly Target[] {
  return [...otherSpecs(custom), ...ownSpecs(custom)].map(summarize);
}

type CustomSpecs = ReadonlyMap<string, LoadedSpec>;

/** The tool with an id or label; an unknown name is reported. */
export function targetNamed(name: string, custom: CustomSpecs, report: Report): LoadedSpec | undefined {
  const id = resolveTargetName(name, custom);
  if (id !== undefined) return specOf(id, custom);
  const hint = `${didYouMean(name, targetNames(custom))}Run \`prs targets\` for the list.`;
  report(noSuchTarget({ name }, { hint }));
  return undefined;
}

/** Resolves names in comma-separated lists to ids, in order, without duplicates. `undefined` after unknown names were reported. */
export function readTargetNames(
  lists: readonly string[],
  custom: CustomSpecs,
  report: Report,
): string[] | undefined {
  const names = lists.flatMap(list => list.split(',')).map(name => name.trim());
  const targets = names.filter(Boolean).map(name => targetNamed(name, custom, report));
  return targets.includes(undefined) ? undefined : [...new Set(targets.map(target => target!.spec.id))];
}

/** The facts about a tool in a list. */
export function summarize(loaded: LoadedSpec): Target {
  const { spec } = loaded;
  const main = mainPath(loaded);
  return {
    id: spec.id,
    ...(spec.label !== undefined && { label: spec.label }),
    title: spec.title,
    defaultVersion: spec.defaultVersion,
    versions: Object.entries(spec.versions).map(([version, help]) => ({ name: version, help })),
    capabilities: capabilities(spec),
    ...(main !== undefined && { main }),
  };
}

/** All facts about a tool. */
export function describeTarget(loaded: LoadedSpec): Target {
  const { spec } = loaded;
  const ofUser = userSpec(loaded, undefined);
  return {
    ...summarize(loaded),
    homepage: spec.homepage,
    ...(spec.vendor !== undefined && { vendor: spec.vendor }),
    ...(spec.status && { status: { ...spec.status } }),
    files: filesOf(loaded),
    ...(ofUser && { userFiles: filesOf(ofUser) }),
    ...(spec.limits && { limits: spec.limits.map(limit => ({ ...limit })) }),
    ...(spec.proof && { proof: { ...spec.proof, features: { ...spec.proof.features } } }),
    omits: { ...allAdvice(spec) },
    confidences: confidenceOf(spec),
    evidence: spec.evidence.map(({ user: _user, of, ...one }) => ({ ...one, ...(of && { of: [...of] }) })),
  };
}

const filesOf = (loaded: LoadedSpec) =>
  Object.entries(loaded.spec.files).map(([name, file]) => ({
    name,
    of: partOf(file) ?? 'settings',
    path: pathOf(file, loaded),
    ...(file.versions && { versions: [...file.versions] }),
  }));

/** The collections that the tool has a place for, besides the main document. */
const capabilities = ({ files }: TargetSpec): string[] => [
  ...new Set(
    Object.values(files)
      .flatMap(file => partOf(file) ?? [])
      .filter(part => part !== 'instructions'),
  ),
];

/** The path of the main document in a version; `undefined` if there is none. */
export function mainPath(loaded: LoadedSpec): string | undefined {
  const { files, defaultVersion: version } = loaded.spec;
  const main = Object.values(files).find(
    file =>
      partOf(file) === 'instructions' && (file.versions === undefined || file.versions.includes(version)),
  );
  return main && pathOf(main, loaded);
}

/** The path in the spec, with default options filled in. */
function pathOf(file: TargetSpec['files'][string], { spec: { options } }: LoadedSpec): string {
  const path = 'dir' in file && file.dir !== undefined ? `${file.dir}/${file.path}` : file.path;
  return path.replace(/\{(\w+)\}/g, (hole, name: string) => String(options?.[name]?.default ?? hole));
}

/**
 * The request for a target with its settings; `undefined` if it is disabled, or after invalid settings were reported.
 */
export function requestOf(
  { name, config: settings, path }: ConfiguredTarget,
  { loaded, custom }: Project,
  spanOf: Project['loaded']['spanOf'],
  report: WithReport['report'],
  build?: string,
): TargetRequest | undefined {
  if (settings?.enabled === false) return undefined;
  const spec = findSpec(name, custom, report, spanOf(path, 'key'));
  if (!spec) return undefined;
  const own = loaded.config.customConventions ?? {};
  const context = {
    conventions: [...Object.keys(conventions.conventions), ...Object.keys(own)],
    ...(build !== undefined && { build }),
    spanOf,
  };
  return readRequest(spec, settings, path as (string | number)[], context, report);
}
