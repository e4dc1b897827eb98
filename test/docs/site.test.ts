/** Tests the page of supported tools in a real browser without a network. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSite } from '../../scripts/docs/site.ts';
import { mostUsed } from '../../scripts/docs/tools.ts';
import { root } from '../../scripts/generate.ts';
import { readSpecs } from '../../scripts/specs.ts';
import { launchBrowser } from '../support/browser.ts';
import { sample } from '../support/depth.ts';
import { needing } from '../support/machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
const specs = readSpecs(root);
await buildSite(join(folder, 'site'), specs);

const plain = suite('site');
const read = (path: string) => readFileSync(join(folder, 'site', path), 'utf8');
const pages = ['index.html', ...readdirSync(join(folder, 'site/tools')).map(name => `tools/${name}`)];

plain('every tool has a page, and the table links to it', () => {
  assert.is(pages.length, specs.length + 1);
  for (const { id } of specs) assert.match(read('index.html'), `href="tools/${id}.html"`);
});

plain('no external resources are loaded', () => {
  for (const page of pages) {
    const loaded = [...read(page).matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
    for (const [, url] of loaded) assert.match(url!, /^(?:\.\.\/)?(?:style\.css|page\.js)$|^data:,$/, page);
  }
  assert.not.match(read('style.css'), /url\(|@import/);
  assert.not.match(read('page.js'), /fetch\(|XMLHttpRequest|import\s*\(|https?:/);
});

plain('text of the sample project is text, not markup', () => {
  const page = read('tools/claude.html');
  assert.match(page, 'Never write &lt;script&gt; tags');
  assert.is(page.match(/<script/g)!.length, 1);
  assert.match(page, '<summary>CLAUDE.md</summary>');
  assert.match(page, 'Claude Code has no workflow files');
});

plain('the most used tools come first', () => {
  const ids = [...read('index.html').matchAll(/<a href="tools\/([\w-]+)\.html"/g)].map(([, id]) => id!);
  assert.equal(ids.slice(0, mostUsed.length), mostUsed);
  assert.equal(mostUsed.filter(id => !specs.some(spec => spec.id === id)), []);
});

plain('every link of the search index exists', () => {
  const parts: { url: string; title: string; text: string }[] = JSON.parse(read('search-data.js').replace(/^self\.siteParts = |;\n$/g, ''));
  assert.ok(parts.length > 300, `${parts.length} parts`);
  for (const { url, title } of parts) {
    const [path, name] = url.split('#');
    assert.ok(title !== '', url);
    assert.ok(name === undefined ? existsSync(join(folder, 'site', path!)) : read(path!).includes(`id="${name}"`), url);
  }
});

let browser: Browser | undefined;

/** The page after its scripts have run. */
async function show(page: string, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= await launchBrowser();
  const shown = await browser.newPage(options);
  await shown.goto(page.replace(/^[^?#]*/, path => String(pathToFileURL(join(folder, 'site', path)))));
  return shown;
}

async function open(page: string): Promise<string> {
  const shown = await show(page);
  const html = await shown.content();
  await shown.close();
  return html;
}

/** Titles of the visible rows. */
const rows = (html: string): string[] =>
  [...html.matchAll(/<tr data-search="[^"]*" data-has="[^"]*"([^>]*)>[\s\S]*?<a href="tools\/([\w-]+)\.html"/g)]
    .filter(([, attributes]) => !attributes!.includes('hidden'))
    .map(([, , id]) => id!);

const test = needing(plain, 'Chromium');

test('a search shows matching tools, by name, vendor or file', async () => {
  assert.is(rows(await open('index.html')).length, specs.length);
  assert.equal(rows(await open('index.html#q=claude%20code')), ['claude']);
  assert.equal(rows(await open('index.html#q=.kiro/steering')), ['kiro']);
  const none = await open('index.html#q=no-such-tool');
  assert.equal(rows(none), []);
  assert.match(none, '0 tools');
  assert.not.match(none, /id="empty" hidden/);
});

test('the site search finds guides, diagnostics and tools by their text', async () => {
  const found = async (words: string): Promise<string[]> => {
    const html = await open(`search.html?q=${encodeURIComponent(words)}`);
    return [...html.matchAll(/<li><a href="([^"]*)"/g)].map(([, url]) => url!);
  };
  assert.is((await found('claude code'))[0], 'tools/claude.html');
  assert.is((await found('PRS8008'))[0], 'diagnostics.html#PRS8008');
  assert.ok((await found('moving in keep')).some(url => url.startsWith('migrating.html')));
  assert.equal(await found('no-such-word-anywhere'), []);
  assert.equal(await found(''), []);
});

test('a capability filters the table', async () => {
  const html = await open('index.html#has=hooks%2Clocal');
  const wanted = specs.filter(({ files }) =>
    ['hooks', 'local'].every(of => Object.values(files).some(file => 'of' in file && file.of === of)),
  );
  assert.equal(rows(html).sort(), wanted.map(({ id }) => id).sort());
  assert.match(html, /data-capability="hooks" aria-pressed="true"/);
});

test('no page is wider than a phone', async () => {
  const page = await show('index.html', { viewport: { width: 375, height: 700 } });
  const names = readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' });
  const tools = names.filter(one => /^tools[\\/].*\.html$/.test(one));
  const others = names.filter(one => one.endsWith('.html') && !tools.includes(one));
  for (const name of [...others, ...sample(tools)]) {
    await page.goto(String(pathToFileURL(join(folder, 'site', name))));
    assert.is(await page.evaluate('document.documentElement.scrollWidth'), 375, name);
  }
  await page.close();
});

test('pages are accessible by keyboard, by screen reader and with low vision, in light and dark mode and on a phone', async () => {
  const axe = readFileSync(join(root, 'node_modules/axe-core/axe.min.js'), 'utf8');
  const cases = ['index.html', 'tools/claude.html', 'guide.html', 'playground.html'].flatMap(name =>
    (['light', 'dark'] as const).map(colorScheme => ({ name, colorScheme })),
  );
  for (const { name, colorScheme } of sample(cases)) {
    const page = await show(name, { colorScheme, viewport: { width: colorScheme === 'light' ? 390 : 1300, height: 850 } });
    await page.evaluate(axe);
    const { violations } = (await page.evaluate('axe.run()')) as { violations: { id: string; nodes: { html: string }[] }[] };
    assert.equal(violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html}`), [], `${name} ${colorScheme}`);
    await page.close();
  }
});

test('a tool page shows its default version, and the others in tabs', async () => {
  const html = await open('tools/claude.html');
  assert.match(html, /id="version-full"[^>]*>/);
  assert.not.match(html, /id="version-full"[^>]*hidden/);
  assert.match(html, /id="version-simple"[^>]*hidden/);
});

plain.after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});
plain.run();
