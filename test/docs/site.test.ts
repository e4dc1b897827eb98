/** The page of the supported tools, opened in a real browser without any network. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { buildSite } from '../../scripts/docs/site.ts';
import { mostUsed } from '../../scripts/docs/tools.ts';
import { root } from '../../scripts/generate.ts';
import { readSpecs } from '../../scripts/specs.ts';

const folder = mkdtempSync(join(tmpdir(), 'site-'));
const specs = readSpecs(root);
await buildSite(join(folder, 'site'), specs);

const plain = suite('site');
const read = (path: string) => readFileSync(join(folder, 'site', path), 'utf8');
const pages = ['index.html', ...readdirSync(join(folder, 'site/tools')).map(name => `tools/${name}`)];

plain('every tool has a page, and the table leads to it', () => {
  assert.is(pages.length, specs.length + 1);
  for (const { id } of specs) assert.match(read('index.html'), `href="tools/${id}.html"`);
});

plain('nothing is loaded from elsewhere', () => {
  for (const page of pages) {
    const loaded = [...read(page).matchAll(/<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="([^"]*)"/g)];
    for (const [, url] of loaded) assert.match(url!, /^(?:\.\.\/)?(?:style\.css|page\.js)$|^data:,$/, page);
  }
  assert.not.match(read('style.css'), /url\(|@import/);
  assert.not.match(read('page.js'), /fetch\(|XMLHttpRequest|import\s*\(|https?:/);
});

plain('text of the sample project is text, and no markup', () => {
  const page = read('tools/claude.html');
  assert.match(page, 'Never write &lt;script&gt; tags');
  assert.is(page.match(/<script/g)!.length, 1);
  assert.match(page, '<summary>CLAUDE.md</summary>');
  assert.match(page, 'Claude Code has no workflow files');
});

plain('tools that are used most come first', () => {
  const ids = [...read('index.html').matchAll(/<a href="tools\/([\w-]+)\.html"/g)].map(([, id]) => id!);
  assert.equal(ids.slice(0, mostUsed.length), mostUsed);
  assert.equal(mostUsed.filter(id => !specs.some(spec => spec.id === id)), []);
});

plain('every place that the search leads to is there', () => {
  const parts: { url: string; title: string; text: string }[] = JSON.parse(read('search-data.js').replace(/^self\.siteParts = |;\n$/g, ''));
  assert.ok(parts.length > 300, `${parts.length} parts`);
  for (const { url, title } of parts) {
    const [path, name] = url.split('#');
    assert.ok(title !== '', url);
    assert.ok(name === undefined ? existsSync(join(folder, 'site', path!)) : read(path!).includes(`id="${name}"`), url);
  }
});

const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(path => existsSync(path));
if (!browser && !process.env.CI) plain.skip('the page in a browser: the Debian package chromium is not installed', () => {});

/** The document after its scripts have run. */
function open(page: string, ...flags: string[]): string {
  const profile = mkdtempSync(join(folder, 'profile-'));
  const { status, stdout, stderr } = spawnSync(
    browser!,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
      // Whatever is not a file leads nowhere.
      ...['--host-resolver-rules=MAP * ~NOTFOUND', `--user-data-dir=${profile}`, ...flags, '--dump-dom'],
      page.replace(/^[^?#]*/, path => String(pathToFileURL(join(folder, 'site', path)))),
    ],
    { encoding: 'utf8', timeout: 120_000, maxBuffer: 1 << 26 },
  );
  assert.is(status, 0, stderr);
  return stdout;
}

/** Titles of the rows that can be seen. */
const rows = (html: string): string[] =>
  [...html.matchAll(/<tr data-search="[^"]*" data-has="[^"]*"([^>]*)>[\s\S]*?<a href="tools\/([\w-]+)\.html"/g)]
    .filter(([, attributes]) => !attributes!.includes('hidden'))
    .map(([, , id]) => id!);

if (browser || process.env.CI) {
  plain('a search shows the tools that match, by name, vendor or file', () => {
    assert.is(rows(open('index.html')).length, specs.length);
    assert.equal(rows(open('index.html#q=claude%20code')), ['claude']);
    assert.equal(rows(open('index.html#q=.kiro/steering')), ['kiro']);
    const none = open('index.html#q=no-such-tool');
    assert.equal(rows(none), []);
    assert.match(none, '0 tools');
    assert.not.match(none, /id="empty" hidden/);
  });

  plain('the search of the site finds guides, findings and tools by their words', () => {
    const found = (words: string): string[] => {
      const html = open(`search.html?q=${encodeURIComponent(words)}`);
      return [...html.matchAll(/<li><a href="([^"]*)"/g)].map(([, url]) => url!);
    };
    assert.is(found('claude code')[0], 'tools/claude.html');
    assert.is(found('PRS8008')[0], 'diagnostics.html#PRS8008');
    assert.ok(found('moving in keep').some(url => url.startsWith('migrating.html')));
    assert.equal(found('no-such-word-anywhere'), []);
    assert.equal(found(''), []);
  });

  plain('a capability narrows the table', () => {
    const html = open('index.html#has=hooks%2Clocal');
    const wanted = specs.filter(({ files }) =>
      ['hooks', 'local'].every(of => Object.values(files).some(file => 'of' in file && file.of === of)),
    );
    assert.equal(rows(html).sort(), wanted.map(({ id }) => id).sort());
    assert.match(html, /data-capability="hooks" aria-pressed="true"/);
  });

  plain('no page is wider than a phone', async () => {
    const { chromium } = await import('playwright-core');
    const started = await chromium.launch({ executablePath: browser ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
    const page = await started.newPage({ viewport: { width: 375, height: 700 } });
    const names = readdirSync(join(folder, 'site')).filter(name => name.endsWith('.html'));
    for (const name of [...names, 'tools/claude.html']) {
      await page.goto(String(pathToFileURL(join(folder, 'site', name))));
      assert.is(await page.evaluate('document.documentElement.scrollWidth'), 375, name);
    }
    await started.close();
  });

  plain('a tool page shows its default version, and the others behind tabs', () => {
    const html = open('tools/claude.html');
    assert.match(html, /id="version-full"[^>]*>/);
    assert.not.match(html, /id="version-full"[^>]*hidden/);
    assert.match(html, /id="version-simple"[^>]*hidden/);
  });
}

plain.after(() => rmSync(folder, { recursive: true, force: true }));
plain.run();
