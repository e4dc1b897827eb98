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
import { type LoadedSpec, optionProblem, optionWord } from '../spec/spec.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { type Fix, removingField, renameFix, unknownNameAt } from '../text/diagnostics/fixes.ts';
import { normalizePath } from '../text/paths.ts';
import type { Span } from '../text/source.ts';

interface RequestContext {
  readonly conventions: readonly string[];
  readonly build?: string;
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

interface Reading extends RequestContext {
  readonly loaded: LoadedSpec;
  readonly config: TargetConfig;
  readonly version: string;
  /** The span of a key of the configuration, else that of the target. */
  readonly span: (key: string) => Span | undefined;
  readonly removal: (key: string) => readonly Fix[];
  readonly fail: Report;
}

/** Checks the configuration of a target against its spec; `undefined` after a report when it is invalid. */
export function readRequest(
  loaded: LoadedSpec,
  config: TargetConfig,
  at: readonly (string | number)[],
  context: RequestContext,
  report: Report,
): TargetRequest | undefined {
  const { spec } = loaded;
  let ok = true;
  const reading: Reading = {
    ...context,
    loaded,
    config,
    version: config.version ?? spec.defaultVersion,
    span: key => context.spanOf([...at, key]) ?? context.spanOf(at),
    removal: key => removingField(part => context.spanOf([...at, key], part), key),
    fail: diagnostic => {
      ok = false;
      report(diagnostic);
    },
  };
  checkVersion(reading);
  const convention = readConvention(reading);
  const options = readOptions(reading);
  checkOptionNames(reading, options);
  if (!ok) return undefined;
  const include = config.includeSkills ?? true;
  const spanOfSkill = (name: string, index: number) =>
    [name, context.spanOf([...at, 'includeSkills', index])] as const;
  // A trailing slash marks a directory whose name looks like a file name.
  const written = config.output ?? '';
  const output = normalizePath(written) && normalizePath(written) + (/[/\\]$/.test(written) ? '/' : '');
  return {
    loaded,
    spec,
    version: reading.version,
    convention,
    ...(output !== '' && { output }),
    guardsAsSkills: config.guardsAsSkills ?? true,
    guardsSkillsListing: config.guardsSkillsListing ?? true,
    ...(config.skillBaseDir !== undefined && { skillBaseDir: normalizePath(config.skillBaseDir) }),
    includeSkills: include === true ? true : new Set(include === false ? [] : include),
    ...(Array.isArray(include) && { includedAt: new Map(include.map(spanOfSkill)) }),
    options,
    at: context.spanOf(at),
  };
}

function checkVersion({ loaded: { spec }, version, span, fail }: Reading): void {
  if (Object.hasOwn(spec.versions, version)) return;
  const known = Object.keys(spec.versions);
  const versions = known.join(', ');
  const advice = `Choose one of ${versions}, or remove \`version\` to take ${spec.defaultVersion}.`;
  const where = unknownNameAt(span('version'), version, known, advice);
  fail(versionUnknown({ version, target: spec.id, versions }, { ...where, target: spec.id }));
}

function readConvention({ loaded: { spec }, config, conventions, span, fail }: Reading): string {
  const name = config.convention ?? 'markdown';
  if (conventions.includes(name)) return name;
  const known = conventions.join(', ');
  const advice = `Use one of ${known}, or define it under \`customConventions\`.`;
  const where = unknownNameAt(span('convention'), name, conventions, advice);
  fail(conventionUnknown({ name, known }, { ...where, target: spec.id }));
  return name;
}

/** The valid options, with defaults for those that are not configured. */
function readOptions({ loaded, config, version, build, span, fail }: Reading): Map<string, Data> {
  const target = loaded.spec.id;
  const options = new Map<string, Data>();
  for (const [name, option] of Object.entries(loaded.spec.options ?? {})) {
    const value = (config as Record<string, unknown>)[name] ?? option.default;
    if (value === undefined) continue;
    const where = { span: span(name), target };
    const word = optionWord(value);
    const problem = optionProblem(option, value);
    if (problem) {
      const fixes = renameFix(span(name), word, option.values ?? []);
      fail(optionValueWrong({ option: name, target, problem }, { ...where, fixes }));
    } else options.set(name, value as Data);
    const versions = option.requires?.[word];
    if (versions && !versions.includes(version)) {
      const holes = { option: name, value: word, target, versions: versions.join(' or '), version };
      fail(optionNeedsVersion(holes, where));
    }
    if (option.buildOnly?.includes(word) && build === undefined)
      fail(optionBuildOnly({ option: name, value: word, target }, where));
  }
  return options;
}

function checkOptionNames(
  { loaded: { spec }, config, version, span, removal, fail }: Reading,
  options: ReadonlyMap<string, Data>,
): void {
  const known = [...common, ...Object.keys(spec.options ?? {})];
  const refuse = (option: string, hint: string, fixes: readonly Fix[] = []) => {
    const where = { span: span(option), target: spec.id, hint, fixes: [...fixes, ...removal(option)] };
    fail(optionNotTaken({ option, target: spec.id }, where));
  };
  for (const name of Object.keys(config)) {
    if (known.includes(name)) continue;
    const { hint, fixes } = unknownNameAt(span(name), name, known, `${spec.id} takes ${known.join(', ')}.`);
    refuse(name, hint, fixes);
  }
  if (config.guardsSkillsListing !== undefined && fileOf(spec, 'guards', version, options)) {
    const hint = `${spec.title} has rule files of its own, so guards do not become skills there. Remove the option.`;
    refuse('guardsSkillsListing', hint);
  }
}
