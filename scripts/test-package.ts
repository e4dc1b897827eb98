/**
 * Tests the published package: packs it, installs the tarball into a small project, imports the library from JavaScript
 * and TypeScript, and runs the program with every supported Node. The last line is `N passed, N failed`. Checks that need
 * the registry are skipped, and listed, if it cannot be reached.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root } from './generate.ts';

/** The oldest Node major version that the package supports, and the newer ones. */
const nodes = ['20', '22', '24'];

/** Maximum size of the tarball in bytes. A larger package must be a deliberate decision. */
const largest = 2_500_000;

const folder = mkdtempSync(join(tmpdir(), 'prs-package-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const counts = { passed: 0, failed: 0, skipped: 0 };

class Skipped extends Error {}

function check(title: string, body: () => string): void {
  try {
    const note = body();
    counts.passed++;
    console.log(` ok  ${title}${note && `: ${note}`}`);
  } catch (error) {
    if (error instanceof Skipped) {
      counts.skipped++;
      console.log(`skip ${title}: ${error.message}`);
      return;
    }
    counts.failed++;
    const { message, stdout } = error as Error & { stdout?: string };
    console.log(`FAIL ${title}\n${[message, stdout].filter(Boolean).join('\n').replace(/^/gm, '     ')}`);
  }
}

function ensure(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(message);
}

/** Runs a program. If it fails, the thrown error contains its output. */
const run = (cwd: string, command: string, args: readonly string[]): string =>
  execFileSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, CI: '', GITHUB_ACTIONS: '', NODE_OPTIONS: '' },
    maxBuffer: 1 << 28,
  });

const npm = (cwd: string, ...args: string[]): string => run(cwd, 'npm', [...args, '--no-audit', '--no-fund']);

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const consumer = join(folder, 'consumer');
const installed = join(consumer, 'node_modules/instr');
let packed: Packed;

check('the package can be packed', () => {
  // The build must print nothing before the list: pre-commit takes the complete output for a file name.
  const printed = npm(root, 'pack', '--json', '--pack-destination', folder);
  const listed: Packed[] | Record<string, Packed> = JSON.parse(printed);
  packed = Object.values(listed)[0]!;
  ensure(packed.size < largest, `the tarball has ${packed.size} bytes, more than ${largest}`);
  return `${Math.round(packed.size / 1024)} kB packed, ${Math.round(packed.unpackedSize / 1024)} kB unpacked`;
});

check('the package contains all required files and no others', () => {
  const expected = [
    /^(?:LICENSE|README\.md|package\.json)$/,
    /^dist\/(?:index\.js|prs\.cjs)$/,
    /^dist\/chunks\/[\w-]+\.cjs$/,
    /^dist\/library\/[\w-]+\.js$/,
    /^dist\/browser\/(?:stream\/|timers\/)?[a-z_]+\.js$/,
    /^dist\/types\/(?:[\w-]+\/)*[\w-]+\.d\.ts$/,
    /^dist\/schema\/(?:config|local|lock|manifest|report|target)\.schema\.json$/,
    /^dist\/manual\/[a-z]+\.md$/,
    /^dist\/data\/tools(?:\.schema)?\.json$/,
    /^dist\/THIRD_PARTY_LICENSES\.txt$/,
  ];
  const paths = packed.files.map(({ path }) => path);
  const surplus = paths.filter(path => !expected.some(pattern => pattern.test(path)));
  ensure(surplus.length === 0, `unexpected files: ${surplus.join(', ')}`);
  const missing = expected.filter(pattern => !paths.some(path => pattern.test(path)));
  ensure(missing.length === 0, `no file matches ${missing.join(', ')}`);
  return `${paths.length} files`;
});

const tarball = new Uint8Array(readFileSync(join(folder, packed!.filename)));
const types = await checkPackage(createPackageFromTarballData(tarball));
const advice = await publint({ pack: { tarball: tarball.buffer }, strict: true });

check('types and files of the package resolve for importers and tools', () => {
  // The library consists of ES modules. TypeScript before 4.7 does not support them in packages and is ignored here.
  const found = types.types ? types.problems.map(one => JSON.stringify(one)) : ['there are no types'];
  const problems = found.filter(one => !/"resolutionKind":"node(?:10|16-cjs)"/.test(one));
  problems.push(...advice.messages.map(one => formatMessage(one, advice.pkg) ?? one.code));
  ensure(problems.length === 0, problems.join('\n'));
  return 'attw and publint report no problems';
});

