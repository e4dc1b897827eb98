import type { SectionCatalogue } from '../../generated/types/sections.ts';
import type { Template } from '../../spec/template.ts';
import { builtinTemplate } from '../../spec/templates.ts';
import { traced } from '../../text/traced.ts';
import type { DocumentDraft } from '../draft.ts';
import type { EmitSettings } from '../emit-settings.ts';
import type { TargetRequest } from '../request.ts';
import { createLayouter, type Layouter, type Literal } from './convention.ts';

/** What a main document is rendered with. */
export interface DocumentContext {
  readonly catalogue: SectionCatalogue;
  /** Keys of sections in the order that the project wants for them. */
  readonly sectionOrder: readonly string[];
  readonly layouter: Layouter;
  /** Template of a section's item list, or one that a spec puts in the place of a section's prose. */
  readonly template: (name: string) => Template | undefined;
  readonly override: (draft: DocumentDraft, section: string) => Template | undefined;
  readonly header: string | undefined;
  /** The title of the configuration. */
  readonly heading: string | undefined;
  readonly literal: Literal;
}

/** What rendering a document for this draft needs. */
export function documentContext(
  draft: DocumentDraft,
  settings: EmitSettings,
  layouter: (name: string) => Layouter,
): DocumentContext {
  return {
    catalogue: settings.conventions.catalogue,
    sectionOrder: settings.sectionOrder ?? [],
    layouter: layouter(draft.request.convention),
    template: name => builtinTemplate(`section:${name}`),
    override: ({ request, place }, section) => inline(request, `section:${place}:${section}`),
    header: settings.header,
    heading: settings.heading,
    literal: literalFor(settings),
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

/**
 * The layouter of a convention: of the configuration, else a built-in one. One whose templates are broken was reported
 * and left out; what is planned with the usual one in its place is never written.
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

/** What gives words that no source wrote their origin; absent in a compile, where nobody asks. */
export const literalFor = ({ trace }: Pick<EmitSettings, 'trace'>): Literal =>
  trace ? (words, by) => traced(words, { kind: 'layout', by: fileOfTemplate(by) }) : undefined;

/** The place of a spec that words stand in. */
export const specPlace = ({ loaded, spec }: TargetRequest, place: string): string =>
  `${loaded.file ?? `targets/${spec.id}.yaml`}: ${place}`;

/** The file that a built-in template was read from; other places are called by their names. */
function fileOfTemplate(name: string): string {
  const [kind, first, ...rest] = name.split(':') as [string, ...string[]];
  if (kind === 'section') return `conventions/sections/${first}.hbs`;
  if (kind === 'body') return `conventions/bodies/${first}.hbs`;
  if (kind === 'convention') return `conventions/${first}.yaml: ${rest.join('.')}`;
  if (kind === 'spec') return `targets/${first}.yaml: ${rest.join('.')}`;
  return name;
}
