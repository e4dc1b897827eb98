import { duplicateTarget } from '../../generated/diagnostics.ts';
import type { TargetConfig, TargetEntry } from '../../generated/types/config.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { Span } from '../../text/source.ts';
import type { DataPath } from '../../text/yaml.ts';

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

/** Reports targets that are listed twice. `canonical` maps a name to its id, so that an id and its label are equal. */
export function checkDuplicateTargets(
  entries: readonly ConfiguredTarget[],
  spanOf: (path: DataPath, part?: 'key' | 'value') => Span | undefined,
  report: Report,
  canonical: (name: string) => string = name => name,
): void {
  const seen = new Map<string, ConfiguredTarget>();
  for (const entry of entries) {
    const id = canonical(entry.name);
    const first = seen.get(id);
    if (!first) {
      seen.set(id, entry);
      continue;
    }
    const span = spanOf(first.path, 'key');
    const related = span && [{ message: 'the first entry', span }];
    report(duplicateTarget({ target: entry.name }, { span: spanOf(entry.path, 'key'), related }));
  }
}
