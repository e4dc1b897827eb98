import { templates } from '../generated/templates.ts';
import { type Compiled, type Helpers, loadTemplate, renderTemplate, type Template } from './template.ts';

const cache = new Map<string, Template>();

/** A template that was precompiled by the build: `section:…`, `body:…`, `convention:…`, `spec:…`. */
export function builtinTemplate(key: string): Template | undefined {
  const known = cache.get(key);
  if (known || !Object.hasOwn(templates, key)) return known;
  const template = loadTemplate(key, templates[key]!);
  cache.set(key, template);
  return template;
}

/**
 * Compiles a template of a user's configuration or spec. Throws when it is invalid; `templateProblem`
 * explains the error.
 */
export async function compileTemplate(text: string, name: string): Promise<Template> {
  const [{ default: handlebars }, { compileOptions, readTemplate }] = await Promise.all([
    import('handlebars'),
    import('./template-compile.ts'),
  ]);
  const { uses, sections } = readTemplate(text, handlebars);
  const template = {
    name,
    uses,
    sections: sections.map(({ code, ...section }) => ({
      ...section,
      code: handlebars.compile(code, compileOptions) as Compiled,
    })),
  };
  // Handlebars compiles on the first call; this call makes compile errors appear here.
  renderTemplate(template, {}, nothing);
  return template;
}

const nothing: Helpers = { part: () => '', bullet: () => '', fields: () => '', prose: () => '' };
