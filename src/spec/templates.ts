import { templates } from '../generated/templates.ts';
import { memoize } from '../text/memo.ts';
import { type Helpers, loadTemplate, renderTemplate, type Template } from './template.ts';

/** A template that was precompiled by the build: `section:…`, `body:…`, `convention:…`, `spec:…`. */
export const builtinTemplate = memoize((key: string): Template | undefined =>
  Object.hasOwn(templates, key) ? loadTemplate(key, templates[key]!) : undefined,
);

/**
 * Compiles a template of a user's configuration or spec. Throws when it is invalid; `templateProblem`
 * explains the error.
 */
export async function compileTemplate(text: string, name: string): Promise<Template> {
  const [{ default: handlebars }, { compileOptions, readTemplate }] = await Promise.all([
    import('handlebars'),
    import('./template-compile.ts'),
  ]);
  const { uses, parsed } = readTemplate(text, handlebars);
  const template: Template = { name, uses, code: handlebars.compile(parsed, compileOptions) };
  // Handlebars compiles on the first call; this call makes compile errors appear here.
  renderTemplate(template, {}, nothing);
  return template;
}

const nothing: Helpers = { part: () => '', bullet: () => '', fields: () => '', prose: () => '' };
