/** The always loaded size in the summary of a compile equals that of `prs view`. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { contextFor } from '../../scripts/corpus/projects.ts';
import { compileProject } from '../../src/project/compile.ts';
import { viewProject } from '../../src/project/view/view.ts';

const tests = suite('what is always loaded');

const files = {
  'package.json': '{}',
  'instr.yaml': 'id: "mill"\nsyntax: "1.6.0"\ntargets: [claude, gemini, cursor, cline]\nincludeInstrSkill: false\n',
  '.instr/project.prs': [
    '@meta { id: "mill" syntax: "1.6.0" }',
    '@use ./documents/claude.md into "CLAUDE.md" for claude',
    '@use ./documents/gemini.md into "GEMINI.md" for gemini',
    '@guards { plain: { content: "Name things plainly." } scoped: { applyTo: "src/**" content: "Use types." } }',
    '',
  ].join('\n'),
  '.instr/documents/claude.md': '# Mill\n\nSee @docs/style.md\n',
  '.instr/documents/gemini.md': '# Mill\n\n@./docs/style.md\n',
  'docs/style.md': 'Short sentences.\n@more.md\n',
  'docs/more.md': `${'More. '.repeat(40)}\n`,
};

for (const only of [undefined, 'once'] as const)
  tests(`the summary counts imports and unconditional rules, as the view does${only ? ', under `once`' : ''}`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'prs-loaded-'));
    try {
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        const isConfig = path === 'instr.yaml' && only !== undefined;
        writeFileSync(join(root, path), isConfig ? `${text}output: { layout: ${only} }\n` : text);
      }
      const context = contextFor(root, () => {});
      const compiled = await compileProject({ mode: 'write' }, context);
      assert.ok(typeof compiled !== 'string' && !compiled.broken);
      const { budgets } = compiled;
      assert.equal(budgets.map(({ target }) => target).sort(), ['claude', 'cline', 'cursor', 'gemini']);
      for (const { target, characters } of budgets) {
        const view = await viewProject({ as: target, at: root, files: [] }, context);
        assert.ok(typeof view !== 'string');
        assert.is(characters, view.parts.reduce((sum, { text }) => sum + text.length, 0), target);
        if (target === 'claude' || target === 'gemini') assert.ok(characters > 240, `${target} loads ${characters}`);
      }
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

tests.run();
