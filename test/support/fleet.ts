/**
 * A fleet for benchmarks and tests: one registry and any number of repositories in five shapes. All are real Git
 * repositories.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Files, writeFiles } from '../../scripts/bench/samples.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import { compileProject } from '../../src/project/compile.ts';
import { pinSources } from '../../src/project/pin.ts';
import type { CompileContext } from '../../src/project/session/world.ts';

/** A fixed identity, so that commits do not depend on the Git settings of the machine. */
const identity = [
  '-c',
  'user.name=Fleet',
  '-c',
  'user.email=fleet@example.com',
  '-c',
  'commit.gpgsign=false',
];

export const git = (cwd: string, ...args: string[]): string =>
  execFileSync('git', [...identity, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const meta = (id: string) => `@meta { id: "${id}" syntax: "1.5.0" }\n`;

/**
 * What a release changes: a rule that most repositories inherit, a rule that some use, a hook, or a comment that no
 * output contains.
 */
export type ReleasedChange = 'base' | 'typescript' | 'hook' | 'words';

/** The files of the registry, with the given changes. */
export const registryFiles = (
  changes: ReadonlySet<ReleasedChange> = new Set(),
  url = 'https://git.example.com/lumen/instructions.git',
): Files => ({
  'base.prs': `${meta('lumen-base')}@params { team: string }
@identity { """
You work for the {{team}} team of Lumen.
""" }
@standards {
  security: ["Validate input at every border", "Secrets come from the vault"]
  testing: ["Every bug fix comes with a test"${changes.has('base') ? ', "No test sleeps"' : ''}]
}
@skills {
  review: { description: "Review a change before it is merged" content: "Look for what breaks, then for what is unclear." }
}
${changes.has('words') ? '# A remark that no output has.\n' : ''}`,
  'typescript.prs': `${meta('lumen-typescript')}@standards {
  typescript: ["Strict mode", "Named exports only"${changes.has('typescript') ? ', "No enums"' : ''}]
}
`,
  'hooks.prs': `${meta('lumen-hooks')}@hooks { lint: { event: "stop" command: ["npm", "run", "${changes.has('hook') ? 'lint:all' : 'lint'}"] } }\n`,
  'skills/release/SKILL.md':
    '---\nname: release\ndescription: Cut a release of a service\n---\n\nRun the tests, write the changelog, tag the commit.\n',
  'company.yaml': `id: lumen
syntax: "1.5.0"
registries: { "@lumen": "${url}" }
policies:
  - { name: base-everywhere, kind: required-source, source: "@lumen/base", severity: error }
  - { name: security-stays, kind: property-protection, properties: [security], targetPattern: "@lumen/standards/*", append: allow, severity: error }
`,
});

/** Creates the registry with release v1.0.0. */
export function makeRegistry(folder: string): void {
  writeFiles(folder, registryFiles(new Set(), pathToFileURL(folder).href));
  git(folder, 'init', '-q', '-b', 'main');
  commitAll(folder, 'Instructions for all projects');
  git(folder, 'tag', 'v1.0.0');
}

/** Releases the registry with changes. */
export function releaseRegistry(folder: string, tag: string, changes: ReadonlySet<ReleasedChange>): void {
  writeFiles(folder, registryFiles(changes, pathToFileURL(folder).href));
  commitAll(folder, tag);
  git(folder, 'tag', tag);
}

function commitAll(folder: string, message: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '--allow-empty', '-m', message);
}

const config = (id: string, targets: string, registry: string, more = '') =>
  `id: ${id}\nsyntax: "1.5.0"\ntargets: [${targets}]\nregistries: { "@lumen": "${registry}" }\n${more}`;

const own = (at: number) =>
  `@standards { api: ["Answer within ${100 + at} ms", "Errors have a code"] }\n@knowledge { """\nThe service ${at} keeps its data in table ${at}.\n""" }\n`;

/**
 * The shapes, by what they use: only the base; several registry sources; several packages; policies and hooks; an exact
 * version.
 */
export const shapes: readonly ((at: number, registry: string) => Files)[] = [
  (at, registry) => ({
    'instr.yaml': config(`service-${at}`, 'claude, codex', registry),
    '.instr/project.prs': `${meta(`service-${at}`)}@inherit @lumen/base@^1.0.0 (team: "team ${at % 40}")\n${own(at)}`,
  }),
  (at, registry) => ({
    'instr.yaml': config(`web-${at}`, 'claude, cursor, github', registry),
    '.instr/project.prs': `${meta(`web-${at}`)}@inherit @lumen/base@^1.0.0 (team: "team ${at % 40}")\n@use @lumen/typescript@^1.0.0\n@use @lumen/skills/release@^1.0.0\n${own(at)}`,
    '.instr/rules/styles.md': `---\napplyTo: ["src/**/*.css"]\n---\nUse tokens of the theme ${at}.\n`,
  }),
  (at, registry) => ({
    'instr.yaml': config(`mono-${at}`, 'claude', registry, 'packages: ["packages/*"]\n'),
    '.instr/project.prs': `${meta(`mono-${at}`)}@inherit @lumen/base@^1.0.0 (team: "team ${at % 40}")\n${own(at)}`,
    'shared/house.prs': `${meta('house')}@standards { house: ["Of house ${at}"] }\n`,
    'packages/app/instr.yaml': `id: app-${at}\nsyntax: "1.5.0"\ntargets: [claude]\nregistries: { "@lumen": "${registry}", "@root": { path: ../../shared } }\n`,
    'packages/app/.instr/project.prs': `${meta(`app-${at}`)}@use @root/house\n@use @lumen/typescript@^1.0.0\n${own(at)}`,
  }),
  (at, registry) => ({
    'instr.yaml': config(`strict-${at}`, 'claude, codex', registry, 'extends: "@lumen/company@^1.0.0"\n'),
    '.instr/project.prs': `${meta(`strict-${at}`)}@inherit @lumen/base@^1.0.0 (team: "team ${at % 40}")\n@use @lumen/hooks@^1.0.0\n${own(at)}`,
  }),
  (at, registry) => ({
    'instr.yaml': config(`pinned-${at}`, 'claude, codex', registry),
    '.instr/project.prs': `${meta(`pinned-${at}`)}@inherit @lumen/base@1.0.0 (team: "team ${at % 40}")\n${own(at)}`,
  }),
];

/** The index of the shape of a repository. */
export const shapeOf = (at: number): number => at % shapes.length;
export const nameOf = (at: number): string => `r${String(at).padStart(4, '0')}`;

/**
 * Creates repositories with sources, lock file, compiled files and one commit. Repositories of the same shape share a
 * lock file.
 */
export async function makeRepositories(
  folder: string,
  registry: string,
  numbers: readonly number[],
  cacheDir: string,
): Promise<void> {
  const first = new Map<number, string>();
  for (const at of numbers) {
    const root = join(folder, nameOf(at));
    const files = shapes[shapeOf(at)]!(at, registry);
    writeFiles(root, { ...files, ...others(at) });
    const model = first.get(shapeOf(at));
    first.set(shapeOf(at), model ?? root);
    for (const path of Object.keys(files).filter(name => name.endsWith('instr.yaml'))) {
      const inner = dirname(path);
      const world = worldAt(join(root, inner), cacheDir);
      const lock = join(inner, 'instr.lock');
      if (model === undefined) await done(pinSources(undefined, world), world);
      else if (existsSync(join(model, lock))) cpSync(join(model, lock), join(root, lock));
      await done(compileProject({ mode: 'write' }, world), world);
    }
    git(root, 'init', '-q', '-b', 'main', '--template=');
    commitAll(root, 'Instructions');
  }
}

const others = (at: number): Files => ({
  'README.md': `# Repository ${at}\n`,
  'src/index.ts': 'export {};\n',
  '.gitignore': '.instr/.state/\n',
});

/**
 * Runs the compiler in this process. Starting a process for each of a thousand repositories would take longer than
 * compiling them.
 */
const worldAt = (cwd: string, cacheDir: string): CompileContext & { readonly found: string[] } => {
  const found: string[] = [];
  return {
    disk: nodeDisk,
    clock: () => new Date(),
    cwd,
    environment: { INSTR_CACHE_DIR: cacheDir, PATH: process.env.PATH },
    report: ({ severity, message }) => void (severity === 'error' && found.push(message)),
    progress: () => {},
    found,
  };
};

async function done(work: Promise<unknown>, { cwd, found }: ReturnType<typeof worldAt>): Promise<void> {
  await work;
  if (found.length > 0) throw new Error(`${cwd}: ${found.join(' ')}`);
}

/** The changes of a repository according to Git: added and removed lines of each path. */
export function changesOf(root: string): Map<string, readonly [added: number, removed: number]> {
  git(root, 'add', '-A');
  const lines = git(root, 'diff', '--cached', '--numstat', '--no-renames').split('\n').filter(Boolean);
  return new Map(
    lines.map(line => {
      const [added, removed, path] = line.split('\t') as [string, string, string];
      return [path, [Number(added), Number(removed)]];
    }),
  );
}
