/** Finds Chromium, for web pages and for editors that run in a browser. */
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** `PRS_CHROMIUM` overrides the path. */
const chromium = (): string | undefined => process.env.PRS_CHROMIUM ?? places.find(path => existsSync(path));

export const hasBrowser = (): boolean => chromium() !== undefined;

export async function launchBrowser(): Promise<Browser> {
  const playwright = await import('playwright-core');
  return playwright.chromium.launch({ executablePath: chromium()!, args: ['--no-sandbox', '--disable-gpu'] });
}
