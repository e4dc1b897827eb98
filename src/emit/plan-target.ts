import type { Row } from '../generated/types/target.ts';
import { strings } from '../model/data.ts';
import type { Collection, Data, Item, Model } from '../model/model.ts';
import type { Helpers, Template } from '../spec/spec.ts';
import type { ContentDraft, DocumentDraft, Draft, ListedItem } from './draft.ts';
import { ItemFields, rowValues } from './fields.ts';
import { yamlRows } from './front-matter.ts';
import { nativeHooks } from './hooks.ts';
import { Omissions, textOf } from './omissions.ts';
import type { Json, KeyEdit, Omission } from './output.ts';
import {
  activeFiles,
  type EntriesFile,
  type ItemFiles,
  type Place,
  type ScriptFiles,
  type SettingsFile,
} from './places.ts';
import type { TargetRequest } from './request.ts';
import { hookScript } from './scripts.ts';
import { fillShape, leavesOf } from './shape.ts';
import { structured } from './structured.ts';

/** What planning a target needs beside the model. */
export interface PlanContext {
  readonly universalDir: string;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** A named body or an inline one of the target. */
  readonly body: (request: TargetRequest, place: string | undefined, name: string) => Template | undefined;
  readonly helpers: Helpers;
  /** The skill that teaches the language itself; goes only where the target has a skills place of its own. */
  readonly languageSkill?: Item;
}

/** Every draft of one target, and what it has no place for. */
export function planTarget(
  model: Model,
  request: TargetRequest,
  context: PlanContext,
): { drafts: Draft[]; omissions: Omission[] } {
  const omissions = new Omissions(request);
  const drafts: Draft[] = [];
  const places = activeFiles(request.spec, request.version, request.options);
  const placesOf = (of: string) => places.filter(({ file }) => 'of' in file && file.of === of);
  const lists = new Map<string, ListedItem[]>();
  const items = { ...model.items };

  items.skills = chosenSkills(items.skills, request, omissions);
  if (
    context.languageSkill &&
    placesOf('skills').length > 0 &&
    mayAdd(context.languageSkill, items.skills, request)
  ) {
    items.skills = [...items.skills, context.languageSkill];
  }
  if (placesOf('guards').length === 0 && request.guardsAsSkills && placesOf('skills').length > 0) {
    const guards = items.guards.filter(guard => strings(guard.fields.get('content')).length > 0);
    const taken = new Set(items.skills.map(({ name }) => name.toLowerCase()));
    const asSkills = guards.map(guard => guardSkill(guard, taken));
    items.skills = [...items.skills, ...asSkills];
    if (request.guardsSkillsListing && guards.length > 0)
      lists.set(
        'guard-skills',
        asSkills.map(item => ({ item })),
      );
    items.guards = [];
  }

  for (const collection of [
    'guards',
    'commands',
    'workflows',
    'skills',
    'agents',
    'hooks',
    'mcpServers',
    'plugins',
    'topics',
  ] as const) {
    const own = placesOf(collection);
    if (own.length > 0) {
      drafts.push(...allPlaces(own, items[collection], collection, request, context, omissions));
      continue;
    }
    if (collection === 'topics' || items[collection].length === 0) continue;
    if (collection === 'skills' || collection === 'agents') {
      const place = { name: collection, file: fallbackFiles(collection) };
      drafts.push(...itemDrafts(place, items[collection], collection, request, context, omissions, true));
      lists.set(
        collection,
        items[collection].map(item => ({ item, path: itemPath(place.file, item, request, context) })),
      );
    } else if (collection === 'guards' || collection === 'commands' || collection === 'workflows') {
      lists.set(
        collection === 'commands' ? 'shortcuts' : collection,
        items[collection].map(item => ({ item })),
      );
      for (const item of items[collection]) sectionOmissions(item, collection, request, omissions);
    } else {
      for (const item of items[collection]) omissions.item(item, collection);
    }
  }

  for (const place of places) {
    if (place.file.kind === 'settings') drafts.push(...settingsDrafts(place as Place<SettingsFile>, request));
  }
  for (const { name, file } of places) {
    if (file.kind !== 'document') continue;
    const prose = new Set(
      file.of === 'local'
        ? model.local.length > 0
          ? ['local']
          : []
        : model.sections.map(section => section.key),
    );
    const own = new Map(file.of === 'local' ? [] : lists);
    for (const { section, with: other, when } of file.sections?.replace ?? []) {
      if (when && !activeOption(when, request)) continue;
      if (prose.delete(section)) {
        own.set(
          other,
          items.topics.map(item => ({
            item,
            path: topicPath(item, placesOf('topics')[0], request, context),
          })),
        );
      }
    }
    for (const { section, of } of file.sections?.index ?? []) {
      const place = placesOf(of)[0];
      const listed = items[of as Collection];
      if (place && listed.length > 0)
        own.set(
          section,
          listed.map(item => ({ item, path: topicPath(item, place, request, context) })),
        );
    }
    if (prose.size === 0 && own.size === 0) continue;
    drafts.push({
      kind: 'document',
      path: documentPath(fill(file.path, request), request),
      request,
      place: name,
      file,
      prose,
      lists: own,
    } satisfies DocumentDraft);
  }
  omitUndocumented(model, places, lists, omissions);
  for (const { path, text, advice } of model.unplaced) omissions.add(path, text, advice);
  return { drafts, omissions: omissions.found };
}

