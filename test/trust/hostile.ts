/** Hostile repositories, made by real commits and cloned by real Git, next to a home folder as target of the attack. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Project } from '../plan/support/project.ts';

/**
 * What the attacker commits: texts, programs and links by path. `HOME` in them is replaced by the home folder of the
 * victim.
 */
export interface Attack {
  readonly files?: Readonly<Record<string, string>>;
  readonly programs?: Readonly<Record<string, string>>;
  readonly links?: Readonly<Record<string, string>>;
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** The clone of the victim, and its environment. */
export class Victim extends Project {
  readonly home: string;

  constructor({ files = {}, programs = {}, links = {} }: Attack) {
    const base = mkdtempSync(join(tmpdir(), 'victim-'));
    super(base);
    folders.push(base);
    this.home = join(base, 'home');
    mkdirSync(join(this.home, 'empty'), { recursive: true });
    writeFileSync(join(this.home, 'precious'), 'precious\n');
    const origin = join(base, 'origin');
    mkdirSync(origin);
    const git = (cwd: string, ...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@example.org', ...args], { cwd, stdio: 'pipe' });
    git(origin, 'init', '-q');
    const put = (path: string, text: string, mode: number) => {
      mkdirSync(dirname(join(origin, path)), { recursive: true });
      writeFileSync(join(origin, path), text.replaceAll('HOME', this.home), { mode });
    };
    put('README.md', 'harmless\n', 0o644);
    for (const [path, text] of Object.entries(files)) put(path, text, 0o644);
    for (const [path, text] of Object.entries(programs)) put(path, text, 0o755);
    for (const [path, target] of Object.entries(links)) {
      mkdirSync(dirname(join(origin, path)), { recursive: true });
      symlinkSync(target.replaceAll('HOME', this.home), join(origin, path));
    }
    git(origin, 'add', '-A', '-f', '.');
    git(origin, 'commit', '-q', '-m', 'come and see');
    git(base, 'clone', '-q', '--template=', origin, this.root);
  }

  /** The home folder, and files that Git runs or follows. They must not change. */
  guarded(): Record<string, string> {
    const found: Record<string, string> = {};
    const walk = (folder: string) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) {
          found[path] = 'a folder';
          walk(path);
        } else if (entry.isSymbolicLink()) found[path] = `-> ${readlinkSync(path)}`;
        else found[path] = `${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'latin1')}`;
      }
    };
    walk(this.home);
    walk(join(this.root, '.git'));
    // `git status` writes it.
    delete found[join(this.root, '.git', 'index')];
    return found;
  }
}
