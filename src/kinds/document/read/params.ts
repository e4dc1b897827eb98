import type { RootContent } from 'mdast';
import type { TypeExpression } from '../../../syntax/ast.ts';
import { nowhere } from '../../../syntax/build.ts';
import { wordsIn } from './markdown.ts';

/** A parameter that a list of settings declares. */
export interface ImportedParameter {
  readonly name: string;
  readonly value: string | number | boolean;
  readonly type?: TypeExpression;
}

/**
 * The parameters of a section that is one list of `name: value`, perhaps with what is allowed behind it, as the
 * compiler lists them. `undefined` when it is anything else, or when the text of the document has a `{{name}}`:
 * declaring that name would change the text.
 */
export function readParameters(
  nodes: readonly RootContent[],
  document: string,
): ImportedParameter[] | undefined {
  const [list] = nodes;
  if (nodes.length !== 1 || list?.type !== 'list') return undefined;
  const parameters = list.children.map(item => {
    const [content] = item.children;
    if (item.children.length !== 1 || content?.type !== 'paragraph' || item.checked !== null)
      return undefined;
    if (content.children.some(child => child.type !== 'text')) return undefined;
    return readParameter(wordsIn(content));
  });
  const names = new Set(parameters.map(parameter => parameter?.name));
  if (names.size !== parameters.length || !parameters.every(parameter => parameter !== undefined))
    return undefined;
  return parameters.some(({ name }) => document.includes(`{{${name}}}`) || document.includes(`{{ ${name} }}`))
    ? undefined
    : parameters;
}

function readParameter(text: string): ImportedParameter | undefined {
  const match = /^([A-Za-z_][\w-]*): ([^\n()$]+?)(?: \(([^()\n]+)\))?$/.exec(text);
  if (!match) return undefined;
  const [, name, written, allowed] = match as unknown as [string, string, string, string | undefined];
  if (allowed === undefined) return { name, value: written };
  const options = /^one of (.+)$/.exec(allowed)?.[1]?.split(', ');
  if (options) return { name, value: written, type: { name: 'enum', options, span: nowhere } };
  const range = /^(-?\d+(?:\.\d+)?) to (-?\d+(?:\.\d+)?)$/.exec(allowed);
  if (range && Number.isFinite(Number(written))) {
    return {
      name,
      value: Number(written),
      type: { name: 'range', low: Number(range[1]), high: Number(range[2]), span: nowhere },
    };
  }
  if (allowed === 'true or false' && /^(?:true|false)$/.test(written)) {
    return { name, value: written === 'true', type: { name: 'boolean', span: nowhere } };
  }
  return undefined;
}
