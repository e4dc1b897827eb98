/** Text from others cannot send control sequences to the terminal: names, values and remote texts are escaped in all output. */
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CommandInfo, describeCommands } from '../../src/cli/help.ts';
import { escapeText, renderStyles, styleOf } from '../../src/text/style.ts';
import { runs, sample } from '../support/depth.ts';
import fc from '../support/property.ts';
import { environment, program, project, prs, prsBeside, read, write } from './prs.ts';

/** A colour, a window title, a clear-screen sequence, and C1, bidi, zero-width, tag and separator characters. */
const evil = 'a\x1b[31mb\x1b]0;t\x07c\x1b[2J\u202ed\u2066\u200be\u009b1mg\x7fh\u2028i\u{e0041}j';
/** The same text, usable as a file name and a YAML key. */
const name = evil.replaceAll('/', '');
const quoted = JSON.stringify(evil).replace('\u{e0041}', '\\U000e0041');

const styles = /\x1b\[(?:1|2|22|31|32|33|34|36|39)m/g;
const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u206f]|\udb40[\udc00-\udc7f]/;

function assertSafe(text: string, what: string): void {
  const rest = text.replace(styles, '');
  const at = rest.search(steering);
  assert.is(at, -1, `${what}: ${JSON.stringify(rest.slice(Math.max(0, at - 80), at + 40))}`);
}

const skill = `---\nname: ${JSON.stringify('deploy')}\ndescription: ${quoted}\n---\n\n# ${evil}\n`;
const markdown = `# ${evil}\n\n- Use tabs ${evil}.\n\n## ${evil}\n\nText ${evil}.\n`;
const config = 'id: x\nsyntax: "1.5.0"\ntargets: [claude, cursor, codex, github]\nvalidation: { rules: { hidden-unicode: off } }\n';

/** A project that compiles, with instruction files of tools next to its sources. */
const valid = {
  'instr.yaml': config,
  '.instr/project.prs': `@meta { id: "x" syntax: "1.5.0" }\n@context { a: "${evil}" }\n@standards { code: ["${evil}", "Small"] }\n@skills { s1: { description: "${evil}" content: """\n${evil}\n""" } }\n@local { "mine ${evil}" }\n`,
  [`.instr/rules/${name}.prs`]: `@guards { g: { applyTo: ["**/*.ts"] content: "${evil}" } }\n`,
  [`.instr/skills/${name}/SKILL.md`]: skill,
  'CLAUDE.md': markdown,
  [`.claude/skills/${name}/SKILL.md`]: skill,
  [`.claude/rules/${name}.md`]: markdown,
  [`.cursor/rules/${name}.mdc`]: `---\ndescription: ${quoted}\n---\n${markdown}`,
  [`${name}.md`]: markdown,
};

/** The same instruction files in a project without a configuration. */
const unmigrated = Object.fromEntries(Object.entries(valid).filter(([path]) => !/instr/.test(path)));

/** A project with an error in every file. */
const broken = {
  ...valid,
  'instr.yaml': `id: ${quoted}\nsyntax: ${quoted}\n${quoted}: 1\ntargets: [${quoted}, claude: { version: ${quoted}, output: ${quoted} }]\nregistries: { ${quoted}: ${quoted} }\nbuilds: { ${quoted}: { output: ${quoted} } }\n`,
  '.instr/project.prs': `@meta { id: "${evil}" syntax: "1.5.0" }\n@use ./${evil}\n@use @${evil}/b\n@${evil} { ${evil}: 1 }\n@context { "${evil}": ${evil} }\n`,
  '.instr/manifest.json': evil,
  'instr.lock': `{ ${quoted}: 1 }`,
};

const hostile = {
  PRS_NAME: evil,
  USER: evil,
  FORCE_COLOR: '1',
  COLUMNS: '60',
  INSTR_CACHE_DIR: project({}),
  HOME: project({ '.config/instr/instr.yaml': config, '.config/instr/project.md': markdown }),
};

/** Options with which the program does not end. */
const endless = new Set(['--watch', '--absorb']);

