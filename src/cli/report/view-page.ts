import { basename } from 'node:path';
import type { OriginRange, View, ViewPart, Views } from '../../project/view/view.ts';
import { escapeText } from '../../text/style.ts';
import { plural } from './files.ts';

type Origins = ReadonlyMap<string, readonly OriginRange[]>;

/** The page must not run or load anything, because its texts are untrusted. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'";

const style = `:root { color-scheme: light dark; --line: light-dark(#e3e0d8, #2e333b); --soft: light-dark(#5d6470, #9aa1ad); --accent: light-dark(#0b6e5c, #63d2b8) }
* { box-sizing: border-box }
body { max-width: 75rem; overflow-wrap: anywhere; margin: 0 auto; padding: 1.5rem; font: 16px/1.5 system-ui, sans-serif; color: light-dark(#1d1f24, #e8e6e1); background: light-dark(#fbfaf7, #14161a) }
summary { padding: .5rem 0 } summary h2, summary h3 { display: inline; font-size: 1.1rem } summary span, th, .of { color: var(--soft); font-weight: 400; font-size: .9rem }
main > details { border-top: 1px solid var(--line) } details details { margin-left: 1rem }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
table { width: 100%; border-collapse: collapse; margin: .3rem 0 1rem; background: light-dark(#fff, #1b1e23); border: 1px solid var(--line); table-layout: fixed }
th, td { padding: 0 .6rem; text-align: left; vertical-align: top; font: .85rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
td:nth-child(2) { white-space: pre-wrap } td:first-child { color: var(--soft); user-select: none } th:first-child { width: 4rem } th:last-child { width: 30% } td:last-child { color: var(--accent) }
.cut { font-weight: 700; color: light-dark(#7a4b00, #ffd48a) }
@media (max-width: 40rem) { body { padding: .8rem } th:first-child { width: 2.6rem } th, td { padding: 0 .3rem } details details { margin-left: 0 } }`;

/** Escapes untrusted text for HTML; control characters are shown. */
const plain = (text: string): string =>
  escapeText(text).replace(/[&<>"]/g, found => `&#${found.charCodeAt(0)};`);

/** One self-contained HTML page with what each tool loads, and the source of each line. */
export function viewPage({ root, views, textOf }: Views, origins: Origins): string {
  const title = `What ${views.length === 1 ? views[0]!.spec.title : 'each tool'} is given in ${basename(root)}`;
  const tools = views.map(view => toolHtml(view, textOf, origins, views.length === 1));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}"><title>${plain(title)}</title><style>${style}</style></head>
<body><main><h1>${plain(title)}</h1><p class="of">Beside each line stands the source that it came from; lines without one are layout, or a file of your own.</p>
${tools.join('\n')}
</main></body></html>
`;
}

function toolHtml(view: View, textOf: Views['textOf'], origins: Origins, open: boolean): string {
  const { spec, version, parts, onDemand, limit, cut } = view;
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0);
  const most = limit ? ` of at most ${limit.max} ${limit.unit}` : '';
  const sum = `${version}: ${plural(parts.length, 'file')}, ~${plural(tokens, 'token')}${most}; ${onDemand.length} on demand`;
  const given = parts.map(part => {
    const isCut = cut?.path === part.path && part.startLine === 1;
    const end = isCut ? `<p class="cut">Cut here, at line ${cut.line}.</p>` : '';
    return fileHtml(part.path, noteOf(part), part.text, part.startLine, origins, true) + end;
  });
  const waiting = onDemand.map(({ kind, name, path }) =>
    fileHtml(path, `on demand, ${kind}: ${name}`, textOf(path) ?? '', 1, origins, false),
  );
  return `<details${open ? ' open' : ''}><summary><h2>${plain(spec.title)}</h2> <span>${plain(sum)}</span></summary>
${[...given, ...waiting].join('\n') || '<p>It is given no text here.</p>'}</details>`;
}

const noteOf = ({ importedBy, onReadOf }: ViewPart): string =>
  importedBy !== undefined
    ? `imported by ${importedBy}`
    : onReadOf !== undefined
      ? `after a file of ${onReadOf}/ was read`
      : 'always';

function fileHtml(
  path: string,
  note: string,
  text: string,
  first: number,
  origins: Origins,
  open: boolean,
): string {
  const known = origins.get(path);
  const lines = text.replace(/\n$/, '').split('\n');
  const rows = lines.map((line, index) => {
    const at = first + index;
    const range = known?.find(({ startLine, endLine }) => startLine <= at && at <= endLine);
    const source = range ? `${range.file}:${range.line + at - range.startLine}` : '';
    return `<tr><td>${at}</td><td>${plain(line)}</td><td>${plain(source)}</td></tr>`;
  });
  const mine = known ? '' : ', without sources';
  return `<details${open ? ' open' : ''}><summary><h3>${plain(path)}</h3> <span>${plain(note)}${mine}</span></summary>
<table><thead><tr><th scope="col">Line</th><th scope="col">Text</th><th scope="col">Source</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table></details>`;
}
