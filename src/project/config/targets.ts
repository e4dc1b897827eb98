import { duplicateTarget } from '../../generated/diagnostics.ts';
import type { Config, TargetConfig, TargetEntry } from '../../generated/types/config.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { groupBy } from '../../text/group.ts';
import type { DataPath, YamlFile } from '../../text/yaml.ts';

/** One target of a configuration. */
export interface ConfiguredTarget {
  /** The name as written: an id, a label, or the name of a custom target. */
  readonly name: string;
  readonly config: TargetConfig;
  /** Path of the settings, or of the name if there are none. */
  readonly path: DataPath;
}

/** The targets of a list, in order. An object with several keys is several targets. */
export function targetEntries(
  holder: { readonly targets?: readonly TargetEntry[] | undefined },
  path: DataPath = [],
): ConfiguredTarget[] {
  return (holder.targets ?? []).flatMap((entry, index): ConfiguredTarget[] => {
    const at = [...path, 'targets', index];
    if (typeof entry === 'string') return [{ name: entry, config: {}, path: at }];
    return Object.entries(entry).map(([name, config]) => ({ name, config, path: [...at, name] }));
  });
}

/** The lists of targets of a configuration and its builds. */
export const targetLists = (config: Pick<Config, 'targets' | 'builds'>): ConfiguredTarget[][] => [
  targetEntries(config),
  ...Object.entries(config.builds ?? {}).map(([name, build]) => targetEntries(build, ['builds', name])),
];

/** Reports targets that are listed twice. `canonical` maps a name to its id, so that an id and its label are equal. */
export function checkDuplicateTargets(
  entries: readonly ConfiguredTarget[],
  spanOf: YamlFile['spanOf'],
  report: Report,
  canonical: (name: string) => string = name => name,
): void {
  for (const [first, ...repeated] of groupBy(entries, ({ name }) => canonical(name)).values()) {
    const span = spanOf(first.path, 'key');
    const related = span && [{ message: 'the first entry', span }];
    for (const { name, path } of repeated)
      report(duplicateTarget({ target: name }, { span: spanOf(path, 'key'), related }));
  }
}