/** A target without a main document (or local file) has no place for prose (or notes). */
function omitUndocumented(
  model: Model,
  places: readonly Place[],
  lists: ReadonlyMap<string, readonly ListedItem[]>,
  omissions: Omissions,
): void {
  const documents = new Set(places.flatMap(({ file }) => (file.kind === 'document' ? [file.of] : [])));
  if (!documents.has('instructions')) {
    for (const section of model.sections)
      omissions.add(section.path, proseText(section.content), omissions.adviceFor('instructions'));
    for (const listed of lists.values()) for (const { item } of listed) omissions.item(item, 'instructions');
  }
  if (!documents.has('local') && model.local.length > 0)
    omissions.add('local', proseText(model.local), omissions.adviceFor('local'));
}

/** All texts of prose, line by line, for an omission. */
function proseText(content: Model['local']): string {
  const lines: string[] = [];
  const visitItems = (
    items: readonly { label?: string; text?: string; items?: readonly never[] }[],
  ): void => {
    for (const item of items) {
      lines.push([item.label, item.text].filter(part => part !== undefined).join(': '));
      if (item.items) visitItems(item.items);
    }
  };
  for (const part of content) {
    if (part.kind === 'list') visitItems(part.items as never);
    else if (part.kind === 'group') lines.push(part.title ?? part.key, proseText(part.content));
    else lines.push(part.text);
  }
  return lines.join('\n');
}

function activeOption(when: { option: string; is?: readonly unknown[] }, request: TargetRequest): boolean {
  const value = request.options.get(when.option);
  return value !== undefined && (when.is === undefined || when.is.includes(value));
}

function chosenSkills(
  skills: readonly Item[],
  request: TargetRequest,
  omissions: Omissions,
): readonly Item[] {
  const wanted = request.includeSkills;
  if (wanted === true) return skills;
  for (const skill of skills) {
    if (!wanted.has(skill.name))
      omissions.item(skill, 'skills', '`includeSkills` of this target leaves it out.');
  }
  return skills.filter(skill => wanted.has(skill.name));
}

function mayAdd(skill: Item, present: readonly Item[], { includeSkills }: TargetRequest): boolean {
  return (
    (includeSkills === true || includeSkills.has(skill.name)) &&
    !present.some(({ name }) => name === skill.name)
  );
}

/**
 * A guard as a skill: the description carries the globs, for tools that cannot match paths themselves. A skill of the
 * same name keeps it.
 */
