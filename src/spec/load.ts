import type { Report } from '../diagnostics/diagnostic.ts';
import { renaming } from '../diagnostics/fixes.ts';
import { conventions } from '../generated/conventions.ts';
import { targetUnknown } from '../generated/diagnostics.ts';
import { labels, specs } from '../generated/specs.ts';
import type { OptionSpec, TargetSpec } from '../generated/types/target.ts';
import { didYouMean } from '../text/similar.ts';
import type { Span } from '../text/source.ts';
import { withDefaultOmits } from './default-omits.ts';
import type { LoadedSpec } from './spec.ts';

/** Ids of the targets that come with the program, in the order of their labels. */
export function builtinIds(): readonly string[] {
  return Object.values(labels);
}

const parsed = new Map<string, LoadedSpec>();

/** A built-in spec by id; parsed when it is first asked for. */
export function builtinSpec(id: string): LoadedSpec | undefined {
  const known = parsed.get(id);
  if (known) return known;
  if (!Object.hasOwn(specs, id)) return undefined;
  const loaded = completeSpec(JSON.parse(specs[id]!) as TargetSpec);
  parsed.set(id, loaded);
  return loaded;
}

/** Looks up what a spec names. The spec has been validated: by the build, or by `loadCustomSpec`. */
export function completeSpec(
  spec: TargetSpec,
  templates: LoadedSpec['templates'] = new Map(),
  file?: string,
): LoadedSpec {
  const options: Record<string, OptionSpec> = {};
  for (const [name, option] of Object.entries(spec.options ?? {})) {
    const definition = typeof option === 'string' ? conventions.options[option] : option;
    if (definition) options[name] = definition;
  }
  return {
    spec: { ...spec, omits: withDefaultOmits(spec) },
    templates,
    options,
    ...(file !== undefined && { file }),
  };
}

/** The id that a name of the configuration means: an id, a label, or the id of a spec of the project. */
export function resolveTargetName(name: string, custom: ReadonlyMap<string, LoadedSpec>): string | undefined {
  if (custom.has(name) || Object.hasOwn(specs, name)) return name;
  if (Object.hasOwn(labels, name)) return labels[name];
  for (const [id, { spec }] of custom) if (spec.label === name) return id;
  return undefined;
}

/**
 * The spec of a target named in the configuration or on the command line; specs of the project win over built-in
 * ones. Reports an unknown name with the nearest known one.
 */
export function findSpec(
  name: string,
  custom: ReadonlyMap<string, LoadedSpec>,
  report: Report,
  span?: Span,
): LoadedSpec | undefined {
  const id = resolveTargetName(name, custom);
  if (id === undefined) {
    report(
      targetUnknown(
        { name },
        {
          span,
          hint: `${didYouMean(name, [...custom.keys(), ...builtinIds()])}\`prs targets\` lists all; a file .instr/targets/${name}.yaml would define it.`,
          fixes: renaming(span, name, [...custom.keys(), ...builtinIds()]),
        },
      ),
    );
    return undefined;
  }
  return custom.get(id) ?? builtinSpec(id);
}

/** Option name to the ids of the targets that take it, for messages only: reads every spec. */
export function optionOwners(
  custom: ReadonlyMap<string, LoadedSpec>,
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const loaded of [...custom.values(), ...builtinIds().map(id => builtinSpec(id)!)]) {
    for (const name of Object.keys(loaded.options))
      owners.set(name, [...(owners.get(name) ?? []), loaded.spec.id]);
  }
  return owners;
}
