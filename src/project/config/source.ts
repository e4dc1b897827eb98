import type { ErrorObject } from 'ajv';
import {
  configFileMissing,
  configNotFound,
  configNotText,
  configTooLarge,
  yamlExpansion,
  yamlSyntax,
} from '../../generated/diagnostics.ts';
import { config as isConfig } from '../../generated/validators/config.ts';
import type { Disk } from '../../host/host.ts';
import { decodeLeniently, firstInvalidByte, textOfFile } from '../../text/bytes.ts';
import { isObject } from '../../text/data.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { once } from '../../text/memo.ts';
import { configNames } from '../../text/places.ts';
import { dirname, join, normalize } from '../../text/posix.ts';
import { maskConfiguration } from '../../text/secrets.ts';
import type { Source, Span } from '../../text/source.ts';
import { readYaml, type YamlFile } from '../../text/yaml.ts';

/** The maximum size of a configuration file in bytes: small enough for checks that are not linear. */
const maxBytes = 256 * 1024;

/**
 * Finds the configuration: `explicit` (relative to `cwd`), else the nearest `instr.yaml` or `instr.yml` in `cwd` or
 * above, up to the root of the repository. Returns `undefined` after a report.
 */
export function findConfig(
  cwd: string,
  explicit: string | undefined,
  disk: Disk,
  report: Report,
): string | undefined {
  const exists = (path: string) => disk.stat(path) !== undefined;
  if (explicit !== undefined) {
    const path = resolveFrom(cwd, explicit);
    if (exists(path)) return path;
    report(configFileMissing({ path: explicit }, { file: explicit }));
    return undefined;
  }
  for (let directory = cwd; ; directory = dirname(directory)) {
    const found = configNames.map(name => join(directory, name)).find(path => exists(path));
    if (found) return found;
    if (exists(join(directory, '.git')) || dirname(directory) === directory) break;
  }
  report(configNotFound());
  return undefined;
}

/** Resolves a path that is written in a file of a folder. */
export function resolveFrom(directory: string, path: string): string {
  const plain = path.replace(/\\/g, '/');
  return normalize(/^(?:\/|[A-Za-z]:\/)/.test(plain) ? plain : join(directory, plain));
}

/**
 * Parses one configuration file without validating it. Returns `undefined` after a report. Secrets are masked in the
 * text that diagnostics show, not in the data.
 */
export function readConfigFile(name: string, bytes: Uint8Array, report: Report): YamlFile | undefined {
  if (bytes.length > maxBytes) {
    report(configTooLarge({ path: name, size: bytes.length, limit: maxBytes }, { file: name }));
    return undefined;
  }
  const text = textOfFile(bytes);
  if (text === undefined) {
    report(configNotText({ path: name }, { span: placeOfNoText(name, bytes) }));
    return undefined;
  }
  const file = readYaml({ name, text });
  const hidden = once(() => maskConfiguration(text));
  const source: Source = {
    name,
    get text() {
      return hidden();
    },
  };
  const masked = <T extends { source: unknown }>(span: T): T => ({ ...span, source });
  for (const problem of file.problems) {
    const make = problem.kind === 'syntax' ? yamlSyntax : yamlExpansion;
    const related = problem.first && [{ message: 'the first one', span: masked(problem.first) }];
    report(make({ problem: problem.title, advice: problem.advice }, { span: masked(problem.span), related }));
  }
  if (file.problems.length > 0) return undefined;
  return {
    ...file,
    source,
    spanOf: (at, part) => {
      const span = file.spanOf(at, part);
      return span && masked(span);
    },
  };
}

/**
 * Reports where the data of a file does not match the schema of a configuration. With `isWhole`, only reports missing
 * fields.
 */
export async function checkForm(file: YamlFile, report: Report, isWhole = false): Promise<void> {
  if (isConfig(file.data)) return;
  const { errors } = isConfig as unknown as { errors: ErrorObject[] };
  const { explainForm } = await import('./explain-form.ts');
  explainForm(errors, file, report, isWhole);
}

/** Merges `near` over `far`: objects are merged recursively, other values are replaced. Returns a new value. */
export function mergeData(far: unknown, near: unknown): unknown {
  if (!isObject(far) || !isObject(near)) return near;
  const result: Record<string, unknown> = Object.assign(Object.create(null), far);
  for (const [key, value] of Object.entries(near))
    result[key] = key in far ? mergeData(far[key], value) : value;
  return result;
}

/** The span of the first NUL or invalid byte, in a text with masked secrets. */
function placeOfNoText(name: string, bytes: Uint8Array): Span {
  const start = bytes.includes(0) ? decodeLeniently(bytes).indexOf('\0') : firstInvalidByte(bytes).at;
  return { source: { name, text: maskConfiguration(decodeLeniently(bytes)) }, start, end: start + 1 };
}