function guardSkill(guard: Item, taken: ReadonlySet<string>): Item {
  const globs = strings(guard.fields.get('globs')).join(', ');
  const own = strings(guard.fields.get('description')).join(' ');
  const description =
    own === '' ? `Rules for ${globs}` : `${own.replace(/[.\s]+$/, '')}. Applies to: ${globs}`;
  const name = taken.has(guard.name.toLowerCase()) ? `${guard.name}-rules` : guard.name;
  const fields = new Map<string, Data>([...guard.fields, ['name', name], ['description', description]]);
  return { ...guard, name, fields, computed: new Set([...guard.computed, 'globs']) };
}

/** Skills and agents without a place of their own live in the universal directory. */
function fallbackFiles(collection: 'skills' | 'agents'): ItemFiles {
  return collection === 'skills'
    ? {
        kind: 'items',
        of: 'skills',
        dir: '{universal}/skills',
        path: '{name}/SKILL.md',
        frontmatter: 'agent-skills',
      }
    : { kind: 'items', of: 'agents', dir: '{universal}/agents', path: '{name}.md', frontmatter: 'agents' };
}

/** Several places of one collection complete each other: only what none of them writes is an omission. */
function allPlaces(
  places: readonly Place[],
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  context: PlanContext,
  omissions: Omissions,
): Draft[] {
  const sinks = places.map(() => new Omissions(request));
  const drafts = places.flatMap((place, index) =>
    placeDrafts(place, items, collection, request, context, sinks[index]!),
  );
  const [first, ...others] = sinks.map(sink => sink.found);
  const missing = others.map(found => new Set(found.map(({ source }) => source)));
  omissions.found.push(...first!.filter(({ source }) => missing.every(set => set.has(source))));
  return drafts;
}

function placeDrafts(
  place: Place,
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  context: PlanContext,
  omissions: Omissions,
): Draft[] {
  const { file } = place;
  if (file.kind === 'entries')
    return entriesDrafts(place as Place<EntriesFile>, items, collection, request, omissions);
  if (file.kind === 'scripts') return scriptDrafts(place as Place<ScriptFiles>, items, request, omissions);
  if (file.kind !== 'items') return [];
  const native = file.hooks
    ? nativeHooks(items, file.hooks, request, omissions).map(({ item }) => item)
    : items;
  return itemDrafts(place as Place<ItemFiles>, native, collection, request, context, omissions, false);
}

function itemDrafts(
  place: Place<ItemFiles>,
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  context: PlanContext,
  omissions: Omissions,
  fallback: boolean,
): Draft[] {
  return items.flatMap(item => {
    const path = itemPath(place.file, item, request, context);
    const base = path.slice(0, path.lastIndexOf('/') + 1);
    const drafts: Draft[] = [];
    // A skill that already lives where it would be written stays as the user wrote it.
    if (item.origin === path) return drafts;
    drafts.push(contentDraft(place, path, item, collection, request, context, omissions, fallback));
    for (const resource of item.resources) {
      drafts.push({
        kind: 'content',
        path: base + resource.path,
        request,
        place: place.name,
        item,
        body: resource.read,
        format: 'other',
        executable: resource.executable,
      });
    }
    return drafts;
  });
}

