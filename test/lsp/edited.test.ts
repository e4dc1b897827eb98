/** Analyses of all outputs while the user continues to type. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { withFiles } from '../../src/host/overlay.ts';
import { EditedProject } from '../../src/lsp/project.ts';
import { virtualContext } from '../../src/project/session/given.ts';
import { builtinIds } from '../../src/spec/load.ts';

const root = '/project';
const guards = Array.from({ length: 50 }, (_, at) => `  one-${at}: { applyTo: ["src/${at}/**"] content: "Do ${at} well." }`);
const before = `@guards {\n${guards.join('\n')}\n}\n`;
/** Two names become equal: one more error, and one item less. */
const after = before.replace('one-1:', 'one-2-:');
const config = `id: shop\nsyntax: "1.5.0"\nincludeInstrSkill: false\ninput: { entry: project.prs }\ntargets: [${builtinIds().join(', ')}]\n`;

function open() {
  const files = [
    ['instr.yaml', { content: config }],
    ['project.prs', { content: before }],
  ] as const;
  const world = virtualContext(root, files, () => {});
  const saved = world.disk;
  let disk = saved;
  const project = new EditedProject(root, `${root}/instr.yaml`, {
    ...world,
    disk: new Proxy(saved, { get: (_, name) => disk[name as keyof typeof disk] }),
  });
  const edit = (text: string) => {
    disk = withFiles(saved, root, [['project.prs', { content: text }]]);
    project.change([`${root}/project.prs`]);
  };
  return { project, edit };
}

test('an analysis is cancelled by an edit, and the next one finds the correct result', async () => {
  const { project, edit } = open();
  const first = project.findingsUnlessEdited();
  await new Promise(resolve => setImmediate(resolve));
  edit(after);
  assert.is(await first, undefined);
  assert.equal(await project.findingsUnlessEdited(), await freshFindings());
});

test('a request sent before an edit is answered for the text after it', async () => {
  const { project, edit } = open();
  const findings = project.findings();
  const compiled = project.compiled();
  await new Promise(resolve => setImmediate(resolve));
  edit(after);
  assert.equal(await findings, await freshFindings());
  const names = (await compiled)!.model.items.guards.map(({ name }) => name);
  assert.is(names.includes('one-1'), false);
});

async function freshFindings() {
  const { project, edit } = open();
  edit(after);
  return project.findings();
}

test.run();
