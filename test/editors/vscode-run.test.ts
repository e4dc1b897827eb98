/**
 * The extension in a real VS Code, as users see it. `npm run test:vscode` installs VS Code. Without it the test is
 * skipped.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { program, project, prs, read, until, write } from '../cli/prs.ts';
import { root } from '../support/compile.ts';
import { needing } from '../support/machine.ts';
import { openVscode, type Window } from './real-vscode.ts';

const extension = join(root, 'editors/vscode/instr.vsix');
const source = `@meta { id: "shop" syntax: "1.6.0" }

@identity {
  """
  You maintain the **shop**.
  """
}

@guards {
  api: {
    applyTo: ["src/**"]
    description: "Rules for the api"
    content: "Validate every input."
  }
  web: {
    applyTo: ["web/**"]
    content: "Escape every output."
    requires: [api]
  }
}
`;

/** The current extension. It is packaged again if the program is newer. */
function packed(): string {
  const age = (path: string) => (existsSync(path) ? statSync(path).mtimeMs : 0);
  if (age(extension) < age(program))
    execFileSync(process.execPath, ['--import', 'tsx', 'scripts/package-vscode.ts', '--built'], { cwd: root, stdio: 'ignore' });
  return extension;
}

const tests = suite<{ folder: string; window: Window }>('extension in a real VS Code');

needing(tests, 'VS Code', 'Chromium')('shows diagnostics, hover, code lens, completion, preview and status', async () => {
  const folder = project({
    'instr.yaml': 'id: shop\nsyntax: "1.6.0"\ntargets: [claude, cursor, copilot]\n',
    '.instr/project.prs': source,
  });
  assert.is(prs(folder, ['compile']).status, 0);
  const window = await openVscode(folder, packed());
  const { page } = window;
  const status = (text: string) => page.locator('.statusbar-item', { hasText: text }).waitFor();
  const line = (text: string) => page.locator('.editor-instance .view-line', { hasText: text }).first();
  try {
    page.setDefaultTimeout(180_000);
    await window.open('.instr', 'project.prs');
    await status('instr');

    const lens = page.locator('.codelens-decoration', { hasText: 'reaches 3 of 3 tools' });
    await lens.first().waitFor();
    await window.picture('lens');

    await line('api:').locator('span', { hasText: 'api' }).last().hover();
    const hover = page.locator('.monaco-hover-content', { hasText: '.cursor/rules/api.mdc' });
    await hover.first().waitFor();
    await window.picture('hover');

    // After a Markdown text, the colors are those of the language again.
    const colours = await line('@guards').locator('span span').first().getAttribute('class');
    assert.not.match(colours ?? '', /^mtk1$/);

    await line('content:').click();
    await page.keyboard.press('End');
    await page.keyboard.type('\nreq');
    await page.locator('.suggest-widget .monaco-list-row', { hasText: 'requires' }).first().waitFor();
    await window.picture('completion');
    await page.keyboard.press('Escape');
    for (const _ of 'req') await page.keyboard.press('Backspace');
    await page.keyboard.press('Control+Shift+k');

    await window.command('instr: Preview a Generated File to the Side');
    await page.locator('.quick-input-list .monaco-list-row', { hasText: '.cursor/rules/api.mdc' }).click();
    const preview = page.locator('.editor-instance', { hasText: 'globs' }).last();
    await preview.locator('.view-line', { hasText: 'Validate every input.' }).waitFor();
    await line('content:').click();
    await page.keyboard.press('End');
    await preview.locator('.cdr').first().waitFor();
    await window.picture('preview');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type(', twice');
    await preview.locator('.view-line', { hasText: 'Validate every input, twice.' }).waitFor();
    await status('6 to write');

    await page.keyboard.press('Control+s');
    await until(() => read(folder, '.instr/project.prs').includes('input, twice'), 'it is saved');
    write(folder, '.cursor/rules/api.mdc', 'Mine.\n');
    await status('1 edited');
    await page.keyboard.press('Control+End');
    await page.keyboard.type('@');
    await page.locator('.squiggly-error').first().waitFor();
    await status('errors');
    await window.picture('squiggle');
    // The editor inserts the closing brace.
    await page.keyboard.type('gaurds {');
    await findAround(window, folder);
  } catch (error) {
    await window.picture('failure');
    console.log(window.printed());
    throw error;
  } finally {
    await window.close();
  }
});

/** A quick fix, go to definition, the source of a generated file, and the path of the program. */
async function findAround({ page, open, picture }: Window, folder: string): Promise<void> {
  const line = (text: string) => page.locator('.editor-instance .view-line', { hasText: text }).first();
  await line('@gaurds').locator('span', { hasText: 'gaurds' }).last().click();
  await page.keyboard.press('Control+.');
  await page.locator('.action-widget .monaco-list-row', { hasText: 'Replace' }).first().click();
  await page.keyboard.press('Control+s');
  await until(() => !read(folder, '.instr/project.prs').includes('gaurds'), 'the fix is made');

  await line('requires:').locator('span', { hasText: 'api' }).last().click();
  await page.keyboard.press('F12');
  await page.locator('.statusbar-item', { hasText: 'Ln 10,' }).waitFor();

  await page.locator('.statusbar-item', { hasText: 'instr' }).first().hover();
  await page.locator('.monaco-hover', { hasText: 'npm install --save-dev instr' }).first().waitFor();
  await picture('program');

  await open('CLAUDE.md');
  await page.locator('.codelens-decoration', { hasText: 'generated from .instr/project.prs:5' }).waitFor();
  await picture('origin');
}

tests.run();