const more: Readonly<Record<string, readonly string[][]>> = {
  view: [['--as', 'claude'], ['--as', 'claude', '--at', name], ['--as', 'claude', '--file', `${name}.md`]],
  diff: [['--all', '--full']],
  compile: [['--force', '--verbose'], ['--dry-run', '--verbose']],
  absorb: [['--new', '--dry-run'], ['--new', '--dry-run', `.claude/rules/${name}.md`]],
  migrate: [['--static', '--dry-run'], ['--llm', '--dry-run']],
  import: [[`${name}.md`, '--dry-run'], [`${name}.md`]],
  explain: [['standards.code[0]'], ['standards'], ['CLAUDE.md:5'], ['--rules']],
  targets: [['claude'], ['--overlap']],
  init: [['--yes', '--dry-run'], ['--yes', '--name', evil]],
  fleet: [['plan', '--repos', '.'], ['plan', '--repos', evil], ['apply', '--repos', '.']],
};

/** Lines with each option alone, with a positional argument that has the characters, and the combinations in `more`. */
function linesOf({ name: command, options }: CommandInfo): string[][] {
  const single = options
    .map(({ names, takesValue }) => ({ option: names.at(-1)!, takesValue }))
    .filter(({ option }) => !endless.has(option))
    .map(({ option, takesValue }) => (takesValue ? [option, evil] : [option]));
  return [[], [evil], [`--${evil}`], ...single, ...(more[command] ?? [])].map(words => [command, ...words]);
}

const tests = suite('escaping');

const commands = await describeCommands();
for (const [number, [kind, files]] of Object.entries({ valid, unmigrated, broken }).entries()) {
  for (const command of commands) {
    tests(`${command.name} in a project of kind ${kind}`, () => {
      const folder = project(files);
      // Each kind of project runs a different sample of the lines.
      for (const args of sample(linesOf(command), number)) {
        const { stdout, stderr, status } = prs(folder, args, hostile);
        const what = JSON.stringify(args);
        assert.ok(status !== null && status < 70, `${what}: ${status} ${stderr}`);
        assertSafe(stderr, what);
        if (args.includes('--json') && stdout !== '') for (const json of stdout.startsWith('{\n') ? [stdout] : stdout.trim().split('\n')) JSON.parse(json);
        assertSafe(stdout, what);
      }
    });
  }
}

