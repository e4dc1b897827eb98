/**
 * Tests the playground in a real browser: it shows the output of the compiler and sends no requests to other servers.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSite } from '../../scripts/docs/site.ts';
import { root } from '../../scripts/generate.ts';
import { readSpecs } from '../../scripts/specs.ts';
import { project, prs, read } from '../cli/prs.ts';
import { launchBrowser } from '../support/browser.ts';
import { needing } from '../support/machine.ts';

const folder = mkdtempSync(join(tmpdir(), 'playground-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const server = createServer(({ url }, response) => {
  const path = new URL(url!, 'http://x').pathname;
  try {
    const body = readFileSync(join(folder, path));
    response.setHeader('content-type', types[extname(path)] ?? 'text/plain').end(body);
  } catch {
    response.writeHead(404).end();
  }
});

const tests = suite('playground');
let browser: Browser | undefined;
let base = '';
const requests: string[] = [];

async function openPage(options: { width?: number; dark?: boolean } = {}, path = 'playground.html'): Promise<Page> {
  browser ??= await launchBrowser();
  const page = await browser.newPage({
    viewport: { width: options.width ?? 1300, height: 850 },
    colorScheme: options.dark ? 'dark' : 'light',
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
    await page.waitForTimeout(20);
  assert.is(await shown(page), wanted, path);
}
const picture = (page: Page, name: string) =>
  process.env.SCREENSHOTS ? page.screenshot({ path: join(process.env.SCREENSHOTS, `site-${name}.png`) }) : undefined;

const test = needing(tests, 'Chromium');

tests.before(async () => {
  await buildSite(folder, readSpecs(root));
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
tests.after(async () => {
  await browser?.close();
  server.close();
});

test('shows the output of the compiler, explains where a line comes from, and keeps its state in the URL', async () => {
  const page = await openPage();
  await ready(page);
  const examples = JSON.parse((await page.locator('#examples').textContent())!) as Record<string, Record<string, string>>;
  const compiled = project(Object.values(examples)[0]!);
  assert.is(prs(compiled, ['compile']).status, 0);
  for (const path of ['CLAUDE.md', '.cursor/rules/api.mdc', '.github/copilot-instructions.md']) {
    await choose(page, path, read(compiled, path));
  }
  await choose(page, 'CLAUDE.md', read(compiled, 'CLAUDE.md'));
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

test('completion and hover are those of the language server', async () => {
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

test('the playground and the pages of the documents fit a phone, in light and dark mode', async () => {
  for (const dark of [false, true])
    for (const path of ['playground.html', 'guide.html', 'reference.html', 'diagnostics.html', 'index.html']) {
      const page = await openPage({ width: 390, dark }, path);
      if (path === 'playground.html') await ready(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(wide <= 0, `${path} is ${wide} pixels too wide`);
      const [red] = (await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).match(/\d+/g)!;
      assert.is(Number(red) < 100, dark, path);
      await picture(page, `${path.replace('.html', '')}-phone-${dark ? 'dark' : 'light'}`);
      await page.close();
    }
});

test('every diagnostic has an anchor and is found by its text', async () => {
  const page = await openPage({}, 'diagnostics.html#PRS7023');
  assert.ok((await page.locator('#PRS7023').getAttribute('open')) !== null);
  const all = await page.locator('.finding').count();
  assert.ok(all > 150, String(all));
  await page.locator('#find').fill('PRS7023');
  const left = await page.locator('.finding:visible').count();
  assert.ok(left >= 1 && left < all / 10, String(left));
  await page.close();
});

test('no requests were sent to other servers', () => {
  assert.ok(requests.length > 10);
  for (const url of requests) assert.ok(url.startsWith(base) || url.startsWith('data:'), url);
});

tests.run();
