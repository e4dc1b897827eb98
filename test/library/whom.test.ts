/**
 * Target, condition and placement of sources: what the library writes, where values come from, and what editors
 * suggest.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { memoryDisk } from '../../src/host/overlay.ts';
import { compile } from '../../src/index.ts';
import { completionsAt } from '../../src/lsp/completion.ts';
import { explainValue } from '../../src/project/explain/explain.ts';
import { resolveText } from '../support/compile.ts';

const tests = suite('for whom, when, where');

const entry = `@meta { id: "shop" syntax: "1.6.0" }
@identity { "You work on a shop." }
@use ./own.md for claude
@guards {
  tone: { content: "Be short." targets: [claude] }
  api: { applyTo: ["api/**"] placement: nested content: "Validate input." except: [claude] }
  calm: { activation: always content: "Stay calm." }
}
@agents {
  reviewer: { description: "Reviews" content: "Look." tools: { claude: { model: "opus" } } }
}
@mcpServers {
  docs: { command: ["docs"] env: { TOKEN: env("DOCS_TOKEN") } targets: [claude] }
}
`;

tests('the library applies them', async () => {
  const { files, ok } = await compile({
    files: {
      'instr.yaml': 'id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [claude, codex]\n'.replaceAll('\\\n', '\n'),
      '.instr/project.prs': entry,
      '.instr/own.md': 'What only one is told.\n',
    },
  });
  assert.ok(ok);
  const text = (path: string) => String(files.find(file => file.path === path)?.content ?? `no ${path}`);
  assert.match(text('CLAUDE.md'), 'What only one is told.');
  assert.not.match(text('AGENTS.md'), 'What only one is told.');
  assert.not.match(text('AGENTS.md'), 'Be short.');
  assert.match(text('AGENTS.md'), 'Stay calm.');
  assert.match(text('api/AGENTS.md'), 'Validate input.');
  assert.match(text('.claude/agents/reviewer.md'), 'model: opus');
  assert.not.match(text('.codex/agents/reviewer.toml'), 'opus');
  assert.match(text('.mcp.json'), /\$\{DOCS_TOKEN\}/);
});

tests('values are traced to their declarations', () => {
  const { program } = resolveText(entry);
  for (const [path, line] of [
    ['guards.tone.targets', 5],
    ['guards.api.except', 6],
    ['guards.api.placement', 6],
    ['guards.calm.activation', 7],
    ['agents.reviewer.tools.claude.model', 10],
    ['mcpServers.docs.env.TOKEN', 13],
  ] as const) {
    const found = explainValue(path, program);
    assert.is(found?.[0]?.line, line, path);
  }
});

tests('editors suggest them', () => {
  const offered = (text: string) => {
    const offset = text.indexOf('|');
    const source = { name: '.instr/project.prs', text: text.replace('|', '') };
    const disk = memoryDisk('/shop', new Map());
    return completionsAt(source, offset, { path: '/shop/.instr/project.prs', root: '/shop', disk, read: undefined }).map(({ label }) => label);
  };
  const meta = '@meta { id: "x" syntax: "1.6.0" }\n';
  const keys = offered(`${meta}@guards { a: { | } }`);
  for (const key of ['targets', 'except', 'activation', 'placement', 'tools', 'into']) assert.ok(keys.includes(key), key);
  assert.equal(offered(`${meta}@guards { a: { activation: | } }`).sort(), ['always', 'description', 'manual', 'scoped']);
  assert.ok(offered(`${meta}@guards { a: { targets: [|] } }`).includes('claude'));
  assert.ok(offered(`${meta}@use ./a | `).includes('for'));
});

tests.run();
