import { printNodePath } from '../resolve/path.ts';
import type { Node, ResolvedBlock } from '../resolve/program.ts';
import { takeAudience } from './audience.ts';
import { scalarText, strings } from './data.ts';
import type { Data, DocumentText } from './model.ts';
import { fieldData } from './typed.ts';
import type { Wording } from './wording.ts';

/** The documents of a program, in the order in which they came. */
export function documentTexts({ entries }: ResolvedBlock, words: Wording): DocumentText[] {
  return entries.flatMap(entry => {
    const path = entry.kind === 'field' ? printNodePath(['documents', entry.key]) : 'documents';
    const content = contentOf(entry.node);
    if (content?.kind !== 'scalar' || scalarText(content).trim() === '') return [];
    const fields = new Map<string, Data>(
      entry.node.kind === 'object'
        ? [...entry.node.fields].map(([key, node]) => [key, fieldData('documents', key, node)])
        : [],
    );
    fields.delete('content');
    const audience = takeAudience(fields);
    const into = strings(fields.get('into'));
    fields.delete('into');
    const origin = originOf(content);
    const head = into.length > 0 ? headOf(content) : '';
    return [
      {
        path,
        text: words.text(content),
        fields,
        ...(audience && { audience }),
        ...(into.length > 0 && { into: [...new Set(into)] }),
        ...(origin && { origin }),
        ...(head !== '' && { head }),
      },
    ];
  });
}

const contentOf = (node: Node): Node | undefined =>
  node.kind === 'object' ? node.fields.get('content') : node;

function originOf({ steps }: Node): DocumentText['origin'] {
  const [first] = steps;
  if (!first || first.layer.remote) return undefined;
  const { source, start, end } = first.span;
  return { file: source.name, text: source.text.slice(start, end) };
}

/** Front matter with a key that this compiler does not read itself, and the empty lines behind it. */
function headOf({ steps }: Node): string {
  const [first] = steps;
  if (!first) return '';
  const written = first.span.source.text.slice(0, first.span.start).replace(/\r\n/g, '\n');
  if (!/^\ufeff?---[ \t]*\n/.test(written)) return '';
  const left = written.replace(/^(?:targets|except)[ \t]*:.*\n(?:(?:[ \t]+\S|-[ \t]).*\n)*/gm, '');
  return /^\ufeff?---[ \t]*\n\s*---\s*$/.test(left) ? '' : left.replace(/^\ufeff/, '');
}
