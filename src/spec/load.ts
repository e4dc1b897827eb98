import { targetUnknown } from '../generated/diagnostics.ts';
import { specText } from '../generated/spec-texts.ts';
import { aliases, ids, named, names } from '../generated/specs.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { renameFix } from '../text/diagnostics/fixes.ts';
import { didYouMean } from '../text/similar.ts';
import type { Span } from '../text/source.ts';
import { isNameOf, namesOf, plainName } from './names.ts';
import type { LoadedSpec } from './spec.ts';

/** Ids of the targets that come with the program, in the order in which they are proposed. */
export const builtinIds = (): readonly string[] => ids;

/** Built-in targets whose main files a project may name in a settings file, with that file. */
export const namedIn: readonly (readonly [id: string, path: string])[] = named;

/** The specs that files of the project define. */
export const ownSpecs = (custom: ReadonlyMap<string, LoadedSpec>): readonly LoadedSpec[] =>
  [...custom.values()].filter(({ file }) => file !== undefined);

/** Names that a target may be given by, as people write them; without labels. */
export const targetNames = (custom: ReadonlyMap<string, LoadedSpec>): readonly string[] => [
  ...ownSpecs(custom).flatMap(({ spec }) => namesOf(spec).filter(name => name !== spec.label)),
  ...ids,
  ...aliases,
];

const parsed = new Map<string, LoadedSpec>();

/** A built-in spec by id; parsed when it is first asked for. */
export function builtinSpec(id: string): LoadedSpec | undefined {
  const known = parsed.get(id);
  if (known) return known;
  const text = specText(id);
  if (text === undefined) return undefined;
  const loaded = completeSpec(JSON.parse(text) as TargetSpec);
  parsed.set(id, loaded);
  return loaded;
}

/** A spec with what every spec has. The spec has been validated: by the build, or by `loadCustomSpec`. */
export function completeSpec(
  spec: TargetSpec,
  templates: LoadedSpec['templates'] = new Map(),
  file?: string,
): LoadedSpec {
  return {
    spec,
    templates,
    options: spec.options ?? {},
    ...(file !== undefined && { file }),
  };
}

/** The id that a name means: an id, a label, a title or an alias. What the project defines itself comes first. */
export function resolveTargetName(name: string, custom: ReadonlyMap<string, LoadedSpec>): string | undefined {
  if (custom.has(name) || ids.includes(name)) return name;
  for (const [id, { spec }] of custom) if (isNameOf(name, spec)) return id;
  const plain = plainName(name);
  return Object.hasOwn(names, plain) ? names[plain] : undefined;
}

/** The spec of a target by any name; those of the project win over built-in ones. Reports an unknown name. */
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
          hint: `${didYouMean(name, targetNames(custom))}\`prs targets\` lists all; a file .instr/targets/${name}.yaml would define it.`,
          fixes: renameFix(span, name, targetNames(custom)),
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
  for (const loaded of [...ownSpecs(custom), ...builtinIds().map(id => builtinSpec(id)!)]) {
    for (const name of Object.keys(loaded.options))
      owners.set(name, [...(owners.get(name) ?? []), loaded.spec.id]);
  }
  return owners;
}
