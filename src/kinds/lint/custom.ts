import type { ErrorObject } from 'ajv';
import { specProblem, specTemplateBroken, specUnreadable } from '../../generated/diagnostics.ts';
import { sharedParts } from '../../generated/shared-parts.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { target as validateTarget } from '../../generated/validators/target.ts';
import { expandSpec } from '../../spec/expand.ts';
import { asDataObject } from '../../spec/shared-parts.ts';
import type { LoadedSpec } from '../../spec/spec.ts';
import type { Template } from '../../spec/template.ts';
import { templateProblem } from '../../spec/template-compile.ts';
import { compileTemplate } from '../../spec/templates.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { watchErrors } from '../../text/diagnostics/report.ts';
import { reportSchemaErrors } from '../../text/diagnostics/schema-errors.ts';
import type { Source } from '../../text/source.ts';
import { readYaml } from '../../text/yaml.ts';
import { inlineTemplates } from '../places.ts';
import { kindNames } from '../table.ts';
import { lintSpec, lintTemplate, problemReporter } from './lint.ts';

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
  const templates = new Map<string, Template>();
  for (const { place, path, text } of inlineTemplates(spec)) {
    try {
      const template = await compileTemplate(text, `spec:${spec.id}:${place}`);
      templates.set(place, template);
      lintTemplate({ spec, fault: problemReporter(spec, yaml.spanOf, watched) }, place, path, template);
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
