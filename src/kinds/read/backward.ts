import type { Form, Row } from '../../generated/types/target.ts';
import { isBlank, isDataObject } from '../../model/data.ts';
import type { Data, DataObject } from '../../model/model.ts';
import { sameUnordered } from '../../text/equal.ts';
import { listOf } from '../../text/front-matter.ts';

/** What reading a structure backwards gives: fields of the model, and what no slot explains. */
export interface ReadBack {
  readonly fields: Map<string, Data>;
  readonly unknown: Map<string, Data>;
}

/** A slot of a spec, as rows and shapes have them. */
type Slot = Pick<Row, 'from' | 'as' | 'map' | 'with' | 'value' | 'default'>;

/**
 * Reads keys by the rows that would write them. The first row of a key counts; rows with a literal explain the key
 * when it has that value. `synonyms` are rows of other places for the same kind of item, for keys no own row has.
 */
export function readRows(
  data: ReadonlyMap<string, Data>,
  rows: readonly Row[],
  synonyms: readonly Row[] = [],
): ReadBack {
  const fields = new Map<string, Data>();
  const unknown = new Map<string, Data>();
  for (const [key, value] of data) {
    const own = rows.filter(row => row.key === key);
    if (own.some(row => row.from === undefined && sameUnordered(row.value, value))) continue;
    const row =
      own.find(row => row.from !== undefined) ??
      synonyms.find(row => row.key === key && row.from !== undefined);
    if (row?.from === undefined || row.from.startsWith('meta.')) unknown.set(key, value);
    // What the tool gets when the source says nothing says nothing.
    else if (sameUnordered(row.default, value)) continue;
    // Rules that say more than what is forbidden are no list.
    else if (row.as === 'denied' && !isDenial(row, value)) unknown.set(key, value);
    else if (!isBlank(value) && !fields.has(row.from)) fields.set(row.from, readSlot(row, value));
  }
  return { fields, unknown };
}

/** Undoes `as`, then `map`. */
function readSlot(slot: Slot, value: Data): Data {
  const formed = slot.as === 'denied' && isDataObject(value) ? left(slot, value) : unform(value, slot.as);
  return unmap(formed, slot.map);
}

const known = ({ map }: Slot): string[] => [...new Set(Object.values(map ?? {}).map(String))];

const isDenial = (slot: Slot, value: Data): boolean => {
  const names = [...known(slot), ...Object.values(slot.with ?? {}).flat()];
  return (
    isDataObject(value) &&
    Object.entries(value).every(([name, action]) => action === 'deny' && names.includes(name))
  );
};

/** What is left of the known names when some are forbidden. */
const left = (slot: Slot, value: DataObject): string[] =>
  known(slot).filter(name => !Object.hasOwn(value, name));

function unform(value: Data, form: Form | undefined): Data {
  switch (form) {
    case 'list':
    case 'comma':
    case 'bare':
      return isDataObject(value) || isProse(value) ? value : listOf(value);
    case 'space':
      return typeof value === 'string' ? wordsOutsideBrackets(value) : value;
    case 'seconds':
      return typeof value === 'number' ? value * 1000 : value;
    default:
      return value;
  }
}

/** A sentence may have commas too. */
const isProse = (value: Data): boolean =>
  typeof value === 'string' && listOf(value).some(part => part.split(/\s+/).length > 3);

/** `Read Bash(git add *)` are two words. A comma separates as well: both are in use. */
function wordsOutsideBrackets(text: string): string[] {
  return text.match(/(?:[^\s,()]|\([^)]*\))+/g) ?? [];
}

function unmap(value: Data, map: Slot['map']): Data {
  if (!map) return value;
  if (Array.isArray(value)) {
    const names = value.flatMap(item => unmap(item, map));
    return names.filter((name, index) => names.indexOf(name) === index);
  }
  const back = Object.entries(map).find(([, native]) => native === value);
  return back ? back[0] : value;
}

/** How well a shape explains data: matched slots and literals, less what it leaves unexplained. */
export interface ShapeMatch extends ReadBack {
  readonly score: number;
}

/**
 * Reads data by the shape that would write it. A list in the shape with one element stands for any number: `split`
 * in the result has one match for each, with the fields around it.
 */
export function readShape(shape: unknown, data: Data): ShapeMatch[] {
  const matches = readPart(shape, data);
  return matches.map(({ fields, unknown, score }) => ({ fields, unknown, score: score - unknown.size }));
}

function readPart(shape: unknown, data: Data): ShapeMatch[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(data) || shape.length !== 1)
      return [{ ...nothing(), score: sameUnordered(shape, data) ? 1 : -1 }];
    return data.flatMap(item => readPart(shape[0], item));
  }
  if (typeof shape !== 'object' || shape === null) return [{ ...nothing(), score: shape === data ? 2 : -2 }];
  const record = shape as Record<string, unknown>;
  if (typeof record.from === 'string') {
    if (sameUnordered(record.default, data) || isBlank(data)) return [{ ...nothing(), score: 1 }];
    return [
      { fields: new Map([[record.from, readSlot(record as Slot, data)]]), unknown: new Map(), score: 1 },
    ];
  }
  if ('literal' in record) return [{ ...nothing(), score: sameUnordered(record.literal, data) ? 2 : -2 }];
  if (typeof record.option === 'string') return [{ ...nothing(), score: 0 }];
  if (!isDataObject(data)) return [{ fields: new Map(), unknown: new Map([['', data]]), score: -1 }];
  let results: ShapeMatch[] = [{ ...nothing(), score: 0 }];
  for (const [key, value] of Object.entries(data)) {
    const parts: ShapeMatch[] = Object.hasOwn(record, key)
      ? readPart(record[key], value)
      : [{ fields: new Map(), unknown: new Map([[key, value]]), score: 0 }];
    results = results.flatMap(result => parts.map(part => join(result, part, key)));
  }
  return results;
}

const nothing = (): ReadBack => ({ fields: new Map(), unknown: new Map() });

function join(a: ShapeMatch, b: ShapeMatch, key: string): ShapeMatch {
  const named = [...b.unknown].map(([name, value]) => [name === '' ? key : name, value] as const);
  return {
    fields: new Map([...a.fields, ...b.fields]),
    unknown: new Map([...a.unknown, ...named]),
    score: a.score + b.score,
  };
}
