import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkProgram } from '../../src/check/check.ts';
import type { Program, Resource } from '../../src/resolve/program.ts';
import { collect } from '../support/collect.ts';
import { anything } from './cases.ts';

const resource = (path: string, text: string | Uint8Array): Resource => {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text;
  return { path, size: bytes.length, executable: false, read: () => bytes };
};

/** Returns the findings for files that belong to a skill. */
function findings(remote: boolean, ...resources: Resource[]): string[] {
  const program: Program = {
    meta: new Map(),
    blocks: new Map(),
    parameters: [],
    skills: new Map(),
    changes: [],
    units: [
      {
        kind: 'skill',
        id: '.instr/skills/x/SKILL.md',
        layer: { reference: remote ? '@core/x' : '@project', remote },
        source: { name: '.instr/skills/x/SKILL.md', text: '' },
        folder: 'x',
        resources,
      },
    ],
  };
  const { report, diagnostics } = collect();
  checkProgram(program, anything, report);
  return diagnostics().map(({ code, span }) => `${code} ${span?.source.name}`);
}

const resources = suite('files of skills');

const hidden = resource('scripts/run.py', 'print("a\u200bb")');
const secret = resource('run.sh', 'export KEY=AKIAQ7RT2N5XKV3MWB6D');

for (const remote of [false, true]) {
  resources(`finds hidden characters and secrets in every text file of a ${remote ? 'shared' : 'local'} skill`, () => {
    assert.equal(findings(remote, hidden, secret), [
      'PRS4041 .instr/skills/x/run.sh',
      'PRS4040 .instr/skills/x/scripts/run.py',
    ]);
  });
}

resources('skips images and files in other encodings', () => {
  assert.equal(findings(false, resource('a.png', new Uint8Array([137, 80, 0, 226, 128, 139]))), []);
  assert.equal(findings(false, resource('a.txt', new Uint8Array([0xff, 0xe2, 0x80, 0x8b]))), []);
});

resources.run();