check('the package can be installed', () => {
  write(join(consumer, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  const tarball = join(folder, packed.filename);
  const { status } = spawnSync('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', tarball], {
    cwd: consumer,
    stdio: 'ignore',
  });
  if (status === 0) return 'by npm';
  // Unpacking is enough, because the package has no dependencies.
  mkdirSync(installed, { recursive: true });
  run(installed, 'tar', ['-xzf', tarball, '--strip-components=1']);
  return 'unpacked by tar, without a registry';
});

const library = `import { compile, parse, print, targets, validate } from 'instr';

const files = {
  'instr.yaml': 'id: sample\\nsyntax: "1.5.0"\\ntargets: [' + targets()[0].id + ']\\nformatting: { tabWidth: 4 }\\n',
  '.instr/project.prs': '@meta { id: "sample" syntax: "1.5.0" }\\n@identity { "You maintain the sample." }\\n',
};
const result = await compile({ files });
if (!result.ok || result.diagnostics.some(({ severity }) => severity === 'error')) throw new Error(JSON.stringify(result.diagnostics));
if (!result.files.some(({ content }) => String(content).includes('You maintain the sample.'))) throw new Error('text is missing');
const again = await compile({ files: { ...files, ...Object.fromEntries(result.files.map(({ path, content }) => [path, content ?? ''])) } });
if (!again.files.every(({ state }) => state === 'adopted')) throw new Error(JSON.stringify(again.files));
if (!(await validate({ files })).ok) throw new Error('validate finds errors');
const broken = await compile({ files: { ...files, '.instr/project.prs': '@identity {' } });
if (broken.ok || broken.diagnostics.length === 0) throw new Error('a broken source compiles');
const text = print(parse(files['.instr/project.prs']).document);
if (print(parse(text).document) !== text) throw new Error('printing is not stable');
console.log(result.files.map(({ path }) => path).join(' '));
`;

const typed = `import { compile, type CompiledFile, type Diagnostic, parse, type Target, targets } from 'instr';
import type { Declaration } from 'instr';

const first: Target | undefined = targets()[0];
const { files, diagnostics, ok } = await compile({ files: { 'instr.yaml': '' }, targets: first ? [first.id] : [] });
const contents: readonly (string | Uint8Array | undefined)[] = files.map((file: CompiledFile) => file.content);
const lines: (number | undefined)[] = diagnostics.map((found: Diagnostic) => found.line);
const declarations: readonly Declaration[] = parse('@meta { id: "x" syntax: "1.5.0" }').document.declarations;
export { contents, declarations, lines, ok };
// @ts-expect-error a project needs files
await compile({});
`;

check('the library works from JavaScript', () => {
  write(join(consumer, 'library.js'), library);
  return run(consumer, process.execPath, ['library.js']).trim();
});

for (const [moduleResolution, module] of [
  ['nodenext', 'nodenext'],
  ['bundler', 'esnext'],
] as const) {
  check(`the types work with ${moduleResolution}`, () => {
    write(join(consumer, 'typed.ts'), typed);
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2022',
      lib: ['es2023'],
      strict: true,
      noEmit: true,
      types: [],
    };
    write(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
    return run(consumer, process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', '.']);
  });
}

check('an installation from Git contains the program', () => {
  const place = join(folder, 'from-git');
  write(join(place, 'package.json'), '{ "name": "from-git", "private": true }\n');
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--prefer-offline', '--no-audit', '--no-fund', `git+file://${root}`],
    { cwd: place, encoding: 'utf8' },
  );
  if (status !== 0 && /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENOTCACHED/.test(stderr))
    throw new Skipped('its dependencies cannot be installed without a registry');
  ensure(status === 0, stderr);
  const versions = ['instr', 'prs'].map(name =>
    run(place, join(place, 'node_modules/.bin', name), ['--version']).trim(),
  );
  ensure(versions[0] === versions[1], versions.join(' and '));
  run(place, join(place, 'node_modules/.bin/instr'), [
    'init',
    '--yes',
    '--name',
    'from-git',
    '--targets',
    'claude',
  ]);
  run(place, join(place, 'node_modules/.bin/instr'), ['compile']);
  return versions[0]!;
});

check('editors find the schema of the configuration', () => {
  const schema = JSON.parse(readFileSync(join(installed, 'dist/schema/config.schema.json'), 'utf8'));
  ensure(schema.$id.endsWith('/config.schema.json'), 'the $id is wrong');
  const names: string[] = schema.definitions.TargetEntry.anyOf[0].enum;
  ensure(names.length > 90, `only ${names.length} target names`);
  return `${names.length} target names`;
});

/** Runs the installed program with a given Node, without a network if the system supports that. */
function prs(node: string, project: string, ...args: string[]): string {
  const words = [node, join(installed, 'dist/prs.cjs'), ...args];
  return canCutNetwork ? run(project, 'unshare', ['-rn', ...words]) : run(project, words[0]!, words.slice(1));
}

const canCutNetwork = spawnSync('unshare', ['-rn', 'true'], { stdio: 'ignore' }).status === 0;

function useProgram(node: string): string {
  const project = mkdtempSync(join(folder, 'project-'));
  prs(node, project, 'init', '--yes', '--targets', 'claude,cursor');
  prs(node, project, 'compile');
  prs(node, project, 'validate', '--strict');
  prs(node, project, 'compile', '--check');
  const before = readdirSync(project, { recursive: true }).length;
  cpSync(join(root, 'test/projects/kitchen-sink'), join(project, 'kitchen-sink'), { recursive: true });
  prs(node, join(project, 'kitchen-sink'), 'compile', '--quiet');
  run(consumer, node, ['library.js']);
  return `${run(folder, node, ['--version']).trim()}, ${before} files${canCutNetwork ? ', no network' : ''}`;
}

for (const major of nodes) {
  check(`the program and the library work with Node ${major}`, () => useProgram(findNode(major)));
}

/** The current Node if its version matches, otherwise the one from the npm package `node`. */
function findNode(major: string): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const place = join(folder, `node-${major}`);
  mkdirSync(place);
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', place, `node@${major}`],
    { cwd: place, encoding: 'utf8' },
  );
  const node = join(place, 'node_modules/node/bin/node');
  if (status === 0 && spawnSync(node, ['--version']).status === 0) return node;
  throw new Skipped(
    `the npm package node@${major} cannot be installed (${/npm error (?:code )?(\S+)/.exec(stderr)?.[1] ?? 'no registry'})`,
  );
}

if (counts.skipped > 0) console.log(`${counts.skipped} skipped`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
