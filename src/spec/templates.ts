import { templates as builtin } from '../generated/templates.ts';
import type { Template } from './spec.ts';
import { renderTemplate, type TemplatePart, usesOf } from './template.ts';

const cache = new Map<string, Template>();

/** A template that was read when the program was built: `section:…`, `body:…`, `convention:…`, `spec:…`. */
export function builtinTemplate(key: string): Template | undefined {
  const known = cache.get(key);
  if (known) return known;
  const text = Object.hasOwn(builtin, key) ? builtin[key] : undefined;
  if (text === undefined) return undefined;
  const template = makeTemplate(JSON.parse(text) as readonly TemplatePart[], key);
  cache.set(key, template);
  return template;
}

function makeTemplate(parts: readonly TemplatePart[], name: string): Template {
  const uses = usesOf(parts);
  return { name, parts, uses, render: (view, helpers) => renderTemplate(parts, view, helpers, name) };
}

/** Reads a template of the user's configuration or specs; throws when it is malformed (`templateProblem`). */
export async function compileTemplate(text: string, name: string): Promise<Template> {
  const [{ default: handlebars }, { readTemplate }] = await Promise.all([
    import('handlebars'),
    import('./template-syntax.ts'),
  ]);
  return makeTemplate(readTemplate(handlebars.parse(text)), name);
}
