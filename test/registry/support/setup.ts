/** Repositories, folders and registries for tests, with isolated Git settings. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { nodeDisk } from '../../../src/host/disk.ts';
import type { RegistrySettings } from '../../../src/registry/reference.ts';
import { createRegistries } from '../../../src/registry/registries.ts';
import type { RegistryOptions } from '../../../src/registry/source-context.ts';
import type { Located } from '../../../src/registry/tree.ts';
import type { Diagnostic } from '../../../src/text/diagnostics/diagnostic.ts';
import type { Span } from '../../../src/text/source.ts';

const made: string[] = [];
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A new empty folder that is removed at the end of the test file. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'registry-test-'));
  made.push(path);
  return path;
}

export function write(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

// The git settings of the user must not affect the tests.
const gitconfig = join(folder(), 'gitconfig');
writeFileSync(
  gitconfig,
  '[user]\n\tname = Test\n\temail = test@example.com\n[init]\n\tdefaultBranch = main\n[uploadpack]\n\tallowAnySHA1InWant = true\n[safe]\n\tdirectory = *\n',
);
for (const name of Object.keys(process.env)) if (name.startsWith('GIT_')) delete process.env[name];
process.env.GIT_CONFIG_GLOBAL = gitconfig;
process.env.GIT_CONFIG_NOSYSTEM = '1';

/** Adds text to the git configuration of this process. Returns a function that removes it. */
export function configureGit(text: string): () => void {
  const before = readFileSync(gitconfig, 'utf8');
  writeFileSync(gitconfig, before + text);
  return () => writeFileSync(gitconfig, before);
}

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** A repository with one commit and the given tags. Returns its folder. */
export function repository(files: Readonly<Record<string, string>>, tags: readonly string[] = []): string {
  const root = folder();
  git(root, 'init', '--quiet');
  commit(root, files, 'First');
  for (const tag of tags) git(root, 'tag', '-a', tag, '-m', tag);
  return root;
}

/** Commits files. Returns the hash. */
export function commit(root: string, files: Readonly<Record<string, string>>, message: string): string {
  write(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '--quiet', '--allow-empty', '-m', message);
  return git(root, 'rev-parse', 'HEAD');
}

export const at: Span = { source: { name: 'project.prs', text: '@inherit @acme/base' }, start: 9, end: 19 };

export interface Run {
  readonly registries: ReturnType<typeof createRegistries>;
  readonly diagnostics: Diagnostic[];
  readonly progress: string[];
  readonly cacheDir: string;
  /** The text of the referenced file. `.prs` is appended. */
  readonly read: (reference: string, version?: string) => Promise<string | undefined>;
  readonly locate: (reference: string, version?: string) => Promise<Located | undefined>;
  readonly codes: () => string[];
  readonly text: () => string;
}

/** Short timeouts that keep tests fast. */
export const limits = { silence: 20_000, limit: 40_000, request: 5_000, pause: 5, longestPause: 2_000 };

/** Opens the registries of a configuration, as a run of the compiler does. */
export function run(config: RegistrySettings, options: Partial<RegistryOptions> = {}): Run {
  const diagnostics: Diagnostic[] = [];
  const progress: string[] = [];
  const cacheDir = options.cacheDir ?? folder();
  const registries = createRegistries(
    {
      config,
      root: folder(),
      disk: nodeDisk,
      environment: process.env,
      frozen: false,
      clock: () => new Date(),
      progress: text => progress.push(text),
      limits,
      ...options,
      cacheDir,
    },
    diagnostic => diagnostics.push(diagnostic),
  );
  const locate = (reference: string, version?: string) => registries.locate(reference, version, at);
  return {
    registries,
    diagnostics,
    progress,
    cacheDir,
    locate,
    async read(reference, version) {
      const found = await locate(reference, version);
      const bytes = found && (await found.tree.read(`${found.path}.prs`));
      return bytes && Buffer.from(bytes).toString('utf8');
    },
    codes: () => diagnostics.map(({ code }) => code),
    text: () => JSON.stringify(diagnostics.map(({ code, message, hint }) => ({ code, message, hint }))),
  };
}

/** Every file below a folder, with its bytes as Latin-1 text for searching. */
export function everyFile(root: string): { readonly path: string; readonly text: string }[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => {
      const path = join(entry.parentPath ?? entry.path, entry.name);
      return { path, text: readFileSync(path, 'latin1') };
    });
}
