import type { Report } from '../diagnostics/diagnostic.ts';
import { removingField, renaming } from '../diagnostics/fixes.ts';
import {
  conventionUnknown,
  optionBuildOnly,
  optionNeedsVersion,
  optionNotTaken,
  optionValueWrong,
  versionUnknown,
} from '../generated/diagnostics.ts';
import type { TargetConfig } from '../generated/types/config.ts';
import { fileOf } from '../kinds/places.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Data } from '../model/model.ts';
import { optionProblem, optionWord } from '../spec/option-value.ts';
import type { LoadedSpec } from '../spec/spec.ts';
import { plainPath } from '../text/paths.ts';
import { didYouMean } from '../text/similar.ts';
import type { Span } from '../text/source.ts';

/** What the configuration of a target is checked with. */
export interface RequestContext {
  readonly conventions: readonly string[];
  /** Name of the build profile, when the request belongs to one. */
  readonly build?: string;
  /** All options of all known specs with the ids that take them, to say who takes a misplaced one. */
  readonly optionOwners: () => ReadonlyMap<string, readonly string[]>;
  readonly spanOf: (path: readonly (string | number)[], part?: 'key' | 'value') => Span | undefined;
}

const common: ReadonlySet<string> = new Set([
  'enabled',
  'output',
  'convention',
  'version',
  'guardsAsSkills',
  'guardsSkillsListing',
  'skillBaseDir',
  'includeSkills',
]);

/**
 * Reads a target's configuration against its spec. Reports an unknown version or convention, options of other
 * targets, wrong values and values that need another version; gives `undefined` when one of them was found.
 */
export function readRequest(
  loaded: LoadedSpec,
  config: TargetConfig,
  at: readonly (string | number)[],
  context: RequestContext,
  report: Report,
): TargetRequest | undefined {
  const { spec } = loaded;
  let ok = true;
  const fail = (diagnostic: Parameters<Report>[0]) => {
    ok = false;
    report(diagnostic);
  };
  const span = (key: string) => context.spanOf([...at, key]) ?? context.spanOf(at);
  const removal = (key: string) => removingField(part => context.spanOf([...at, key], part), key);
  const version = config.version ?? spec.defaultVersion;
  if (!Object.hasOwn(spec.versions, version)) {
    const known = Object.keys(spec.versions);
    fail(
      versionUnknown(
        { version, target: spec.id, versions: known.join(', ') },
        {
          span: span('version'),
          target: spec.id,
          hint: `${didYouMean(version, known)}Choose one of ${known.join(', ')}, or remove \`version\` to take ${spec.defaultVersion}.`,
          fixes: renaming(span('version'), version, known),
        },
      ),
    );
  }
  const convention = config.convention ?? spec.convention ?? 'markdown';
  if (!context.conventions.includes(convention)) {
    fail(
      conventionUnknown(
        { name: convention, known: context.conventions.join(', ') },
        {
          span: span('convention'),
          target: spec.id,
          hint: `${didYouMean(convention, context.conventions)}Use one of ${context.conventions.join(', ')}, or define it under \`customConventions\`.`,
          fixes: renaming(span('convention'), convention, context.conventions),
        },
      ),
    );
  }
  const options = new Map<string, Data>();
  for (const [name, option] of Object.entries(loaded.options)) {
    const value = (config as Record<string, unknown>)[name] ?? option.default;
    if (value === undefined) continue;
    const problem = optionProblem(option, value);
    const word = optionWord(value);
    if (problem)
      fail(
        optionValueWrong(
          { option: name, target: spec.id, problem },
          { span: span(name), target: spec.id, fixes: renaming(span(name), word, option.values ?? []) },
        ),
      );
    else options.set(name, value as Data);
    const versions = option.requires?.[word];
    if (versions && !versions.includes(version)) {
      fail(
        optionNeedsVersion(
          { option: name, value: word, target: spec.id, versions: versions.join(' or '), version },
          { span: span(name), target: spec.id },
        ),
      );
    }
    if (option.buildOnly?.includes(word) && context.build === undefined) {
      fail(
        optionBuildOnly(
          { option: name, value: word, target: spec.id },
          { span: span(name), target: spec.id },
        ),
      );
    }
  }
  for (const name of Object.keys(config)) {
    if (common.has(name) || Object.hasOwn(loaded.options, name)) continue;
    const owners = context.optionOwners().get(name) ?? [];
    const hint =
      owners.length > 0
        ? `It belongs to ${owners.join(', ')}: move it there or remove it.`
        : `${didYouMean(name, [...common, ...Object.keys(loaded.options)])}${spec.id} takes ${[...common, ...Object.keys(loaded.options)].join(', ')}.`;
    fail(
      optionNotTaken(
        { option: name, target: spec.id },
        {
          span: span(name),
          target: spec.id,
          hint,
          fixes: [
            ...(owners.length > 0
              ? []
              : renaming(span(name), name, [...common, ...Object.keys(loaded.options)])),
            ...removal(name),
          ],
        },
      ),
    );
  }
  if (config.guardsSkillsListing !== undefined && fileOf(spec, 'guards', version, options)) {
    fail(
      optionNotTaken(
        { option: 'guardsSkillsListing', target: spec.id },
        {
          span: span('guardsSkillsListing'),
          target: spec.id,
          hint: `${spec.title} has rule files of its own, so guards do not become skills there. Remove the option.`,
          fixes: removal('guardsSkillsListing'),
        },
      ),
    );
  }
  if (!ok) return undefined;
  const include = config.includeSkills ?? true;
  // A slash at the end marks a directory, also when the name looks like that of a file.
  const written = config.output ?? '';
  const output = plainPath(written) && plainPath(written) + (/[/\\]$/.test(written) ? '/' : '');
  return {
    loaded,
    spec,
    version,
    convention,
    ...(output !== '' && { output }),
    guardsAsSkills: config.guardsAsSkills ?? true,
    guardsSkillsListing: config.guardsSkillsListing ?? true,
    ...(config.skillBaseDir !== undefined && { skillBaseDir: plainPath(config.skillBaseDir) }),
    includeSkills: include === true ? true : new Set(include === false ? [] : include),
    ...(Array.isArray(include) && {
      includedAt: new Map(
        include.map((name, index) => [name, context.spanOf([...at, 'includeSkills', index])]),
      ),
    }),
    options,
    at: context.spanOf(at),
  };
}
