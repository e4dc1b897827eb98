import {
  authIncomplete,
  depthClamped,
  duplicatePolicy,
  globRefused,
  insecureUrl,
  literalSecret,
  pathOutsideProject,
  pathUnusable,
  registryIgnored,
  syntaxTooNew,
} from '../../generated/diagnostics.ts';
import type { Config, GitAuth, HttpAuth } from '../../generated/types/config.ts';
import { findInsecureUrl } from '../../text/addresses.ts';
import { isObject } from '../../text/data.ts';
import type { DiagnosticPlace, Report } from '../../text/diagnostics/diagnostic.ts';
import { replacementFix, replacingIn } from '../../text/diagnostics/fixes.ts';
import { pathText } from '../../text/diagnostics/schema-errors.ts';
import { globProblem } from '../../text/globs.ts';
import { groupBy } from '../../text/group.ts';
import { leavesRoot, normalizePath } from '../../text/paths.ts';
import { checkRelativePath } from '../../text/portable-path.ts';
import { compareVersions, newestSyntax } from '../../text/version.ts';
import type { DataPath, YamlFile } from '../../text/yaml.ts';
import { checkDuplicateTargets, targetLists } from './targets.ts';

/** The merged configuration, and the spans of its values. */
interface Subject {
  readonly config: Config;
  readonly spanOf: YamlFile['spanOf'];
  readonly report: Report;
}

/** Reports problems of a valid configuration that its schema cannot express. */
export function checkConfig(subject: Subject): void {
  checkSyntax(subject);
  checkTargets(subject);
  checkRegistries(subject);
  checkPaths(subject);
  checkDepth(subject);
  checkGlobs(subject);
}

const at = ({ spanOf }: Subject, path: DataPath, part?: 'key' | 'value'): DiagnosticPlace => ({
  span: spanOf(path, part),
});

function checkSyntax({ config: { syntax }, spanOf, report }: Subject): void {
  if (compareVersions(syntax, newestSyntax) <= 0) return;
  const span = spanOf(['syntax']);
  const fixes = replacingIn(span, `Declare syntax ${newestSyntax}`, syntax, newestSyntax);
  report(syntaxTooNew({ version: syntax, newest: newestSyntax }, { span, fixes }));
}

function checkTargets({ config, spanOf, report }: Subject): void {
  for (const list of targetLists(config)) checkDuplicateTargets(list, spanOf, report);
}

function checkRegistries(subject: Subject): void {
  const { config, report } = subject;
  const { registry } = config;
  if (registry) {
    const given = (['git', 'path', 'url'] as const).filter(key => registry[key] !== undefined);
    for (const ignored of given.slice(1)) {
      report(registryIgnored({ ignored, used: given[0]! }, at(subject, ['registry', ignored], 'key')));
    }
    checkAuth(subject, registry.auth, ['registry', 'auth']);
    checkAuth(subject, registry.git?.auth, ['registry', 'git', 'auth']);
    checkAddress(subject, registry.url, ['registry', 'url'], true);
    checkAddress(subject, registry.git?.url, ['registry', 'git', 'url'], true);
    checkAddress(subject, registry.git?.fallbackUrl, ['registry', 'git', 'fallbackUrl'], true);
  }
  for (const [alias, entry] of Object.entries(config.registries ?? {})) {
    const path = ['registries', alias];
    if (typeof entry === 'string') checkAddress(subject, entry, path, false);
    else if ('url' in entry) {
      checkAddress(subject, entry.url, [...path, 'url'], false);
      checkAddress(subject, entry.fallbackUrl, [...path, 'fallbackUrl'], false);
    }
  }
}

function checkAuth(subject: Subject, auth: GitAuth | HttpAuth | undefined, path: DataPath): void {
  if (!auth || auth.type === 'ssh') return;
  if (auth.token !== undefined) {
    const advice = 'Put it into an environment variable and name that with `tokenEnvVar`.';
    const field = pathText([...path, 'token']);
    subject.report(literalSecret({ field, advice }, at(subject, [...path, 'token'], 'key')));
  } else if (auth.tokenEnvVar === undefined) {
    subject.report(authIncomplete({ field: pathText(path), type: auth.type }, at(subject, path, 'key')));
  }
}

