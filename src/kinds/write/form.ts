import type { Form } from '../../generated/types/target.ts';
import { isDataObject, strings } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';

/** A value in the form a spec asks for. `undefined` when nothing is left to write. */
export function applyForm(value: Data, form: Form | undefined): Data | undefined {
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
  }
}

/** Objects have no joined form: they stay as they are, so that nothing is lost. */
function joined(value: Data, separator: string): Data {
  return isDataObject(value) ? value : strings(value).join(separator);
}
