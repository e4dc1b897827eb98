import type { Parameter } from '../resolve/program.ts';
import type { TypeExpression } from '../syntax/ast.ts';
import { scalarText } from './data.ts';
import type { ListItem, Prose } from './model.ts';

/** The parameters that no template used: name, value, allowed values. */
export function parameterProse(parameters: readonly Parameter[]): Prose[] {
  const items = parameters.filter(parameter => !parameter.used).map(describe);
  return items.length > 0 ? [{ kind: 'list', items }] : [];
}

function describe({ name, value, type, optional }: Parameter): ListItem {
  const allowed = type && allowedValues(type);
  const parts = [
    value === undefined ? (optional ? 'not set' : '') : scalarText(value),
    allowed ? `(${allowed})` : '',
  ];
  return { label: name, text: parts.filter(part => part !== '').join(' ') };
}

function allowedValues(type: TypeExpression): string {
  if (type.name === 'enum') return `one of ${(type.options ?? []).join(', ')}`;
  if (type.name === 'range') return `${type.low} to ${type.high}`;
  if (type.name === 'boolean') return 'true or false';
  return '';
}
