/** Real editors that tests drive, where the machine has them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './compile.ts';

/** Where `npm run test:vscode` puts one: 700 MB; a link to a folder that several checkouts share will do. */
export const vscodeFolder = join(root, '.cache/vscode');

/** The last file that its installation writes. */
export const vscodeReady = join(vscodeFolder, 'ready');

export const hasVscode = (): boolean => existsSync(vscodeReady);

export const hasNeovim = (): boolean => spawnSync('nvim', ['--version'], { stdio: 'ignore' }).status === 0;
