/**
 * Which modules may write to a disk. All others make a plan, and pass their files to modules that write through the
 * guarded disk of a project.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const root = join(fileURLToPath(import.meta.url), '../../../src');

/** Calls that change a disk. */
const writing =
  /\.(?:writeBytes|makeDirectory|makeLink|setMode|removeFile|removeTree|removeEmptyDirectory|rename|link)\(|\b(?:writeFileSync|writeSync|mkdirSync|mkdtempSync|renameSync|linkSync|symlinkSync|unlinkSync|rmSync|rmdirSync|chmodSync|copyFileSync|cpSync|appendFileSync|createWriteStream|writeFile|appendFile)\(/;

/** Files with such calls, and what guards them. */
const allowed: Readonly<Record<string, string>> = {
  'cli/unchanged.ts': 'the cache of the user: drafts are made exclusively and renamed',
  'host/compile-cache.ts': 'the cache of the user',
  'host/disk.ts': 'the disk itself',
  'host/lock.ts': 'the lock, through the disk of its caller',
  'host/overlay.ts': 'memory',
  'host/records.ts': 'the cache of the user',
  'project/user/user-disk.ts': 'hands on to another disk',
  'host/user-secret.ts': 'the state folder of the user, exclusively and without following links',
  'project/absorb/workspace.ts': 'memory',
  'project/eject.ts': 'copies, exclusively in the state folder of the user; removals through the guarded disk',
  'project/fleet/repositories.ts': 'clones in the cache of the user',
  'project/fleet/apply-fleet.ts': 'a folder that the user names on the command line; the text of a script',
  'project/merge/git-files.ts': 'lists of Git, at the place that Git names',
  'project/merge/install.ts': 'hooks, on `prs hook install` alone, at the place that Git names',
  'project/merge/merge-file.ts': 'the file that Git names, through the guarded disk',
  'project/text-links.ts': 'memory',
  'project/write/apply.ts': 'guarded disk',
  'project/write/journal.ts': 'guarded disk',
  'project/write/project-disk.ts': 'the guard itself',
  'project/write/records.ts': 'guarded disk',
  'project/write/state.ts': 'guarded disk',
  'cli/streams.ts': 'standard output and error',
  'registry/git-source.ts': 'a work folder in the cache of the user',
};

const test = suite('writers');

test('files with write calls are known, together with their guard', () => {
  const found = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts') && !/^(?:generated|host\/browser)\b/.test(name))
    .filter(name => writing.test(readFileSync(join(root, name), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')))
    .map(name => relative(root, join(root, name)).split(sep).join('/'));
  const unknown = found.filter(name => !(name in allowed));
  assert.equal(unknown, []);
});

test('the guard of a project is always used where a project is written', () => {
  for (const name of readdirSync(join(root, 'project/write'))) {
    if (/^project-disk\.ts$/.test(name)) continue;
    const text = readFileSync(join(root, 'project/write', name), 'utf8');
    // A writable disk may only be imported to open it as a project.
    if (/^import .*\bnodeDisk\b/m.test(text)) assert.unreachable(`${name} writes without the guard`);
  }
});

test.run();
