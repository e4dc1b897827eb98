/** Sources that a policy does not allow are never requested, however a project refers to them. */
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { gitOverHttp, serve } from '../registry/support/web.ts';
import { type Files, minimal, project, prsBeside } from './prs.ts';

const tests = suite('allowlist');

const shared = project({
  'base.prs': '@meta { id: "base" syntax: "1.5.0" }\n@standards { code: ["Early returns"] }\n',
  'open.prs': '@meta { id: "open" syntax: "1.5.0" }\n\n@use @elsewhere/tips\n',
});
const git = (...args: string[]) => execFileSync('git', args, { cwd: shared, stdio: 'pipe' });
git('init', '-q', '-b', 'main');
git('add', '-A');
git('-c', 'user.name=t', '-c', 'user.email=t@example.com', 'commit', '-qm', 'first');

const company = await serve(gitOverHttp(dirname(shared), () => true));

/** A server without content that counts connections, in any protocol. */
const elsewhere = createServer((_request, response) => response.writeHead(404).end());
let calls = 0;
elsewhere.on('connection', () => {
  calls += 1;
});
await new Promise<void>(done => elsewhere.listen(0, '127.0.0.1', done));
const host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
const port = host.slice(host.indexOf(':') + 1);

tests.after(async () => {
  elsewhere.closeAllConnections();
  await Promise.all([company.close(), new Promise(done => elsewhere.close(done))]);
});

interface Way {
  readonly config?: string;
  readonly source?: string;
  /** File and line of the reference. */
  readonly at: string;
}

const ways: Readonly<Record<string, Way>> = {
  'by an alias': { source: '@inherit @elsewhere/base', at: '.instr/project.prs:3' },
  'by an alias with a version': { source: '@use @elsewhere/base@^1.0.0', at: '.instr/project.prs:3' },
  'by its address': { source: `@use localhost:${port}/org/tips/base`, at: '.instr/project.prs:3' },
  'through a plain registry': {
    config: `registry: { url: "http://${host}" }`,
    source: '@use @other/base',
    at: '.instr/project.prs:3',
  },
  'in the configuration': { config: 'inherit: "@elsewhere/base"', at: 'instr.yaml:11' },
  'through a source that is allowed': { source: '@use @company/open', at: 'open.prs:3' },
};

const filesOf = ({ config = '', source = '' }: Way, policy: string): Files => ({
  ...minimal,
  'instr.yaml': [
    'id: sample',
    'syntax: "1.5.0"',
    'targets: [claude]',
    'registries:',
    `  "@company": "${company.origin}/${basename(shared)}/.git"`,
    `  "@elsewhere": "http://${host}/tips.git"`,
    'policies:',
    '  - { kind: property-protection, name: other, properties: [wording], severity: error }',
    policy || '  #',
    '',
    config,
    '',
  ].join('\n'),
  '.instr/project.prs': `@meta { id: "sample" syntax: "1.5.0" }\n@use @company/base\n${source}\n`,
});

const policyOf = (severity: string): string =>
  `  - { kind: registry-allowlist, name: sources, allowed: ["@company"], severity: ${severity} }`;

/** A cache for all projects. Only the content of the allowed source is ever stored in it. */
const cache = project({});

/**
 * Runs a command in a new project. Returns its findings except advice, its exit code, and the number of connections to
 * `elsewhere`.
 */
async function run(command: string, way: Way, policy: string) {
  const before = calls;
  const { status: code, ...output } = await prsBeside(project(filesOf(way, policy)), [command, '--json'], {
    INSTR_CACHE_DIR: cache,
  });
  const { diagnostics } = JSON.parse(output.stdout) as {
    diagnostics: { code: string; severity: string; file?: string; line?: number }[];
  };
  const found = diagnostics
    .filter(({ severity }) => severity !== 'info')
    .map(one => `${one.severity} ${one.code} ${one.file?.replace(/^.*:/, '')}:${one.line}`);
  return { code, found, calls: calls - before };
}

const refusal = ({ at }: Way) => ({ code: 1, found: [`error PRS5020 ${at}`], calls: 0 });

for (const [name, way] of Object.entries(ways)) {
  tests(`${name}: is refused before any request`, async () => {
    assert.equal(await run('validate', way, policyOf('error')), refusal(way));
  });

  tests(`${name}: is requested with a warning, which is reported even if the request fails`, async () => {
    const { code, found, calls } = await run('validate', way, policyOf('warning'));
    assert.is(code, 1);
    assert.ok(calls > 0, 'the server must be contacted');
    assert.is(found.length, 2);
    assert.ok(found.includes(`warning PRS5020 ${way.at}`), found.join());
  });
}

const alias = ways['by an alias']!;

for (const command of ['compile', 'lock', 'update']) {
  tests(`${command} sends no request either`, async () => {
    assert.equal(await run(command, alias, policyOf('error')), refusal(alias));
  });
}

tests('requests the source without a policy', async () => {
  const { found, calls } = await run('validate', alias, '');
  assert.ok(calls > 0, 'the server must be contacted');
  assert.not.match(found.join(), /PRS5020/);
});

tests.run();
