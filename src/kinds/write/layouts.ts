import type { Template } from '../../spec/template.ts';
import { builtinTemplate } from '../../spec/templates.ts';
import { traced } from '../../text/traced.ts';
import type { EmitSettings, TargetRequest } from '../request.ts';
import { createLayouter, type Layouter, type Literal } from './convention.ts';

/** A template inside the spec of a target. */
export function inlineTemplate(request: TargetRequest, key: string): Template | undefined {
  return request.loaded.templates.get(key) ?? builtinTemplate(`spec:${request.spec.id}:${key}`);
}

/** The template of a body: one of `conventions/bodies/`, or one inside the spec. */
export function bodyTemplate(
  request: TargetRequest,
  place: string | undefined,
  name: string,
): Template | undefined {
  if (name.includes('{{')) return place === undefined ? undefined : inlineTemplate(request, `body:${place}`);
  return builtinTemplate(`body:${name}`);
}

/**
 * The layouter of a convention: from the configuration, else a built-in one. A convention with invalid
 * templates was reported and left out; the default that replaces it here is never written.
 */
export function makeLayouter(name: string, settings: EmitSettings): Layouter {
  const custom = settings.customConventions.get(name);
  const literal = literalFor(settings);
  if (custom) return createLayouter(custom.convention, custom.templates, literal);
  const { conventions } = settings.conventions;
  const known = Object.hasOwn(conventions, name) ? name : 'markdown';
  const convention = conventions[known]!;
  const part = (of: 'section' | 'subsection') => {
    const own = convention[of] ? of : 'section';
    const end = builtinTemplate(`convention:${known}:${own}:end`);
    return { start: builtinTemplate(`convention:${known}:${own}:start`)!, ...(end && { end }) };
  };
  return createLayouter(convention, { section: part('section'), subsection: part('subsection') }, literal);
}

/** Gives text that comes from no source its origin; absent in a compile without tracing. */
export const literalFor = ({ trace }: Pick<EmitSettings, 'trace'>): Literal =>
  trace ? (words, by) => traced(words, { kind: 'layout', by: fileOfTemplate(by) }) : undefined;

/** The place in a spec that literal text comes from. */
export const specPlace = ({ loaded, spec }: TargetRequest, place: string): string =>
  `${loaded.file ?? `targets/${spec.id}.yaml`}: ${place}`;

/** The file of a built-in template; other templates are identified by their names. */
function fileOfTemplate(name: string): string {
  const [kind, first, ...rest] = name.split(':') as [string, ...string[]];
  if (kind === 'section') return `conventions/sections/${first}.hbs`;
  if (kind === 'body') return `conventions/bodies/${first}.hbs`;
  if (kind === 'convention') return `conventions/${first}.yaml: ${rest.join('.')}`;
  if (kind === 'spec') return `targets/${first}.yaml: ${rest.join('.')}`;
  return name;
}
