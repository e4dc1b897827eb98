import type { Form, Row } from '../../generated/types/target.ts';
import { isDataObject, strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';

/** A value in the form a spec asks for, of what `map` knows. `undefined` when nothing is left to write. */
export function applyForm(
  value: Data,
  form: Form | undefined,
  row: Pick<Row, 'map' | 'with'> = {},
): Data | undefined {
  switch (form) {
    case undefined:
      return value;
    case 'list':
      return Array.isArray(value) ? value : [value];
    case 'comma':
      return joined(value, ', ');
    case 'bare':
      return joined(value, ',');
    case 'space':
      return joined(value, ' ');
    case 'seconds':
      return typeof value === 'number' ? Math.ceil(value / 1000) : undefined;
    case 'denied':
      return denied(strings(value), row);
  }
}

/** What a tool must be forbidden so that no more than the list is left. */
function denied(listed: readonly string[], row: Pick<Row, 'map' | 'with'>): Data | undefined {
  const known = [...new Set(Object.values(row.map ?? {}).map(String))];
  const rest = known
    .filter(name => !listed.includes(name))
    .flatMap(name => [name, ...(row.with?.[name] ?? [])]);
  return rest.length > 0 ? Object.fromEntries(rest.map(name => [name, 'deny'])) : undefined;
}

/** Objects have no joined form: they stay as they are, so that nothing is lost. */
function joined(value: Data, separator: string): Data {
  return isDataObject(value) ? value : strings(value).join(separator);
}
