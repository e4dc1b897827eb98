/** The overlay disk of a dry run behaves like the real disk: after the same operations both show the same state. */
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import type { WritableDisk } from '../../src/host/host.ts';
import { overlayDisk } from '../../src/host/overlay.ts';
import { runs } from '../support/depth.ts';
import fc from '../support/property.ts';

const tests = suite('overlay');

const base = realpathSync(mkdtempSync(join(tmpdir(), 'overlay-')));
process.on('exit', () => rmSync(base, { recursive: true, force: true }));

/** Files, folders, links to both, broken links, and links out of the folder. */
function start(name: string): string {
  const root = join(base, name);
  mkdirSync(join(root, 'a/b'), { recursive: true });
  mkdirSync(join(root, 'empty'));
  writeFileSync(join(root, 'a/file'), 'one');
  writeFileSync(join(root, 'a/b/deep'), 'two', { mode: 0o755 });
  symlinkSync('a', join(root, 'folder'));
  symlinkSync('b/deep', join(root, 'a/link'));
  symlinkSync('nothing', join(root, 'dangling'));
  return root;
}

const places = ['a', 'a/file', 'a/b', 'a/b/deep', 'a/link', 'folder/new', 'folder/file', 'empty', 'empty/x', 'dangling', 'new'];

/**
 * The compiler never writes through a link or moves a folder. Operations that the real disk refuses are not applied to
 * the overlay.
 */
function refuse(): never {
  throw new Error('refused');
}

type Act = (disk: WritableDisk, at: (path: string) => string) => unknown;
const path = fc.constantFrom(...places);
const text = fc.constantFrom('x', 'longer');
const act: fc.Arbitrary<readonly [string, Act]> = fc.oneof(
  fc.tuple(path, text, fc.constantFrom(0o644, 0o755)).map(([one, content, mode]): readonly [string, Act] => [
    `write ${one} ${mode.toString(8)}`,
    (disk, at) => {
      if (disk.lstat(at(one))?.kind === 'link') refuse();
      disk.writeBytes(at(one), new TextEncoder().encode(content), { mode });
      // The mode only applies to a new file. Existing files need `setMode`.
      disk.setMode(at(one), mode);
    },
  ]),
  fc.tuple(path, path).map(([from, to]): readonly [string, Act] => [
    `rename ${from} ${to}`,
    (disk, at) => {
      if (disk.lstat(at(from))?.kind === 'directory') refuse();
      disk.rename(at(from), at(to));
    },
  ]),
  path.map((one): readonly [string, Act] => [`removeTree ${one}`, (disk, at) => disk.removeTree(at(one))]),
  // The targets are not among these paths, so that no link leads to itself.
  fc.tuple(fc.constantFrom('a/b', 'b/deep', 'gone'), fc.constantFrom('a/file', 'a/b/deep', 'a/link', 'folder/new', 'new')).map(
    ([target, to]): readonly [string, Act] => [`makeLink ${target} ${to}`, (disk, at) => disk.makeLink(target, at(to))],
  ),
  path.map((one): readonly [string, Act] => [`removeFile ${one}`, (disk, at) => disk.removeFile(at(one))]),
  path.map((one): readonly [string, Act] => [`removeEmptyDirectory ${one}`, (disk, at) => disk.removeEmptyDirectory(at(one))]),
  path.map((one): readonly [string, Act] => [`makeDirectory ${one}`, (disk, at) => disk.makeDirectory(at(one))]),
);

/** The state of every path, as the disk reports it. */
function seen(disk: WritableDisk, root: string): unknown {
  return ['', ...places].map(one => {
    const at = join(root, one);
    const stat = (found: ReturnType<WritableDisk['stat']>) => found && [found.kind, found.kind === 'file' && [found.size, found.executable]];
    const kind = disk.stat(at)?.kind;
    return {
      place: one,
      lstat: stat(disk.lstat(at)),
      stat: stat(disk.stat(at)),
      text: kind === 'file' && new TextDecoder().decode(disk.readBytes(at)),
      list: kind === 'directory' && disk.list(at),
      link: disk.readLink(at),
      real: disk.realpath(at)?.replace(root, ''),
    };
  });
}

// The comparison needs links and modes, which not every Windows supports.
const onUnix = process.platform === 'win32' ? tests.skip : tests;

onUnix('the same operations give the same state, and the underlying disk is unchanged', () => {
  let run = 0;
  fc.assert(
    fc.property(fc.array(act, { minLength: 1, maxLength: 6 }), acts => {
      const name = `run${run++}`;
      const real = start(`${name}-real`);
      const below = start(`${name}-below`);
      const before = seen(nodeDisk, below);
      const view = overlayDisk(nodeDisk);
      for (const [, one] of acts) {
        let failed = false;
        const kept = `${real}-kept`;
        cpSync(real, kept, { recursive: true, verbatimSymlinks: true });
        try {
          one(nodeDisk, place => join(real, place));
        } catch {
          failed = true;
          rmSync(real, { recursive: true });
          cpSync(kept, real, { recursive: true, verbatimSymlinks: true });
        }
        rmSync(kept, { recursive: true });
        if (!failed) one(view, place => join(below, place));
        assert.equal(seen(view, below), seen(nodeDisk, real));
      }
      assert.equal(seen(nodeDisk, below), before);
      rmSync(real, { recursive: true });
      rmSync(below, { recursive: true });
    }),
    { numRuns: runs(30) },
  );
});

tests('a query costs about as many accesses to the underlying disk as its path has segments', () => {
  const folder = join(base, ...Array.from({ length: 12 }, (_, at) => `level${at}`));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'a.md'), 'a');
  let looks = 0;
  const counted = new Proxy(nodeDisk, {
    get: (target, name: keyof WritableDisk) => {
      looks += 1;
      return target[name];
    },
  });
  const view = overlayDisk(counted);
  view.writeBytes(join(folder, 'b.md'), new Uint8Array());
  for (const ask of ['lstat', 'stat', 'readBytes', 'realpath', 'readLink'] as const) {
    looks = 0;
    for (const name of ['a.md', 'b.md', 'c.md', 'none/d.md']) view[ask](join(folder, name));
    assert.ok(looks < 4 * 3 * (folder.split('/').length + 2), `${ask}: ${looks} looks`);
  }
});

tests.run();
