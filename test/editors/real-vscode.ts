/**
 * Runs a real VS Code if available: the server edition `code-server` in a cache folder, which `npm run test:vscode`
 * fills, controlled through the installed browser.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { project } from '../cli/prs.ts';
import { launchBrowser } from '../support/browser.ts';
import { vscodeFolder } from '../support/editors.ts';

const entry = join(vscodeFolder, 'node_modules/code-server/out/node/entry.js');
const node = join(vscodeFolder, 'node_modules/node/bin/node');

export interface Window {
  readonly page: Page;
  /** Saves a screenshot if `SCREENSHOTS` names a folder. */
  picture(name: string): Promise<void>;
  /** Opens a file through the file tree of the window. */
  open(...path: string[]): Promise<void>;
  /** Runs a command by its title. */
  command(title: string): Promise<void>;
  /** The output of the server and of the extension host. */
  printed(): string;
  close(): Promise<void>;
}

/** Installs an extension into a new VS Code and opens a folder in it. */
export async function openVscode(folder: string, extension: string): Promise<Window> {
  const home = project({});
  const env = { ...process.env, HOME: home, PATH: `${join(node, '..')}:${process.env.PATH}` };
  const own = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')];
  execFileSync(node, [entry, ...own, '--install-extension', extension], { env, stdio: 'ignore' });
  const port = await freePort();
  const quiet = ['--disable-workspace-trust', '--disable-telemetry', '--disable-update-check'];
  const args = ['--auth', 'none', '--bind-addr', `127.0.0.1:${port}`, ...quiet, ...own, folder];
  const server = spawn(node, [entry, ...args], { env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
  try {
    await new Promise<void>((resolve, reject) => {
      server.stdout!.on('data', data => String(data).includes('HTTP server listening') && resolve());
      server.on('close', () => reject(new Error('VS Code has ended')));
    });
    const browser = await launchBrowser();
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(120_000);
    await page.goto(`http://127.0.0.1:${port}/?folder=${folder}`);
    await page.waitForSelector('.explorer-folders-view');
    return windowOf(page, browser, server, join(home, 'data/logs'));
  } catch (error) {
    stop(server);
    throw error;
  }
}

function windowOf(page: Page, browser: Browser, server: ChildProcess, logs: string): Window {
  return {
    printed: () =>
      readdirSync(logs, { recursive: true, encoding: 'utf8' })
        .filter(path => /(?:-instr)\.log$/.test(path))
        .map(path => readFileSync(join(logs, path), 'utf8'))
        .join('\n'),
    page,
    picture: async name => {
      const folder = process.env.SCREENSHOTS;
      if (folder) await page.screenshot({ path: join(folder, `vscode-${name}.png`) });
    },
    open: async (...path) => {
      for (const [at, name] of path.entries()) {
        const item = page.getByRole('treeitem', { name, exact: true });
        if (at === path.length - 1) await item.dblclick();
        else if ((await item.getAttribute('aria-expanded')) !== 'true') await item.click();
      }
      await page.locator('.tab.active', { hasText: path.at(-1)! }).waitFor();
    },
    command: async title => {
      await page.keyboard.press('F1');
      await page.locator('.quick-input-widget input').fill(`>${title}`);
      await page.locator('.quick-input-list .monaco-list-row', { hasText: title }).first().click();
    },
    close: async () => {
      await browser.close();
      stop(server);
    },
  };
}

/** The server starts child processes, which are stopped as well. */
function stop({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(-pid, 'SIGTERM');
}

const freePort = () =>
  new Promise<number>(resolve => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
