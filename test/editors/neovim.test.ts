/** The configuration in the documents makes Neovim a client of the language server. */
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { environment, program, project, read, write } from '../cli/prs.ts';
import { root } from '../support/compile.ts';
import { needing } from '../support/machine.ts';

const tests = suite('Neovim');

/** The configuration from the guide. */
const [, configuration] = /```lua\n([^`]*)```/.exec(readFileSync(join(root, 'GUIDE.md'), 'utf8'))!;

/** Waits for diagnostics of the server and sends a request. The results are written to a file. */
const script = `
local function wait(condition) return vim.wait(60000, condition, 50) end
local out = {}
vim.cmd('edit .instr/project.prs')
table.insert(out, 'filetype ' .. vim.bo.filetype)
wait(function() return #vim.diagnostic.get(0) > 0 end)
for _, found in ipairs(vim.diagnostic.get(0)) do
  table.insert(out, found.lnum + 1 .. ' ' .. found.code .. ' ' .. found.message)
end
local at = { textDocument = vim.lsp.util.make_text_document_params(), position = { line = 3, character = 3 } }
for _, answer in pairs(vim.lsp.buf_request_sync(0, 'textDocument/hover', at, 60000) or {}) do
  table.insert(out, answer.result.contents.value)
end
vim.api.nvim_buf_set_lines(0, 6, 7, false, {})
wait(function() return #vim.diagnostic.get(0) == 0 end)
table.insert(out, 'left ' .. #vim.diagnostic.get(0))
vim.fn.writefile(vim.split(table.concat(out, '\\n'), '\\n'), 'out.txt')
vim.cmd('qall!')
`;

needing(tests, 'Neovim')('reports mistakes while typing, and describes an entry on hover', () => {
  const folder = project({
    'instr.yaml': 'id: shop\nsyntax: "1.6.0"\ntargets: [claude, cursor]\n',
    '.instr/project.prs':
      '@meta { id: "shop" syntax: "1.6.0" }\n\n@guards {\n  api: { applyTo: ["src/**"] description: "For the api" content: "Validate." }\n}\n\n@gaurds { x: "y" }\n',
    'init.lua': configuration!,
    'script.lua': script,
  });
  // The file that npx finds in a project with the installed program.
  write(folder, 'bin/npx', `#!/bin/sh\nshift\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(folder, 'bin/npx'), 0o755);
  const env = environment({ PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter) });
  const args = ['--headless', '--clean', '-u', 'init.lua', '-c', 'luafile script.lua'];
  const { stderr } = spawnSync('nvim', args, { cwd: folder, env, encoding: 'utf8', timeout: 120_000 });
  const said = read(folder, 'out.txt');
  assert.match(said, /^filetype prs$/m, stderr);
  assert.match(said, /^7 PRS\d+ .*gaurds/m);
  assert.match(said, /For the api/);
  assert.match(said, /\| Cursor \| `\.cursor\/rules\/api\.mdc` \|/);
  assert.match(said, /^left 0$/m);
});

tests.run();
