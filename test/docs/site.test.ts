/**
 * Tests the website in a real browser without a network: the page of supported tools, and the playground, which shows the output
 * of the compiler and sends no requests to other servers.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSite } from '../../scripts/docs/site.ts';
import { mostUsed } from '../../scripts/docs/tools.ts';
import { root } from '../../scripts/generate.ts';
import { readSpecs } from '../../scripts/specs.ts';
import { project, prs, read as readFrom } from '../cli/prs.ts';
import { launchBrowser } from '../support/browser.ts';
import { sample } from '../support/depth.ts';
import { needing } from '../support/machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
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
  assert.match(page, 'Hooks decide by exit status');
});

plain('the most used tools come first', () => {
  const ids = [...read('index.html').matchAll(/<a href="tools\/([\w-]+)\.html"/g)].map(([, id]) => id!);
  assert.equal(ids.slice(0, mostUsed.length), mostUsed);
  assert.equal(mostUsed.filter(id => !specs.some(spec => spec.id === id)), []);
});

plain('every link of the search index exists', () => {
  const parts: { url: string; title: string; text: string }[] = JSON.parse(read('search-data.js').replace(/^self\.siteParts = |;\n$/g, ''));
  assert.ok(parts.length > 300, `${parts.length} parts`);
  const names = new Map<string, Set<string>>();
  for (const { url, title } of parts) {
    const [path, name] = url.split('#') as [string, string?];
    assert.ok(title !== '', url);
    assert.ok(existsSync(join(folder, 'site', path)), url);
    if (name === undefined) continue;
    if (!names.has(path)) names.set(path, new Set([...read(path).matchAll(/id="([^"]*)"/g)].map(([, id]) => id!)));
    assert.ok(names.get(path)!.has(name), url);
  }
});

let browser: Browser | undefined;

const addressOf = (page: string) => page.replace(/^[^?#]*/, path => String(pathToFileURL(join(folder, 'site', path))));

/** A new tab, with a page after its scripts have run. */
async function show(page: string, options: BrowserContextOptions = {}): Promise<Page> {
  browser ??= await launchBrowser();
  const shown = await browser.newPage(options);
  if (page !== '') await shown.goto(addressOf(page));
  return shown;
}

/** One tab for all pages that are only read. A new tab for each would take most of the time. */
let tab: Page | undefined;

async function open(page: string): Promise<string> {
  tab ??= await show('');
  // A change of the fragment alone would not load the page again.
  await tab.goto('about:blank');
  await tab.goto(addressOf(page));
  return tab.content();
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

plain.run();

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const server = createServer(({ url }, response) => {
  const path = new URL(url!, 'http://x').pathname;
  try {
    const body = readFileSync(join(folder, 'site', path));
    response.setHeader('content-type', types[extname(path)] ?? 'text/plain').end(body);
  } catch {
    response.writeHead(404).end();
  }
});

const tests = suite('playground');
let base = '';
const requests: string[] = [];

async function openPage(options: { width?: number } = {}, path = 'playground.html'): Promise<Page> {
  browser ??= await launchBrowser();
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1300, height: 850 },
    colorScheme: 'light',
  });
  page.on('request', request => void requests.push(request.url()));
  page.on('pageerror', error => assert.unreachable(error.message));
  page.on('console', message => message.type() === 'error' && assert.unreachable(message.text()));
  await page.goto(`${base}/${path}`);
  return page;
}
const ready = (page: Page) => page.locator('body[data-state=ready]').waitFor({ timeout: 60_000 });
const shown = async (page: Page) => {
  const lines = await page.locator('#result .line').allTextContents();
  return `${lines.map(line => (line === ' ' ? '' : line)).join('\n')}\n`;
};
/** Selects a file, and waits until it is displayed, not another one with the same text. */
async function choose(page: Page, path: string, wanted: string): Promise<void> {
  await page.locator('#outputs').selectOption(path);
  await ready(page);
  for (const end = Date.now() + 60_000; (await shown(page)) !== wanted && Date.now() < end; )
    await page.waitForTimeout(100);
  assert.is(await shown(page), wanted, path);
}
const picture = (page: Page, name: string) =>
  process.env.SCREENSHOTS ? page.screenshot({ path: join(process.env.SCREENSHOTS, `site-${name}.png`) }) : undefined;

const inBrowser = needing(tests, 'Chromium');

tests.before(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
tests.after(async () => {
  await browser?.close();
  server.close();
});

inBrowser('shows the output of the compiler, explains where a line comes from, and keeps its state in the URL', async () => {
  const page = await openPage();
  await ready(page);
  const examples = JSON.parse((await page.locator('#examples').textContent())!) as Record<string, Record<string, string>>;
  const compiled = project(Object.values(examples)[0]!);
  assert.is(prs(compiled, ['compile']).status, 0);
  for (const path of ['CLAUDE.md', '.cursor/rules/api.mdc', '.github/copilot-instructions.md']) {
    await choose(page, path, readFrom(compiled, path));
  }
  await choose(page, 'CLAUDE.md', readFrom(compiled, 'CLAUDE.md'));
  await page.locator('#result button.line', { hasText: 'small shop' }).click();
  await page.waitForFunction(() => document.querySelector('#explain')?.textContent?.includes('comes from'));
  const said = (await page.locator('#explain').textContent())!;
  assert.match(said, /^CLAUDE\.md:\d+ comes from \.instr\/project\.prs:[3-5]$/, said);
  await picture(page, 'light');

  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('@gaurds { a: "b" }');
  await page.locator('#findings button', { hasText: 'gaurds' }).waitFor();
  await page.reload();
  await ready(page);
  await page.locator('#findings button', { hasText: 'gaurds' }).waitFor();
  await picture(page, 'finding');
  assert.match(await page.locator('.cm-content').innerText(), /@gaurds/, 'the URL contains the typed text');
  await page.close();
});

inBrowser('completion and hover are those of the language server', async () => {
  const page = await openPage();
  await ready(page);
  await page.locator('.cm-content').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('@ski');
  await page.locator('.cm-tooltip-autocomplete', { hasText: '@skills' }).waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.cm-line', { hasText: 'applyTo' }).locator('span', { hasText: 'applyTo' }).hover();
  await page.locator('.hover', { hasText: 'Files to which it applies.' }).waitFor();
  await page.close();
});

inBrowser('the playground and a document fit a phone, in light and dark mode', async () => {
  for (const path of ['playground.html', 'guide.html']) {
    const page = await openPage({ width: 390 }, path);
    if (path === 'playground.html') await ready(page);
    for (const dark of [false, true]) {
      await page.emulateMedia({ colorScheme: dark ? 'dark' : 'light' });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${path} is ${wide} pixels too wide`);
      const [red] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g)!;
      assert.is(Number(red) < 100, dark, path);
      await picture(page, `${path.replace('.html', '')}-phone-${dark ? 'dark' : 'light'}`);
    }
    await page.close();
  }
});

inBrowser('every diagnostic has an anchor and is found by its text', async () => {
  const page = await openPage({}, 'diagnostics.html#PRS7023');
  assert.ok((await page.locator('#PRS7023').getAttribute('open')) !== null);
  const all = await page.locator('.finding').count();
  assert.ok(all > 150, String(all));
  await page.locator('#find').fill('PRS7023');
  const left = await page.locator('.finding:visible').count();
  assert.ok(left >= 1 && left < all / 10, String(left));
  await page.close();
});

inBrowser('no requests were sent to other servers', () => {
  assert.ok(requests.length > 10);
  for (const url of requests) assert.ok(url.startsWith(base) || url.startsWith('data:'), url);
});

tests.run();
