import type { ErrorObject } from 'ajv';
import { specProblem, specTemplateBroken, specUnreadable } from '../../generated/diagnostics.ts';
import { sharedParts } from '../../generated/shared-parts.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { target as validateTarget } from '../../generated/validators/target.ts';
import { expandSpec } from '../../spec/expand.ts';
import { factsOf } from '../../spec/expand-entry.ts';
import { asDataObject, type ReportProblem } from '../../spec/shared-parts.ts';
import { type LoadedSpec, partOf } from '../../spec/spec.ts';
import type { Template } from '../../spec/template.ts';
import { templateProblem } from '../../spec/template-compile.ts';
import { compileTemplate } from '../../spec/templates.ts';
import { fieldsOf } from '../../spec/vocabulary.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { reportSchemaErrors } from '../../text/diagnostics/schema-errors.ts';
import type { Source, Span } from '../../text/source.ts';
import { type DataPath, readYaml } from '../../text/yaml.ts';
import { type Lint, lintField, lintFile, lintName, lintVersion, lintWhen } from '../lint.ts';
import { inlineTemplates } from '../places.ts';
import { kindNames } from '../table.ts';

type SpanOf = (path: DataPath, part?: 'key' | 'value') => Span | undefined;

/** The span of the nearest ancestor of a path that is written in the spec, because a stanza can add paths. */
function nearestSpan(path: DataPath, spanOf: SpanOf): Span | undefined {
  if (path.length === 0) return undefined;
  const outer = path.slice(0, -1);
  return spanOf(outer, 'key') ?? nearestSpan(outer, spanOf);
}

/** The path in YAML of a fact that the expanded spec has in a field of its own. */
function siblingKey(path: DataPath): DataPath {
  const at = path[0] === 'user' ? 3 : 2;
  return Object.hasOwn(factsOf, String(path[at])) ? path.filter((_, index) => index !== at) : path;
}

/** Returns a function that reports a problem at a path of a spec, or at the nearest ancestor with a span. */
export const problemReporter =
  ({ id: target }: Pick<TargetSpec, 'id'>, spanOf: SpanOf, report: Report): ReportProblem =>
  (path, problem, hint, part) => {
    const span = spanOf(path, part) ?? spanOf(siblingKey(path), part) ?? nearestSpan(path, spanOf);
    report(specProblem({ target, problem }, { span, target, hint }));
  };

/**
 * Checks what the schema cannot express: names must exist, fields must be in the model, paths must not
 * collide. `fileName` is the name of the file without `.yaml`. `spanOf` gives spans.
 */
export function lintSpec(spec: TargetSpec, fileName: string, spanOf: SpanOf, report: Report): void {
  const lint: Lint = { spec, fault: problemReporter(spec, spanOf, report) };
  const problem = `the id is "${spec.id}" but the file is ${fileName}.yaml`;
  if (spec.id !== fileName) lint.fault(['id'], problem, 'Give the file the name of the id.');
  lintVersion(lint, ['defaultVersion'], spec.defaultVersion);
  for (const [name, file] of Object.entries(spec.files)) lintFile(lint, file, ['files', name]);
  for (const [index, { option, file, field }] of (spec.limits ?? []).entries()) {
    const at: DataPath = ['limits', index];
    lintWhen(lint, at, option === undefined ? undefined : { option });
    lintEntryName(lint, [...at, 'file'], file);
    if (field === undefined || !Object.hasOwn(spec.files, file)) continue;
    const part = partOf(spec.files[file]!);
    lintField(lint, [...at, 'field'], field, part === undefined ? [] : fieldsOf(part));
  }
  for (const [index, { as }] of (spec.legacy ?? []).entries())
    if (as !== undefined) lintEntryName(lint, ['legacy', index, 'as'], as);
  lintUser(lint);
}

const lintEntryName = (lint: Lint, at: DataPath, name: string): void =>
  lintName(lint, at, 'entry of `files`', name, Object.keys(lint.spec.files));

/** Checks that places of a user refer to existing entries and lie below the home folder. */
function lintUser(lint: Lint): void {
  const { spec, fault } = lint;
  for (const [name, place] of Object.entries(spec.user?.files ?? {})) {
    const at: DataPath = ['user', 'files', name];
    const path = typeof place === 'string' ? place : 'dir' in place && place.dir ? place.dir : place.path;
    if (typeof place === 'string') lintEntryName(lint, at, name);
    if (/^[~/]|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(path))
      fault(at, `"${path}" does not lie below the home folder`, 'Write the path behind `~/`.');
    if (typeof place !== 'string') lintFile(lint, place, at);
  }
}

/**
 * Reads a spec from YAML and checks it completely: schema, names, fields, templates. Returns `undefined`
 * after reporting problems. Built-in specs are checked in the same way by the build.
 */
export async function readSpec(
  source: Source,
  fileName: string,
  report: Report,
): Promise<LoadedSpec | undefined> {
  const yaml = readYaml(source);
  for (const problem of yaml.problems) {
    report(specUnreadable({ problem: problem.title }, { span: problem.span, hint: problem.advice }));
  }
  if (yaml.data === undefined) return undefined;
  const { report: watched, failed } = watchErrors(report);
  const id = asDataObject(yaml.data)?.id;
  const fault = problemReporter({ id: typeof id === 'string' ? id : fileName }, yaml.spanOf, watched);
  const data = expandSpec(yaml.data, sharedParts, fault, fileName);
  if (failed()) return undefined;
  if (!validateTarget(data)) {
    const { errors } = validateTarget as unknown as { errors: ErrorObject[] | null };
    reportSchemaErrors(errors ?? [], { ...yaml, data }, report, { tags: { kind: kindNames } });
    return undefined;
  }
  const spec = data as TargetSpec;
  lintSpec(spec, fileName, yaml.spanOf, watched);
  const lint: Lint = { spec, fault: problemReporter(spec, yaml.spanOf, watched) };
  const templates = new Map<string, Template>();
  for (const { place, of, path, text } of inlineTemplates(spec)) {
    try {
      const template = await compileTemplate(text, `spec:${spec.id}:${place}`);
      templates.set(place, template);
      // Handlebars would print nothing for a field that the items do not have.
      for (const name of template.uses) lintName(lint, path, 'field', name, fieldsOf(of) ?? []);
    } catch (error) {
      const problem = templateProblem(error);
      watched(specTemplateBroken({ target: spec.id, problem }, { span: yaml.spanOf(path) }));
    }
  }
  return failed() ? undefined : { spec, templates, file: source.name };
}

/** All specs of a project by id. Ids are unique, because the id is the file name. */
export async function readCustomSpecs(
  sources: readonly Source[],
  report: Report,
): Promise<Map<string, LoadedSpec>> {
  const specs = new Map<string, LoadedSpec>();
  for (const source of sources) {
    const fileName = source.name.replace(/^.*\//, '').replace(/\.ya?ml$/, '');
    const loaded = await readSpec(source, fileName, report);
    if (!loaded) continue;
    if (specs.has(loaded.spec.id))
      report(specProblem({ target: loaded.spec.id, problem: 'two files define it' }, { file: source.name }));
    specs.set(loaded.spec.id, loaded);
  }
  return specs;
}
