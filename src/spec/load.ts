import { targetUnknown } from '../generated/diagnostics.ts';
import { specText } from '../generated/spec-texts.ts';
import { aliases, ids, named, names } from '../generated/specs.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { unknownNameAt } from '../text/diagnostics/fixes.ts';
import { memoize } from '../text/memo.ts';
import type { Span } from '../text/source.ts';
import { isNameOf, namesOf, normalizeName } from './names.ts';
import type { LoadedSpec } from './spec.ts';

/** Ids of the built-in targets, in the order in which they are suggested. */
export const builtinIds = (): readonly string[] => ids;

/** Built-in targets for which a settings file of the project may name the main files, with that file. */
export const namedIn: readonly (readonly [id: string, path: string])[] = named;

/** The specs that the project defines. */
export const ownSpecs = (custom: ReadonlyMap<string, LoadedSpec>): readonly LoadedSpec[] =>
  [...custom.values()].filter(({ file }) => file !== undefined);

/** The spec of a target by its id; undefined for an unknown one. Specs of the project take precedence. */
export const specOf = (id: string, custom: ReadonlyMap<string, LoadedSpec>): LoadedSpec | undefined =>
  custom.get(id) ?? builtinSpec(id);

/** The built-in targets that no spec of the project replaces, in the order in which they are suggested. */
export const otherSpecs = (custom: ReadonlyMap<string, LoadedSpec>): LoadedSpec[] =>
  ids.flatMap(id => (custom.get(id)?.file === undefined ? specOf(id, custom)! : []));

/** Names of all targets for suggestions, without labels. */
export const targetNames = (custom: ReadonlyMap<string, LoadedSpec>): readonly string[] => [
  ...ownSpecs(custom).flatMap(({ spec }) => namesOf(spec).filter(name => name !== spec.label)),
  ...ids,
  ...aliases,
];

/** A built-in spec by id, parsed on first use. */
export const builtinSpec = memoize((id: string): LoadedSpec | undefined => {
  const text = specText(id);
  return text === undefined ? undefined : { spec: JSON.parse(text) as TargetSpec, templates: new Map() };
});

/** Resolves a target name (id, label, title or alias) to an id. Specs of the project take precedence. */
export function resolveTargetName(name: string, custom: ReadonlyMap<string, LoadedSpec>): string | undefined {
  if (custom.has(name) || ids.includes(name)) return name;
  for (const [id, { spec }] of custom) if (isNameOf(name, spec)) return id;
  const plain = normalizeName(name);
  return Object.hasOwn(names, plain) ? names[plain] : undefined;
}

/**
 * Finds the spec of a target by any of its names; specs of the project take precedence. Reports an unknown
 * name.
 */
export function findSpec(
  name: string,
  custom: ReadonlyMap<string, LoadedSpec>,
  report: Report,
  span?: Span,
): LoadedSpec | undefined {
  const id = resolveTargetName(name, custom);
  if (id === undefined) {
    const advice = `\`prs targets\` lists all; a file .instr/targets/${name}.yaml would define it.`;
    report(targetUnknown({ name }, unknownNameAt(span, name, targetNames(custom), advice)));
    return undefined;
  }
  return specOf(id, custom);
}
