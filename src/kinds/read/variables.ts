import type { Variables } from '../../generated/types/target.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import { markReference } from '../../text/variables.ts';

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A form as an expression: the name in its first group, the default in its second. */
const patternOf = (form: string): string =>
  quoted(form).replace('NAME', '([A-Za-z_]\\w*)').replace('DEFAULT', '([^{}]*)');

/** Data of a tool's file with the variables that the tool fills in there as references. */
export function readReferences(data: Data, variables: Variables | undefined): Data {
  const forms = [variables?.fallback, variables?.form, ...(variables?.alsoRead ?? [])].filter(
    form => form !== undefined,
  );
  if (forms.length === 0) return data;
  const patterns = forms.map(form => new RegExp(patternOf(form), 'g'));
  const read = (value: Data): Data => {
    if (typeof value === 'string')
      return patterns.reduce(
        (text, pattern) =>
          text.replace(pattern, (_, name: string, fallback: unknown) =>
            markReference({
              name,
              ...(pattern.source.includes('([^{}]*)') && { fallback: String(fallback) }),
            }),
          ),
        value,
      );
    if (Array.isArray(value)) return value.map(read);
    if (!isDataObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, read(inner)]));
  };
  return read(data);
}
