/** The Markdown documents of the repository as pages of the site, and a page with all diagnostics. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import { readCatalogue } from '../generate/diagnostics.ts';
import { root } from '../generate.ts';

export interface SitePage {
  readonly name: string;
  readonly title: string;
  readonly html: string;
}

/** The documents on the site, in reading order. */
const documents = {
  'README.md': ['guide', 'Introduction'],
  'GUIDE.md': ['everyday', 'Everyday use'],
  'MIGRATING.md': ['migrating', 'Moving in'],
  'ORGANISATIONS.md': ['organisations', 'For an organisation'],
  'schema/README.md': ['reference', 'Language and configuration'],
  'targets/README.md': ['specs', 'Specs of tools'],
} as const;

/** All pages generated from Markdown. */
export function markdownPages(): SitePage[] {
  const pages = Object.entries(documents).map(([path, [name, title]]) => ({
    name,
    title,
    html: withAnchors(relinked(toHtml(readFileSync(join(root, path), 'utf8')), path)),
  }));
  return [...pages, { name: 'diagnostics', title: 'Diagnostics', html: diagnosticsHtml() }];
}

/** Converts Markdown to HTML. Code blocks and tables are focusable, so that wide ones can be scrolled by keyboard. */
const toHtml = (text: string): string =>
  micromark(text.replace(/<!--[\s\S]*?-->/g, ''), {
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  }).replace(/<(pre|table)>/g, '<$1 tabindex="0">');

/** Rewrites links between documents to pages of the site, and links to other files to the repository. */
function relinked(html: string, from: string): string {
  return html.replace(/href="([^"#:]+)(#[^"]*)?"/g, (_, target: string, anchor = '') => {
    const path = posix.join(posix.dirname(from), target);
    const page = Object.entries(documents).find(([document]) => document === path)?.[1][0];
    return `href="${page ? `${page}.html${anchor}` : `${repository()}/blob/main/${path}${anchor}`}"`;
  });
}

function repository(): string {
  const { homepage, repository: address } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return address?.url.replace(/^git\+|\.git$/g, '') ?? homepage;
}

/** Adds ids to headings, with the same names as on code hosts. */
const withAnchors = (html: string): string =>
  html.replace(/<h([1-6])>([\s\S]*?)<\/h\1>/g, (_, depth: string, text: string) => {
    const plain = text.replace(/<[^>]*>|&\w+;/g, '').toLowerCase();
    const name = plain
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    return `<h${depth} id="${name}">${text}</h${depth}>`;
  });

/** The searchable page of all diagnostics, each with its message, hint and explanation. */
function diagnosticsHtml(): string {
  const plain = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const all = readCatalogue(root).map(
    ({ code, name, severity, message, hint, page }) =>
      `<details class="finding" id="${code}"><summary><code>${code}</code> ${plain(name)} <span class="badge">${severity}</span></summary>\n<p>${plain(message)}</p><p>${plain(hint)}</p>\n${toHtml(page)}</details>`,
  );
  return `<h1>Diagnostics</h1>\n<p>${all.length} findings, each with what to do. <code>prs explain &lt;code&gt;</code> shows the same.</p>\n<label class="search"><span class="hidden">Search findings</span><input type="search" id="find" placeholder="Search by code, name or any word …" autocomplete="off"></label>\n${all.join('\n')}`;
}