function contentDraft(
  place: Place<ItemFiles>,
  path: string,
  item: Item,
  collection: Collection,
  request: TargetRequest,
  context: PlanContext,
  omissions: Omissions,
  fallback: boolean,
): ContentDraft {
  const { file } = place;
  const format = file.format ?? 'markdown';
  const fields = new ItemFields(item, request.options, new Map());
  const rows =
    typeof file.frontmatter === 'string' ? (context.rows[file.frontmatter] ?? []) : (file.frontmatter ?? []);
  const values = rowValues(rows as readonly Row[], fields, request.options);
  const draft = {
    kind: 'content',
    path,
    request,
    place: fallback ? undefined : place.name,
    item,
    executable: false,
  } as const;
  if (format !== 'markdown') {
    const body = structured(
      format,
      values,
      file.entry === undefined ? undefined : fillShape(file.entry, fields),
    );
    omissions.fields(fields, collection, derived(fields), false);
    return { ...draft, body, format };
  }
  const keys = new Set(values.map(value => value.key));
  if (file.extra === 'pass') {
    for (const [key, value] of item.extra ?? []) if (!keys.has(key)) values.push({ key, value, bare: false });
  }
  const name = file.body ?? (collection === 'skills' ? 'skill' : 'content');
  const template = context.body(request, fallback ? undefined : place.name, name);
  const shown = template ? template.uses : [name];
  const view = item.prose
    ? { ...viewOf(item, fields.used), content: context.helpers.prose(item.prose) }
    : viewOf(item, fields.used);
  const text = template
    ? template.render(view, context.helpers)
    : textOf((view[name] as Data | undefined) ?? '');
  omissions.fields(fields, collection, [...shown, ...derived(fields)], file.extra === 'pass');
  return { ...draft, rows: yamlRows(values), body: bodyText(text), format: 'markdown' };
}

/** Bodies end with one line end and do not begin with blank lines; what is inside stays as written. */
const bodyText = (text: string): string => {
  const trimmed = text.replace(/^(?:[ \t]*\n)+|\s+$/g, '');
  return trimmed === '' ? '' : `${trimmed}\n`;
};

/** Source fields that count as written when a field computed from them was. */
function derived(fields: ItemFields): string[] {
  return fields.used.has('timeout') ? ['timeoutMs'] : [];
}

/** What a body may show: a field that stands in the front matter is not said again. */
function viewOf(item: Item, written: ReadonlySet<string>): Record<string, unknown> {
  const always = new Set(['name', 'title', 'content', 'description']);
  return Object.fromEntries([...item.fields].filter(([key]) => always.has(key) || !written.has(key)));
}

/** Places in a section: the fields that the section's template shows. */
const shownInSection: ReadonlySet<string> = new Set(['description', 'content', 'globs']);

function sectionOmissions(
  item: Item,
  collection: Collection,
  request: TargetRequest,
  omissions: Omissions,
): void {
  for (const [field, value] of item.fields) {
    if (item.computed.has(field) || shownInSection.has(field)) continue;
    omissions.add(
      `${item.path}.${field}`,
      textOf(value),
      `The section in the main file of ${request.spec.id} shows name, description and content only.`,
    );
  }
  for (const resource of item.resources)
    omissions.add(`${item.path}/${resource.path}`, resource.path, omissions.adviceFor(collection));
}

function entriesDrafts(
  place: Place<EntriesFile>,
  items: readonly Item[],
  collection: Collection,
  request: TargetRequest,
  omissions: Omissions,
): Draft[] {
  const { file } = place;
  const at = file.at ?? [];
  const natives = file.hooks
    ? nativeHooks(items, file.hooks, request, omissions)
    : items.map(item => ({ item, event: '' }));
  const edits: KeyEdit[] = [];
  for (const { item, event } of natives) {
    const fields = new ItemFields(item, request.options, new Map());
    const shape = file.by === undefined ? file.entry : variantOf(file, fields);
    const value = shape === undefined ? undefined : fillShape(shape, fields);
    if (value === undefined) {
      omissions.item(item, collection);
      continue;
    }
    edits.push(edit(file, at, item.name, event, value as Json));
    omissions.fields(fields, collection, derived(fields), false);
  }
  if (edits.length === 0) return [];
  const root: KeyEdit[] = Object.entries(file.root ?? {}).map(([key, value]) => ({
    kind: 'set',
    path: [key],
    value: value as Json,
  }));
  return [
    {
      kind: 'entries',
      path: documentPath(fill(file.path, request), request, true),
      request,
      place: place.name,
      format: file.format,
      edits: [...root, ...edits],
      private: false,
    },
  ];
}

function variantOf(file: EntriesFile, fields: ItemFields): unknown {
  const value = fields.get(file.by!);
  const key = value === undefined ? '' : String(value);
  return file.variants && Object.hasOwn(file.variants, key) ? file.variants[key] : undefined;
}

