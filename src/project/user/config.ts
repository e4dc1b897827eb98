import { userNotTaken, userPlaceUnknown } from '../../generated/diagnostics.ts';
import { userFolders } from '../../host/home.ts';
import { pathBelow, withForwardSlashes } from '../../host/relative-path.ts';
import { userSpec } from '../../spec/adapted.ts';
import { builtinIds, builtinSpec, resolveTargetName } from '../../spec/load.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { LoadedConfig } from '../config/load.ts';
import { targetEntries } from '../config/targets.ts';

/** Fields with paths of a project, which do not apply to a user. */
const ofProjects = ['input', 'builds', 'packages', 'universalDir', 'skillTargets'] as const;

/**
 * Adapts a configuration to the files of a user: nothing is discovered, `stale-reference` is off, and the sources begin with
 * `entry`. Fields that only apply to projects, and targets without files of a user, are reported.
 */
export function configOfUser(
  loaded: LoadedConfig,
  known: ReadonlyMap<string, LoadedSpec>,
  entry: string,
  report: Report,
): LoadedConfig {
  const { config, spanOf } = loaded;
  for (const { name, path } of targetEntries(config)) {
    const id = resolveTargetName(name, known);
    if (id === undefined || known.has(id)) continue;
    const title = builtinSpec(id)?.spec.title ?? name;
    report(userPlaceUnknown({ target: name, title }, { span: spanOf(path, 'key'), target: id }));
  }
  const { source } = spanOf([])!;
  for (const field of ofProjects) {
    const span = spanOf([field], 'key');
    if (span && (span.source !== source || span.end > span.start)) report(userNotTaken({ field }, { span }));
  }
  return {
    ...loaded,
    config: {
      ...config,
      input: { entry },
      universalDir: false,
      output: { ...config.output, layout: 'each' },
      validation: {
        ...config.validation,
        rules: { ...config.validation.rules, 'stale-reference': 'off' },
      },
    },
  };
}

/** The specs of all tools for the files of a user, by id. Tools without such files are left out. */
export function specsOfUser(
  own: ReadonlyMap<string, LoadedSpec>,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, LoadedSpec> {
  const { root: home, config } = userFolders(environment);
  const sources = pathBelow(home, config) ?? withForwardSlashes(config);
  const all = new Map(builtinIds().map(id => [id, own.get(id) ?? builtinSpec(id)!]));
  for (const [id, spec] of own) all.set(id, spec);
  return new Map(
    [...all].flatMap(([id, spec]) => {
      const changed = userSpec(spec, sources);
      return changed ? [[id, changed] as const] : [];
    }),
  );
}
