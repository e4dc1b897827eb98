/** Which functions of the program runs call, found by running it on examples. */
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import {
  allTargets,
  type Files,
  layers,
  manySkills,
  manyUses,
  sample,
  tiny,
  writeFiles,
} from '../bench/samples.ts';
import { root } from '../generate.ts';

const run = promisify(execFile);

const targets = ['claude', 'cursor', 'github', 'codex', 'gemini'];

/** What people have, in small: a folder of this repository, or files. */
const projects: Readonly<Record<string, Files | string>> = {
  tiny: tiny(targets),
  sample: sample(targets),
  every: sample(allTargets),
  skills: manySkills(10, targets),
  layers: layers(5, targets),
  uses: manyUses(10, targets),
  sink: join(root, 'test/projects/kitchen-sink'),
};

/** Files that make a folder a repository. */
const repository: Files = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\trepositoryformatversion = 0\n',
  '.git/refs/heads/.keep': '',
  '.git/objects/.keep': '',
  '.gitignore': 'node_modules/\n*.log\n',
};

/** A compile that makes everything, checks, and a compile that changes something, also with what such runs leave for the next one. */
const runs = [
  { words: ['validate'], environment: { INSTR_STAMP: '0' } },
  { words: ['compile'] },
  { words: ['compile'], environment: { INSTR_STAMP: '0' } },
  { words: ['validate'] },
  { words: ['compile'], edits: true },
];

/** Places of functions, as `start:end`, of the script with the name `file` that one of the runs called. `texts` is the program, by paths below `dist/`. */
export async function functionsRun(
  texts: Iterable<readonly [path: string, text: string]>,
  file: string,
): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'prs-functions-'));
  try {
    for (const [path, text] of texts) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const waiting = Object.entries(projects);
    await Promise.all(
      Array.from({ length: Math.min(availableParallelism(), 4) }, async () => {
        for (let next = waiting.shift(); next; next = waiting.shift()) await runIn(folder, ...next);
      }),
    );
    return calledIn(join(folder, 'coverage'), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runIn(folder: string, name: string, project: Files | string): Promise<void> {
  const cwd = join(folder, 'projects', name);
  if (typeof project === 'string') cpSync(project, cwd, { recursive: true });
  else writeFiles(cwd, project);
  writeFiles(cwd, repository);
  const clean = {
    ...Object.fromEntries(['PATH', 'SystemRoot', 'TEMP'].map(name => [name, process.env[name]])),
    HOME: folder,
    USERPROFILE: folder,
    INSTR_CACHE_DIR: join(folder, 'cache'),
    NODE_DISABLE_COMPILE_CACHE: '1',
    NODE_V8_COVERAGE: join(folder, 'coverage'),
  };
  for (const { words, environment, edits } of runs) {
    const source = join(cwd, '.instr/project.prs');
    if (edits) writeFileSync(source, `${readFileSync(source, 'utf8')}\n@context { """One more line.""" }\n`);
    await run(process.execPath, [join(folder, 'dist/prs.cjs'), ...words], {
      cwd,
      env: { ...clean, ...environment },
    });
  }
}

/** What V8 writes at the end of a process, as far as it is read here. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

function calledIn(folder: string, file: string): ReadonlySet<string> {
  const called = new Set<string>();
  for (const name of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage;
    for (const { functions } of result.filter(({ url }) => url.endsWith(`/${file}`))) {
      for (const {
        ranges: [whole],
      } of functions)
        if (whole!.count > 0) called.add(`${whole!.startOffset}:${whole!.endOffset}`);
    }
  }
  return called;
}
