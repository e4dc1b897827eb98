import type { Row } from '../../generated/types/target.ts';
import { isBlank } from '../../model/data.ts';
import {
  type Data,
  type Fields,
  type Item,
  type ItemOrigins,
  isComputed,
  type Sourced,
} from '../../model/model.ts';
import { nameOrigin, originsOf } from '../../model/origin.ts';
import { distinctOrigins, type FieldSource, slotValue } from '../native/slots.ts';

const none: Fields = new Map();

/** Fields of an item with a record of which were read. */
export class ItemFields implements FieldSource {
  /** Values of fields that the tool does not take. */
  readonly refused = new Map<string, string>();
  private readonly used = new Set<string>();

  constructor(
    readonly item: Item,
    private readonly options: Fields,
    /** Gives values the form that the file has for references to variables. */
    private readonly written?: (field: string, value: Data) => Data,
    private readonly meta = none,
    private readonly metaOrigins?: ItemOrigins['fields'],
  ) {}

  get(name: string): Data | undefined {
    this.used.add(name);
    if (name.startsWith('meta.')) return this.meta.get(name.slice('meta.'.length));
    const value = this.item.fields.get(name);
    if (isBlank(value)) return undefined;
    return this.written ? this.written(name, value!) : value;
  }

  /** Whether a field was read. */
  isUsed(name: string): boolean {
    return this.used.has(name);
  }

  /** What a field was made of, where that is known. */
  origins(name: string): readonly Sourced[] {
    if (name.startsWith('meta.')) return this.metaOrigins?.get(name.slice('meta.'.length)) ?? [];
    return originsOf(this.item, name);
  }

  option(name: string): Data | undefined {
    return this.options.get(name);
  }

  refuse(name: string, value: string): void {
    this.refused.set(name, value);
  }
}

/** What the value of a row was made of, given what its field was made of. */
function originsFor({ as, map }: Row, made: readonly Sourced[]): readonly Sourced[] {
  if (made.length === 0) return made;
  // What a list leaves out comes from the list as a whole.
  if (as === 'denied')
    return made.map(one =>
      'node' in one ? nameOrigin(one.path, one.path.replace(/^.*\./, ''), one.node) : one,
    );
  return map ? distinctOrigins(made, map) : made;
}

/** Whether a `when` of the spec holds. */
export function holds(
  when: { readonly option: string; readonly is?: readonly (string | boolean | number)[] } | undefined,
  options: Fields,
): boolean {
  if (!when) return true;
  const value = options.get(when.option);
  if (value === undefined || value === null) return false;
  return when.is === undefined || (when.is as readonly Data[]).includes(value);
}

/** Whether a row is written for an item: some are only for guards that are read in a certain way. */
const concerns = ({ activation }: Row, { fields }: Item): boolean =>
  activation === undefined || (activation as readonly Data[]).includes(fields.get('activation') ?? 'scoped');

/** Rows in order as key and value; rows whose condition fails or whose field is absent are left out. */
export function rowValues(rows: readonly Row[], source: ItemFields, options: Fields): RowValue[] {
  return rows.flatMap((row): RowValue[] => {
    if (!holds(row.when, options) || !concerns(row, source.item)) return [];
    const value = slotValue(row, source);
    if (value === undefined) return [];
    const { key, from, as } = row;
    const origins = from === undefined ? [] : originsFor(row, source.origins(from));
    const implied = from === undefined || (row.default !== undefined && source.get(from) === undefined);
    return [
      {
        key,
        value,
        bare: as === 'bare',
        ...(from !== undefined && { from }),
        ...(implied && { implied }),
        ...(origins.length > 0 && { origins }),
      },
    ];
  });
}

/** A row of front matter with its value. */
export interface RowValue {
  readonly key: string;
  readonly value: Data;
  /** Written without quotes even where YAML would want them. */
  readonly bare: boolean;
  /** Said by the spec alone: a constant, or what stands for an absent field. */
  readonly implied?: boolean;
  /** The field that it was filled from. */
  readonly from?: string;
  /** What the value was made of, where texts are traced. */
  readonly origins?: readonly Sourced[];
}

/**
 * Takes the fields that an item has for one tool alone and that nothing wrote, a body with what it has `shown` included:
 * they count as written from now on.
 */
export function takeOwn(fields: ItemFields, shown: readonly string[] = []): Fields {
  const { item } = fields;
  const written = [...shown, ...derived(fields)];
  const left = [...(item.own?.keys() ?? [])].filter(
    name => !isComputed(item, name) && !fields.isUsed(name) && !written.includes(name),
  );
  return new Map(
    left.flatMap(name => {
      const value = fields.get(name);
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

/** The source field that each of these computed fields is made of. */
const sources: Readonly<Record<string, string>> = {
  timeout: 'timeoutMs',
  shell: 'line',
  wrapped: 'line',
  reference: 'marketplace',
  shown: 'title',
  about: 'description',
};

/** Source fields that count as written because a field computed from them was. */
export const derived = (fields: ItemFields): string[] =>
  Object.keys(sources).flatMap(name => (fields.isUsed(name) ? sources[name]! : []));