tests('responses of a registry and a Git server', async () => {
  const packet = (text: string) => (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;
  const server = createServer(({ url = '' }, response) => {
    if (url.includes('/info/refs')) {
      response.setHeader('content-type', 'application/x-git-upload-pack-advertisement');
      response.end(`${packet('# service=git-upload-pack\n')}0000${packet(`ERR ${evil}`)}`);
    } else if (url.includes('bad')) {
      response.statusCode = 500;
      response.end(evil);
    } else response.end(`@meta { id: "${evil}" syntax: "1.5.0" }\n@${evil} { "${evil}" }\n`);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    for (const [reference, registry] of [
      ['@web/base', `registries: { "@web": { url: "${origin}/" } }\n`],
      ['@web/bad', `registries: { "@web": { url: "${origin}/" } }\n`],
      ['@web/base', `registries: { "@web": { git: { url: "${origin}/r.git" } } }\n`],
    ] as const) {
      const source = `@meta { id: "x" syntax: "1.5.0" }\n@use ${reference}\n`;
      const folder = project({ 'instr.yaml': config + registry, '.instr/project.prs': source });
      for (const args of [['compile'], ['validate', '--verbose'], ['lock'], ['status', '--outdated'], ['status'], ['compile', '--json']]) {
        const { stdout, stderr } = await prsBeside(folder, args, hostile);
        assertSafe(stdout + stderr, `${registry} ${JSON.stringify(args)}`);
      }
    }
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

tests('on a terminal', () => {
  if (spawnSync('script', ['--version']).status !== 0) return;
  const folder = project(valid);
  for (const line of ['compile', 'compile --force --verbose', 'view', 'diff --all', 'view --as claude', 'absorb --new --dry-run', 'validate']) {
    const command = `'${process.execPath}' '${program}' ${line}`;
    const { stdout } = spawnSync('script', ['-qec', command, '/dev/null'], {
      cwd: folder,
      env: environment({ ...hostile, FORCE_COLOR: undefined, PAGER: 'cat', TERM: 'xterm', CI: '1' }),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    assert.ok(stdout.length > 0, line);
    assertSafe(stdout.replaceAll('\r\n', '\n').replaceAll('\r\x1b[2K', ''), line);
  }
});

tests('writes contents to a pipe unchanged', () => {
  const folder = project({ ...valid, 'instr.yaml': config.replace(', cursor, codex, github', '') });
  assert.is(prs(folder, ['compile', '--force']).status, 0);
  const content = read(folder, 'CLAUDE.md');
  assert.ok(steering.test(content));
  const { stdout } = prs(folder, ['view', '--as', 'claude']);
  assert.ok(stdout.includes(content.trimEnd()));
  assert.ok(prs(folder, ['view']).stdout.split('\n').some(path => path.includes(name)));
  const given = `@meta { id: "x" syntax: "1.5.0" }\n@context { a: "\u202e" }\n`;
  const formatted = spawnSync(process.execPath, [program, 'format', '--stdin-file-path', 'a.prs'], { input: given, encoding: 'utf8', env: environment() });
  assert.ok(formatted.stdout.includes('\u202e'));
  // JSON has the same value, with control characters as escapes.
  const { stdout: json } = prs(folder, ['view', '--as', 'claude', '--json']);
  assertSafe(json, 'view --json');
  assert.ok(JSON.parse(json).view.parts.some(({ text }: { text: string }) => text === content));
});

tests('prints the same output from the stamp, including styles', () => {
  const folder = project({ ...valid, '.claude/settings.json': '{}' });
  prs(folder, ['compile', '--force'], hostile);
  const [first, second, third] = [1, 2, 3].map(() => prs(folder, ['compile'], hostile));
  for (const { stdout, stderr } of [first!, second!, third!]) assertSafe(stdout + stderr, 'compile');
  const plain = ({ stdout, stderr }: { stdout: string; stderr: string }) => stderr + stdout.replace(/\d+ ms/, '');
  assert.is(plain(third!), plain(second!));
});

tests('names cannot form workflow commands of GitHub', () => {
  const command = '::add-mask::x';
  const folder = project({
    ...valid,
    '.instr/project.prs': `@meta { id: "x" syntax: "1.5.0" }\n@contxt { a: "${command}" }\n@context { a: """\n${command}\n  ##[add-mask]x\n""" }\n`,
    [`${command}%0A.prs`]: `@${command} {\n`,
    [`.claude/rules/${command}.md`]: `${command}\n`,
  });
  write(folder, 'instr.yaml', `${config}input: { include: ["**/*.prs"] }\n`);
  for (const args of [['validate'], ['compile', '--verbose'], ['compile', '--dry-run'], ['absorb', '--new', '--dry-run'], ['validate', '--format', 'github'], ['diff', '--json']]) {
    const { stdout, stderr } = prs(folder, args, { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: folder });
    for (const line of `${stdout}\n${stderr}`.split('\n')) {
      assert.ok(!line.includes('##['), `${JSON.stringify(args)}: ${line}`);
      if (line.trim().startsWith('::')) assert.match(line, /^::(?:error|warning|notice) (?:file=[^:,]*,)?[^:]*title=PRS\d+[^:]*::/, JSON.stringify(args));
    }
  }
});

tests('escaped text is harmless and cannot be mistaken for a style', () => {
  const pieces = fc.oneof(fc.constantFrom('\x1b[31m', '\x1b[12;31m', '\x1b]8;;', '\r', '\u202e', '\u{e0041}', '\u009b', '\n', '\t'), fc.string({ unit: 'binary' }));
  fc.assert(
    fc.property(fc.array(pieces), fc.boolean(), (parts, colors) => {
      const text = parts.join('');
      const escaped = escapeText(text);
      assertSafe(escaped, 'escaped');
      assert.not.match(escaped, /\x1b/);
      assert.is(escapeText(escaped), escaped);
      const red = styleOf(31, 39);
      const output = renderStyles(escapeText(red(text)), colors);
      assert.is(output, text === '' ? '' : colors ? `\x1b[31m${escaped}\x1b[39m` : escaped);
    }),
    { numRuns: runs(2000) },
  );
});

tests.run();