/** Reports an address without TLS: credentials, and fetched content, could be read and changed. */
function checkTransport(subject: Subject, url: string, path: DataPath): void {
  const address = findInsecureUrl(url);
  const rule = 'insecure-url';
  const severity = subject.config.validation?.rules?.[rule];
  if (address === undefined || severity === 'off') return;
  const where = at(subject, path);
  const fixes = replacingIn(where.span, 'Use https', 'http://', 'https://');
  subject.report(insecureUrl({ url: address }, { ...where, rule, severity, fixes }));
}

/** Reports a secret in an address. In an SSH address, the name before `@` is only a user name. */
function checkAddress(subject: Subject, url: string | undefined, path: DataPath, hasAuth: boolean): void {
  if (url === undefined) return;
  checkTransport(subject, url, path);
  if (!/^(?:https?:\/\/[^/@\s]+@|[a-z+]+:\/\/[^/@\s]*:[^/@\s]+@)/i.test(url)) return;
  const advice = hasAuth
    ? 'Remove it from the address and use `auth` with `tokenEnvVar`.'
    : 'Remove it from the address; Git asks its own credential helper.';
  subject.report(literalSecret({ field: pathText(path), advice }, at(subject, path)));
}

function checkPaths(subject: Subject): void {
  const { config } = subject;
  const check = (value: unknown, path: DataPath): void => {
    if (typeof value !== 'string') return;
    const field = pathText(path);
    if (leavesRoot(value)) subject.report(pathOutsideProject({ field, path: value }, at(subject, path)));
    else {
      const plain = normalizePath(value);
      const problem = plain === '' ? undefined : checkRelativePath(plain);
      if (problem) subject.report(pathUnusable({ field, problem }, at(subject, path)));
    }
  };
  check(config.output?.baseDir, ['output', 'baseDir']);
  check(config.universalDir, ['universalDir']);
  for (const [name, { output }] of Object.entries(config.builds ?? {}))
    check(output, ['builds', name, 'output']);
  for (const { config: options, path } of targetLists(config).flat())
    for (const name of ['output', 'skillBaseDir'] as const) check(options[name], [...path, name]);
  for (const [reference, into] of Object.entries(config.skillTargets ?? {}))
    check(into, ['skillTargets', reference]);
}

function checkDepth({ config, spanOf, report }: Subject): void {
  const value = config.validation?.guardRequiresDepth ?? 1;
  const used = clampDepth(value);
  if (used === value) return;
  const span = spanOf(['validation', 'guardRequiresDepth']);
  const fixes = span && [replacementFix(`Write ${used}`, span, String(used))];
  report(depthClamped({ value, used }, { span, fixes }));
}

/** Reports globs that are refused; they match nothing. */
function checkGlobs(subject: Subject): void {
  const { input, watch, packages, policies = [] } = subject.config;
  const check = (pattern: unknown, path: DataPath, names = false): void => {
    const problem = typeof pattern === 'string' ? globProblem(pattern, { names }) : undefined;
    if (problem) subject.report(globRefused({ field: pathText(path), problem }, at(subject, path)));
  };
  const checkAll = (patterns: readonly string[] | undefined, path: DataPath) =>
    patterns?.forEach((pattern, index) => {
      check(pattern, [...path, index]);
    });
  checkAll(input?.include, ['input', 'include']);
  checkAll(input?.exclude, ['input', 'exclude']);
  checkAll(watch?.include, ['watch', 'include']);
  checkAll(watch?.exclude, ['watch', 'exclude']);
  checkAll(packages, ['packages']);
  for (const [index, policy] of policies.entries()) {
    if ('targetPattern' in policy) check(policy.targetPattern, ['policies', index, 'targetPattern'], true);
    for (const [number, { files }] of (policy.waivers ?? []).entries())
      checkAll(files, ['policies', index, 'waivers', number, 'files']);
  }
}

/** A depth of at least one, rounded down. */
export const clampDepth = (value: number): number => Math.max(1, Math.floor(value));

/** Reports two policies with the same name in one file. */
export function checkPolicyNames(
  policies: readonly unknown[],
  spanOf: YamlFile['spanOf'],
  report: Report,
): void {
  const named = [...policies.entries()].flatMap(([index, policy]) => {
    const name = isObject(policy) ? policy.name : undefined;
    return typeof name === 'string' ? { name, path: ['policies', index, 'name'] } : [];
  });
  for (const [first, ...repeated] of groupBy(named, ({ name }) => name).values()) {
    const span = spanOf(first.path);
    const related = span && [{ message: 'the first one', span }];
    for (const { name, path } of repeated)
      report(duplicatePolicy({ policy: name }, { span: spanOf(path), related }));
  }
}
