/** Capabilities that a machine may lack. Tests declare which ones they need and are skipped without them. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'uvu';
import { canCarry } from '../../scripts/build-sea.ts';
import { hasBrowser } from './browser.ts';
import { hasNeovim, hasVscode } from './editors.ts';

/** On Windows most users cannot create symbolic links, and on Wine nobody can. */
function hasLinks(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'links-'));
  try {
    symlinkSync('target', join(folder, 'link'));
    return readlinkSync(join(folder, 'link')) === 'target';
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Tests a grammar against examples. */
export const grammarTester = fileURLToPath(
  new URL('../../editors/vscode/node_modules/vscode-tmgrammar-test/dist/unit.js', import.meta.url),
);

const needs = {
  'symbolic links': hasLinks,
  /** Windows has no permission bits. */
  'permission bits': () => process.platform !== 'win32',
  /** `npm run package:vscode` installs them. */
  'packages of the extension': () => existsSync(grammarTester),
  /** `npm run test:vscode` installs VS Code. */
  'VS Code': hasVscode,
  Neovim: hasNeovim,
  Chromium: hasBrowser,
  /** Some distributions strip from Node what a single executable needs. */
  'Node that can carry a program': () => canCarry(process.execPath),
  git: () => spawnSync('git', ['--version'], { stdio: 'ignore' }).status === 0,
};

const answers = new Map<string, boolean>();

/** Returns `test`, or `test.skip` on a machine that lacks a capability. Prints each missing capability once. */
export function needing(test: Test, ...required: readonly (keyof typeof needs)[]): Test | Test['skip'] {
  const missing = required.filter(need => {
    if (!answers.has(need)) {
      answers.set(need, needs[need]());
      if (!answers.get(need)) console.log(`  this machine has no ${need}: tests that need them are skipped`);
    }
    return !answers.get(need);
  });
  return missing.length === 0 ? test : test.skip;
}
