/** Finds the editors that tests drive, if they are installed. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './compile.ts';

/**
 * The folder where `npm run test:vscode` installs VS Code (700 MB). It may be a link to a folder that several checkouts
 * share.
 */
export const vscodeFolder = join(root, '.cache/vscode');

/** The last file that the installation writes. */
export const vscodeReady = join(vscodeFolder, 'ready');

export const hasVscode = (): boolean => existsSync(vscodeReady);

export const hasNeovim = (): boolean => spawnSync('nvim', ['--version'], { stdio: 'ignore' }).status === 0;
