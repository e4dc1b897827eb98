/**
 * Follows the documents like a reader: writes the files that they show, runs their commands in order in a real shell
 * with real repositories, and compares the output with the documented output.
 *
 * A block whose first line is a comment with a path is a file. `# exits with 1` after a command is its exit code. All
 * other commands have to succeed. A text after commands is their output, in which `…` stands for omitted lines.
 */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, program } from '../cli/prs.ts';
import { type Block, documents, root, sessionsOf, titleOf } from './documents.ts';

/** Commands that cannot run in a test, and their replacements. */
const instead: readonly (readonly [command: string, does: string])[] = [
  // The modules are installed already. The tests would run this test. A build would replace the program while other
  // tests use it.
  ['npm ci', ':'],
  ['npm test', ':'],
  ['npm run test:unit', ':'],
  ['npm run check', ':'],
  ['npm run demo', 'npx tsx scripts/demo.ts'],
  // `site.test.ts` builds the site, and `docs.test.ts` checks the generated parts.
  ['npm run docs', ':'],
  // Clients come from the network. The runner is tested with a fake client (`test/prove`).
  ['npm run prove', ':'],
  // The published package is tested by `npm run test:package`.
  ['npm install --save-dev instr', 'mkdir -p node_modules/.bin && ln -s "$PROGRAM" node_modules/.bin/prs && ln -s prs node_modules/.bin/instr'],
];

const scratch = mkdtempSync(join(tmpdir(), 'steps-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));

/** An isolated environment for a session: a home folder with a project, and a folder as server of repositories. */
class Machine {
  readonly #folder = mkdtempSync(join(scratch, 'machine-'));
  #place: string;

  constructor(session: readonly Block[]) {
    const home = join(this.#folder, 'home');
    this.#place = join(home, 'shop');
    for (const path of [this.#place, join(this.#folder, 'bin')]) mkdirSync(path, { recursive: true });
    writeFileSync(
      join(home, '.gitconfig'),
      `[user]\n\tname = Reader\n\temail = reader@example.com\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n[url "file://${this.#folder}/server/"]\n\tinsteadOf = https://git.example.com/\n`,
    );
    const prs = join(this.#folder, 'bin/prs');
    writeFileSync(prs, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
    chmodSync(prs, 0o755);
    this.run('git init -q --bare "$HOME/../server/lumen/instructions.git" && git init -q');
    if (session.some(({ language, text }) => language === 'sh' && /\bnpm (?:ci|run)\b/.test(text))) this.#copyRepository();
  }

  /** Contributors work in a clone that contains the results of `npm ci` and a build. */
  #copyRepository(): void {
    const others = ['node_modules', 'dist', '.git', 'docs-site', 'coverage', '.cache'];
    cpSync(root, this.#place, { recursive: true, filter: path => !others.includes(relative(root, path)) });
    for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(this.#place, name));
  }

  write({ path, added }: NonNullable<Block['file']>, text: string): void {
    const file = join(this.#place, path);
    mkdirSync(dirname(file), { recursive: true });
    // Labels of tools are consecutive numbers. The label in the example is replaced by the next one.
    const label = existsSync(file) ? /^label: .*$/m.exec(readFileSync(file, 'utf8'))?.[0] : undefined;
    const own = label === undefined ? text : text.replace(/^label: .*$/m, label);
    (added ? appendFileSync : writeFileSync)(file, own);
  }

  /** Runs commands in the current directory of the previous ones. Throws if a command has an unexpected exit code. */
  run(commands: string): string {
    const file = join(this.#folder, 'place');
    const possible = instead.reduce(
      (text, [command, does]) => text.replace(new RegExp(`${command}(?![\\w:])`, 'g'), () => does),
      commands.replace(/^(.*?) +# exits with (\d+)$/gm, 'code=0; $1 || code=$?; test $code = $2'),
    );
    const script = `set -e\nexec 2>&1\n${possible}\npwd > '${file}'\n`;
    const { status, stdout } = spawnSync('bash', ['-c', script], {
      cwd: this.#place,
      encoding: 'utf8',
      env: environment({
        HOME: join(this.#folder, 'home'),
        PATH: `${join(this.#folder, 'bin')}:${process.env.PATH}`,
        INSTR_CACHE_DIR: join(this.#folder, 'cache'),
        GIT_CONFIG_GLOBAL: join(this.#folder, 'home/.gitconfig'),
        GIT_CONFIG_NOSYSTEM: '1',
        PROGRAM: program,
        npm_config_offline: 'true',
      }),
    });
    if (status !== 0) throw new Error(`${commands}\nended with ${status}:\n${stdout}`);
    this.#place = readFileSync(file, 'utf8').trim();
    return stdout;
  }
}

/**
 * Removes what differs between runs or does not matter for the document: times, commits, labels of new tools, sizes in
 * characters, and messages of npm.
 */
const steady = (text: string): string =>
  text
    .replace(/^npm warn .*\n/gm, '')
    .replace(/\b[0-9a-f]{64}\b/g, '(hash)')
    .replace(/\b(?=[0-9a-f]*\d)[0-9a-f]{7,40}\b/g, '(commit)')
    .replace(/\b\d+ ms\b|\b\d+(?:\.\d+)? s$/gm, '(time)')
    .replace(/\b\d+( characters +about) \d+( tokens)/g, '(number)$1 (number)$2')
    .replace(/^(label: t)\d+$/gm, '$1(number)')
    .replace(/\b\d{4}-\d\d-\d\d(?:[T ]\d\d[:-]\d\d[:-]\d\d(?:\.\d+Z)?)?/g, '(date)')
    .replace(/[ \t]+$/gm, '')
    .trim();

function assertPrints(actual: string, expected: string): void {
  const [is, should] = [steady(actual), steady(expected)];
  const pattern = should
    .split(/^…$/m)
    .map(part => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[\\s\\S]*?');
  if (!new RegExp(`^${pattern}$`).test(is)) assert.is(is, should);
}

for (const session of documents.flatMap(sessionsOf)) {
  const tests = suite(`${session[0]!.document}, from line ${session[0]!.line}`);
  let machine: Machine;
  let printed: string | undefined;
  tests.before(() => {
    machine = new Machine(session);
  });
  for (const block of session) {
    if (block.file) {
      tests(`${titleOf(block)} is written as ${basename(block.file.path)}`, () => {
        printed = undefined;
        // Where the example is for any tool, one is chosen.
        machine.write(block.file!, block.text.replaceAll('<target>', 'claude'));
      });
    } else if (block.language === 'sh') {
      tests(`${titleOf(block)} runs`, () => {
        printed = machine.run(block.text);
      });
    } else if (block.language === 'text') {
      tests(`${titleOf(block)} equals the output`, () => {
        if (printed !== undefined) assertPrints(printed, block.text);
        printed = undefined;
      });
    }
  }
  tests.run();
}
