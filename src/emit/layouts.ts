import type { Template } from '../spec/spec.ts';
import { builtinTemplate } from '../spec/templates.ts';
import { createLayouter, type Layouter } from './convention.ts';
import type { DocumentContext } from './document.ts';
import type { DocumentDraft } from './draft.ts';
import type { TargetRequest } from './request.ts';
import type { EmitSettings } from './settings.ts';

/** What rendering a document for this draft needs. */
export function documentContext(
  draft: DocumentDraft,
  settings: EmitSettings,
  layouter: (name: string) => Layouter,
): DocumentContext {
  return {
    catalogue: settings.conventions.catalogue,
    layouter: layouter(draft.request.convention),
    template: name => builtinTemplate(`section:${name}`),
    override: ({ request, place }, section) => inline(request, `section:${place}:${section}`),
    header: settings.header,
  };
}

/** A template written inside the spec of the target. */
function inline(request: TargetRequest, key: string): Template | undefined {
  return request.loaded.templates.get(key) ?? builtinTemplate(`spec:${request.spec.id}:${key}`);
}

/** The template of a body: one of `conventions/bodies/`, or one written inside the spec. */
export function bodyTemplate(
  request: TargetRequest,
  place: string | undefined,
  name: string,
): Template | undefined {
  if (name.includes('{{')) return place === undefined ? undefined : inline(request, `body:${place}`);
  return builtinTemplate(`body:${name}`);
}

/** The layouter of a convention that exists: of the configuration, else a built-in one. */
export function makeLayouter(name: string, settings: EmitSettings): Layouter {
  const custom = settings.customConventions.get(name);
  if (custom) return createLayouter(custom.convention, custom.templates);
  const convention = settings.conventions.conventions[name]!;
  const part = (of: 'section' | 'subsection') => {
    const own = convention[of] ? of : 'section';
    const end = builtinTemplate(`convention:${name}:${own}:end`);
    return { start: builtinTemplate(`convention:${name}:${own}:start`)!, ...(end && { end }) };
  };
  return createLayouter(convention, { section: part('section'), subsection: part('subsection') });
}
