import { isBlank } from '../../model/data.ts';
import type { Data, Fields, Item, Model, ValueSource } from '../../model/model.ts';
import { originsOf } from '../../model/origin.ts';

/** Maps computed fields to the source field that counts as written together with them. */
const sources: ReadonlyMap<string, string> = new Map([
  ['timeout', 'timeoutMs'],
  ['shell', 'line'],
  ['wrapped', 'line'],
  ['reference', 'marketplace'],
  ['shown', 'title'],
  ['about', 'description'],
]);

/** An item without fields, for what is filled from options only. */
export const noItem: Item = {
  name: '',
  path: '',
  fields: new Map(),
  computed: new Set(),
  resources: [],
};

/** The fields of an item and the options of a target, with a record of which fields were read. */
export class ItemFields {
  /** Values of fields that the tool does not accept. */
  readonly refused = new Map<string, string>();
  private readonly used = new Set<string>();
  private readonly covered = new Set<string>();

  constructor(
    readonly item: Item,
    private readonly options: Fields,
    /** Converts references to variables in values to the form of the file. */
    private readonly written: (field: string, value: Data) => Data = (_, value) => value,
    private readonly program?: Pick<Model, 'meta' | 'metaOrigins'>,
  ) {}

  /** The value of a field, `undefined` when absent; marks the field as written. */
  get(name: string): Data | undefined {
    this.used.add(name);
    this.covered.add(sources.get(name) ?? name);
    if (name.startsWith('meta.')) return this.program?.meta.get(name.slice('meta.'.length));
    const value = this.item.fields.get(name);
    return isBlank(value) ? undefined : this.written(name, value!);
  }

  isUsed(name: string): boolean {
    return this.used.has(name);
  }

  /** Whether a field, or a field computed from it, was read. */
  isCovered(name: string): boolean {
    return this.used.has(name) || this.covered.has(name);
  }

  /** What a field was made from, when texts are traced. */
  origins(name: string): readonly ValueSource[] {
    return name.startsWith('meta.')
      ? (this.program?.metaOrigins?.get(name.slice('meta.'.length)) ?? [])
      : originsOf(this.item, name);
  }

  option(name: string): Data | undefined {
    return this.options.get(name);
  }

  /** Records a value that the tool does not accept as an omission. */
  refuse(name: string, value: string): void {
    this.refused.set(name, value);
  }
}
