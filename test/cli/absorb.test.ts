/** `prs absorb` in the built program: all kinds of files, the patch, the JSON report, and the next compile. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { project, prs, read, write } from './prs.ts';

const tests = suite('absorb');

const source = `@meta { id: "shop" syntax: "1.6.0" }
@standards { code: ["Small functions"] }
@agents { writer: { description: "Writes" content: "Write." } } # one
@shortcuts { "/deploy": { prompt: true description: "Deploys" content: "Run it." } }
@mcpServers { tracker: { command: ["node", "tracker.mjs"] } }
`;
const files = {
  'instr.yaml': 'id: shop\nsyntax: "1.6.0"\nincludeInstrSkill: false\ntargets: [claude, gemini]\n',
  '.instr/project.prs': source,
  '.instr/rules/api.md': '---\nglobs: "api/**"\n---\n\nCheck every input.\n',
};

tests('absorbs edits of front matter, TOML, JSON and text in one run; --dry-run and --json list the places', () => {
  const folder = project(files);
  assert.is(prs(folder, ['compile']).status, 0);
  const change = (path: string, from: string, to: string) => {
    const text = read(folder, path);
    assert.ok(text.includes(from), `${path}: ${text}`);
    write(folder, path, text.replace(from, () => to));
  };
  change('.claude/agents/writer.md', 'description: Writes', 'description: "Writes: all"');
  change('.claude/rules/api.md', '  - api/**', '  - api/**\n  - web/**');
  change('.gemini/commands/deploy.toml', 'description = "Deploys"', 'description = "Brings it out"');
  change('.mcp.json', '"tracker.mjs"', '"tracker.mjs",\n        "--fast"');
  change('CLAUDE.md', '### Code', '### Style');
  change('CLAUDE.md', '# Project Instructions', 'Project Instructions');
  for (const command of [['compile'], ['compile', '--check'], ['diff']]) {
    const { stdout, stderr } = prs(folder, command);
    assert.ok(/\babsorb\b/.test(stdout + stderr), stdout + stderr);
  }
  const dry = prs(folder, ['absorb', '--dry-run']);
  assert.match(dry.stdout, /^--- \.instr\/project\.prs[\s\S]*^\+.*@header code "Style"/m);
  assert.match(dry.stdout, /^CLAUDE\.md:\d+ -> \.instr\/project\.prs:2$/m);
  assert.match(dry.stdout, /^CLAUDE\.md:1 refused: its words are those of conventions\/sections\.yaml/m);
  assert.is(read(folder, '.instr/project.prs'), source);
  const { edits, sources } = JSON.parse(prs(folder, ['absorb', '--json']).stdout);
  assert.equal(
    edits.map(({ path, state }: { path: string; state: string }) => `${path} ${state}`).sort(),
    [
      '.claude/agents/writer.md absorbed', '.claude/rules/api.md absorbed', '.gemini/commands/deploy.toml absorbed',
      '.mcp.json absorbed', 'CLAUDE.md absorbed', 'CLAUDE.md refused',
    ],
  );
  assert.equal(sources.map(({ path }: { path: string }) => path).sort(), ['.instr/project.prs', '.instr/rules/api.md']);
  assert.match(read(folder, '.instr/project.prs'), /"tracker\.mjs", "--fast"\].*\n/);
  assert.match(read(folder, '.instr/project.prs'), /\} # one\n/);
  change('CLAUDE.md', 'Project Instructions', '# Project Instructions');
  assert.is(prs(folder, ['compile']).status, 0);
  assert.is(prs(folder, ['compile', '--check']).status, 0);
});

tests.run();
