import { blockOf } from '../model/collections.ts';
import { isBlank, strings } from '../model/data.ts';
import { type Data, type Item, isComputed, type ListItem, type Prose } from '../model/model.ts';
import { findBlock } from '../resolve/catalogue.ts';
import { adviceOf } from '../spec/vocabulary.ts';
import { isObject } from '../text/data.ts';
import { plainText } from '../text/traced.ts';
import { readableJson, readableText } from '../text/variables.ts';
import type { ItemFields } from './native/shapes.ts';
import type { Omission, UnwrittenReference } from './output.ts';
import { versionsWith } from './places.ts';
import type { TargetRequest } from './request.ts';

/** Collects content that a target has no place for. */
export class Omissions {
  readonly found: Omission[] = [];
  /** Items without any place, with the advice; items that the user excluded are not among them. */
  readonly leftOut = new Map<string, string>();
  /** Paths of permissions that are left out because the tool would allow more. */
  readonly tooWide = new Set<string>();
  /** References to variables that the tool has no form for. */
  readonly unwritten: UnwrittenReference[] = [];
  private readonly seen = new Set<string>();

  constructor(private readonly request: TargetRequest) {}

  get title(): string {
    return this.request.spec.title;
  }

  add(source: string, text: string, advice: string): void {
    const { spec, version } = this.request;
    // An item that is written to several places may lack the same field in each.
    const what = `${source}\0${text}\0${advice}`;
    if (text.trim() === '' || this.seen.has(what)) return;
    this.seen.add(what);
    this.found.push({ target: spec.id, version, source, text: readableText(text), advice });
  }

  item(item: Item, collection: string, advice?: string, wanted = false): void {
    const why = advice ?? this.adviceFor(collection);
    if (!wanted) this.leftOut.set(item.path, why);
    for (const [source, text] of textsIn(item)) this.add(source, text, why);
  }

  /** Records an item that the owner of the project excludes: one omission with all its texts. */
  excludedItem(item: Item, why: string): void {
    const texts = textsIn(item).filter(([, text]) => text.trim() !== '');
    const lines = texts.map(([source, text]) => `${source.slice(item.path.length + 1)}: ${text}`);
    this.add(item.path, lines.join('\n'), why);
  }

  /** Records the fields of an item that neither front matter nor body contains, and refused values. */
  fields({ item, refused }: ItemFields, collection: string, unwritten: readonly UnwrittenField[]): void {
    for (const [field, value] of unwritten)
      this.add(`${item.path}.${field}`, omissionText(value), this.adviceFor(collection, field, value));
    for (const [field, value] of refused)
      this.add(`${item.path}.${field}`, value, this.refusal(collection, field));
  }

  private refusal(collection: string, field: string): string {
    const { spec } = this.request;
    return (
      adviceOf(spec, `${collection}.${field}`) ??
      `${spec.title} does not know this value; its own default applies.`
    );
  }

  /** Why something is omitted, and what to do. Advice for a collection is not for parts of items. */
  adviceFor(collection: string, field?: string, value?: Data): string {
    const { spec, version } = this.request;
    const own = adviceOf(spec, field === undefined ? collection : `${collection}.${field}`);
    if (own !== undefined) return own;
    const writing = versionsWith(spec, collection, field).filter(name => name !== version);
    if (writing.length > 0) return `Version ${writing.join(' or ')} of ${spec.id} writes it.`;
    if (field === undefined) return `${spec.title} has no place for it in a project.`;
    // A text can be moved elsewhere; a switch, or a field that only a program reads, cannot.
    const isSaid = typeof value !== 'boolean' && typeof value !== 'number' && isRead(collection);
    return isSaid
      ? `${spec.title} has no field for it. Put it into the content if the tool must know it.`
      : `${spec.title} has no field for it; ${isRead(collection) ? 'its own default applies' : 'the entry is written without it'}.`;
  }

  /** Why an item has no form in a file that distinguishes items by a field. */
  adviceForForm(collection: string, by: string, value: string, forms: readonly string[]): string {
    const { spec } = this.request;
    return (
      adviceOf(spec, `${collection}.${by}`) ??
      `${spec.title} has no form for the ${by} ${value}; it has ${forms.join(', ')}.`
    );
  }
}

export type UnwrittenField = readonly [name: string, value: Data];

/** The fields that neither front matter nor body contains; fields in `alsoUsed` count as written. */
export function unwrittenFields(
  fields: ItemFields,
  alsoUsed: readonly string[] = [],
  passesExtra = false,
): readonly UnwrittenField[] {
  const { item } = fields;
  const declared = [...item.fields].filter(
    ([name]) => !fields.isCovered(name) && !alsoUsed.includes(name) && !isComputed(item, name),
  );
  const extra = passesExtra ? [] : [...(item.extra ?? [])].filter(([name]) => !fields.isUsed(name));
  return [...declared, ...extra];
}

function textsIn(item: Item): (readonly [string, string])[] {
  const written = [...item.fields].filter(([field]) => !isComputed(item, field) || field === 'argv');
  const native = [...(item.native ?? [])].filter(([, value]) => value !== null);
  const all = [...written, ...(item.extra ?? []), ...native];
  return [
    ...all.map(([field, value]) => {
      // The text of a list item is the whole item.
      const isAll = field === 'text' && item.computed.has('list');
      return [isAll ? item.path : `${item.path}.${field}`, omissionText(value)] as const;
    }),
    ...item.resources.map(({ path }) => [`${item.path}/${path}`, path] as const),
  ];
}

const isRead = (collection: string): boolean =>
  findBlock(blockOf(collection))?.entry?.fields?.some(({ name }) => name === 'content') ?? false;

/** A value as text for an omission: strings unchanged, other values as JSON; empty for empty values. */
export function omissionText(value: Data): string {
  if (isBlank(value)) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every(item => typeof item !== 'object')) return strings(value).join(', ');
  return isObject(value) || Array.isArray(value) ? readableJson(value) : String(value);
}

export function proseText(content: readonly Prose[]): string {
  const lines: string[] = [];
  const visit = (items: readonly ListItem[]): void => {
    for (const { label, text, items: nested } of items) {
      lines.push([label, text].flatMap(part => (part === undefined ? [] : [plainText(part)])).join(': '));
      if (nested) visit(nested);
    }
  };
  for (const part of content) {
    if (part.kind === 'list') visit(part.items);
    else if (part.kind === 'group') lines.push(plainText(part.title ?? part.key), proseText(part.content));
    else lines.push(plainText(part.text));
  }
  return lines.join('\n');
}
