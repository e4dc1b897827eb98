import type { Parameter } from '../resolve/program.ts';
import type { TypeExpression } from '../syntax/ast.ts';
import { joinTexts, plain } from '../text/traced.ts';
import type { ListItem, Prose } from './model.ts';
import type { Wording } from './wording.ts';

/** The parameters that no template used: name, value, allowed values. */
export function parameterProse(parameters: readonly Parameter[], words: Wording): Prose[] {
  const items = parameters.filter(parameter => !parameter.used).map(parameter => describe(parameter, words));
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

function describe({ name, value, type, optional }: Parameter, words: Wording): ListItem {
  const allowed = type && allowedValues(type);
  const parts = [
    value === undefined ? (optional ? 'not set' : '') : words.text(value),
    allowed ? `(${allowed})` : '',
  ];
  const label = value ? words.name(name, value) : name;
  return {
    label,
    text: joinTexts(
      parts.filter(part => plain(part) !== ''),
      ' ',
    ),
  };
}

function allowedValues(type: TypeExpression): string {
  if (type.name === 'enum') return `one of ${(type.options ?? []).join(', ')}`;
  if (type.name === 'range') return `${type.low} to ${type.high}`;
  if (type.name === 'boolean') return 'true or false';
  return '';
}