function edit(file: EntriesFile, at: readonly string[], name: string, event: string, value: Json): KeyEdit {
  switch (file.collect) {
    case 'map':
      return { kind: 'set', path: [...at, name], value };
    case 'list':
      return { kind: 'element', path: at, value };
    case 'events':
      return { kind: 'element', path: [...at, event], value };
    case 'groups':
      return { kind: 'set', path: [...at, name, event], value: [value] };
  }
}

function settingsDrafts(place: Place<SettingsFile>, request: TargetRequest): Draft[] {
  const { file } = place;
  const source = {
    get: () => undefined,
    option: (name: string) => request.options.get(name),
    refuse: () => {},
  };
  const filled = fillShape(file.entry, source);
  if (filled === undefined) return [];
  const edits: KeyEdit[] = leavesOf(filled, file.at ?? []).flatMap(({ path, value }): KeyEdit[] =>
    Array.isArray(value)
      ? value.map(element => ({ kind: 'element' as const, path, value: element as Json }))
      : [{ kind: 'set' as const, path, value: value as Json }],
  );
  return [
    {
      kind: 'entries',
      path: documentPath(fill(file.path, request), request, true),
      request,
      place: place.name,
      format: file.format,
      edits,
      private: file.private ?? false,
    },
  ];
}

function scriptDrafts(
  place: Place<ScriptFiles>,
  items: readonly Item[],
  request: TargetRequest,
  omissions: Omissions,
): Draft[] {
  const { file } = place;
  const byEvent = new Map<string, Item[]>();
  for (const { event, item } of nativeHooks(items, file.hooks, request, omissions)) {
    byEvent.set(event, [...(byEvent.get(event) ?? []), item]);
    for (const field of ['matcher', 'statusMessage', 'timeoutMs', 'continueOnFailure', 'description']) {
      const value = item.fields.get(field);
      if (value !== undefined && !item.computed.has(field))
        omissions.add(`${item.path}.${field}`, textOf(value), omissions.adviceFor('hooks', field));
    }
  }
  return [...byEvent].map(([event, hooks]) => ({
    kind: 'content',
    path: documentPath(fill(file.path, request).replaceAll('{event}', event), request, true),
    request,
    place: place.name,
    body: hookScript(hooks.map(hook => String(hook.fields.get('shell')))),
    format: 'script',
    executable: true,
  }));
}

function itemPath(file: ItemFiles, item: Item, request: TargetRequest, context: PlanContext): string {
  const dir = file.of === 'skills' && request.skillBaseDir !== undefined ? request.skillBaseDir : file.dir;
  const base =
    dir === undefined ? '' : `${fill(dir, request).replaceAll('{universal}', context.universalDir)}/`;
  const into = item.into === undefined ? '' : `${item.into.replace(/^\.?\/+|\/+$/g, '')}/`;
  const event = String(item.fields.get('nativeEvent') ?? '');
  return documentPath(
    base + into + fill(file.path, request).replaceAll('{name}', item.name).replaceAll('{event}', event),
    request,
    true,
  );
}

function topicPath(
  item: Item,
  place: Place | undefined,
  request: TargetRequest,
  context: PlanContext,
): string {
  return place?.file.kind === 'items' ? itemPath(place.file, item, request, context) : '';
}

/** Names of options in a path stand for their values. */
function fill(path: string, request: TargetRequest): string {
  return path.replace(/\{([a-zA-Z]+)\}/g, (whole, name: string) => {
    const value = request.options.get(name);
    return typeof value === 'string' ? value : whole;
  });
}

/** `output` of the target: a file name replaces the main document, a directory takes everything. */
function documentPath(path: string, { output }: TargetRequest, item = false): string {
  if (output === undefined) return path;
  const isFile = /\.[A-Za-z0-9]+$/.test(output) && !output.endsWith('/');
  if (isFile) return item ? path : output.replace(/^\.\//, '');
  return `${output.replace(/^\.\//, '').replace(/\/+$/, '')}/${path}`;
}
