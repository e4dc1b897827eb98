/** `prs doctor`: the tools installed on a machine, and the files they would read. */
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoryDisk } from '../../src/host/overlay.ts';
import { signFinder } from '../../src/project/doctor/doctor.ts';
import { builtinSpec } from '../../src/spec/load.ts';
import { minimal, project, prs } from './prs.ts';

const tests = suite('doctor');

interface Tool {
  readonly target: string;
  readonly enabled: boolean;
  readonly found: readonly { readonly kind: string; readonly path: string }[];
  readonly reads: readonly string[];
  readonly shadowed?: unknown;
  readonly proof?: { readonly date: string };
}

function examine(files: Record<string, string>, env: Record<string, string> = {}) {
  const { status, stdout } = prs(project(files), ['doctor', '--json'], env);
  const report = JSON.parse(stdout) as { doctor: { program: { node: string }; tools: Tool[] }; diagnostics: { code: string }[] };
  return { status, ...report, tool: (id: string) => report.doctor.tools.find(({ target }) => target === id)! };
}

const config = (targets: string) => `id: shop\nsyntax: "1.5.0"\ntargets: [${targets}]\n`;

tests('lists programs, extensions and the files that enabled tools load', () => {
  const home = project({ 'bin/claude': '#!/bin/sh\n', '.vscode/extensions/saoudrizwan.claude-dev-3.2.1/package.json': '{}', '.vscode/extensions/continue.continue-x/package.json': '{}' });
  chmodSync(join(home, 'bin/claude'), 0o755);
  const { status, doctor, tool } = examine({ ...minimal, 'instr.yaml': config('claude, cline, zed') }, { HOME: home, USERPROFILE: home, PATH: `${join(home, 'bin')}:${process.env.PATH}` });
  assert.is(status, 0);
  assert.is(doctor.program.node, process.versions.node);
  assert.equal(tool('claude').found.map(({ kind }) => kind), ['program']);
  assert.is(tool('claude').found[0]!.path, join(home, 'bin/claude'));
  assert.equal(tool('claude').reads, ['CLAUDE.md']);
  assert.ok(tool('claude').proof?.date);
  assert.equal(tool('cline').found.map(({ kind }) => kind), ['extension']);
  assert.equal(tool('zed').found, []);
  assert.is(tool('zed').enabled, true);
  // An extension with a longer id that begins the same.
  assert.equal(tool('continue').found.filter(({ kind }) => kind === 'extension'), []);
});

tests('reports a file that shadows a generated file', () => {
  const { status, tool, diagnostics } = examine({ ...minimal, 'instr.yaml': config('codex'), 'AGENTS.override.md': 'Mine.\n' });
  assert.is(status, 1);
  assert.equal(diagnostics.filter(({ code }) => code === 'PRS9470').length, 1);
  assert.equal(tool('codex').shadowed, { files: ['AGENTS.md'], by: ['AGENTS.override.md'] });
});

tests('works without a project', () => {
  const { status, doctor } = examine({});
  assert.is(status, 0);
  assert.ok(doctor.tools.length > 40);
  assert.equal(doctor.tools.filter(({ enabled }) => enabled), []);
  assert.match(prs(project({}), ['doctor']).stdout, 'There is no project here');
});

tests('finds Windows program names', () => {
  const { spec } = builtinSpec('claude')!;
  const disk = memoryDisk('/bin', new Map([['claude.cmd', { content: '' }]]));
  const find = signFinder([spec], { disk, environment: { Path: '/bin', PATHEXT: '.EXE;.CMD' } }, 'win32');
  assert.equal(find(spec), [{ kind: 'program', path: '/bin/claude.cmd' }]);
});

tests.run();
