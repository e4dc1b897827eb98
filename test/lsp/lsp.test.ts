/** The features of the language server, tested over the real protocol. */
import { spawnSync } from 'node:child_process';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type {
  CodeAction,
  CodeLens,
  CompletionItem,
  Diagnostic,
  DocumentLink,
  DocumentSymbol,
  FoldingRange,
  Hover,
  Location,
  SemanticTokens,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver';
import { type Files, project, prs, read, startPrs, targetIds, write } from '../cli/prs.ts';
import { needing } from '../support/machine.ts';
import { type Client, connect, marked } from './client.ts';

const [one, two] = targetIds as [string, string];
const configuration = `id: sample\nsyntax: "1.6.0"\ntargets: [claude, cursor]\nregistries: { "@team": ./team }\n`;
const entry = `@meta { id: "sample" syntax: "1.6.0" }

@use ./parts/rules

# Who it is.
@identity {
  """
  You maintain the sample.
  """
}

@guards {
  api: {
    applyTo: ["src/**"]
    description: "Rules for the api"
    content: "Validate every input."
    requires: ["safety"]
  }
}
`;
const rules = `@meta { id: "rules" syntax: "1.6.0" }

@guards {
  safety: { content: "Never log secrets." description: "Safety" }
}

@agents {
  reviewer: { description: "Reviews" content: "Look closely." skills: ["check"] }
}
`;
const skill = '---\nname: check\ndescription: Checks things.\n---\n\nCheck them.\n';
const files: Files = {
  'instr.yaml': configuration,
  '.instr/project.prs': entry,
  '.instr/parts/rules.prs': rules,
  '.instr/skills/check/SKILL.md': skill,
  'src/a.ts': 'export {};\n',
};
const main = '.instr/project.prs';
const part = '.instr/parts/rules.prs';

const tests = suite<{ client: Client; folder: string }>('language server');

tests.before.each(async context => {
  context.folder = project(files);
  context.client = await connect(context.folder);
});
tests.after.each(async ({ client }) => {
  assert.is(await client.end(), 0);
});

const isClean = (found: readonly Diagnostic[]) => found.length === 0;
const has = (code: string) => (found: readonly Diagnostic[]) => found.some(one => one.code === code);

/** Opens the entry file with an edited text that contains a cursor mark. */
function typing(client: Client, before: string, after: string) {
  const { text, position } = marked(entry.replace(before, after));
  client.open(main);
  client.change(main, text);
  return position;
}

tests('diagnoses text while typing, saved or not, and fixes it on request', async ({ client, folder }) => {
  client.open(main);
  await client.until(main, isClean, 'nothing is wrong');
  client.change(main, entry.replace('@guards {', '@gaurds {'));
  const [found] = await client.until(main, found => found.length > 0, 'the block is unknown');
  assert.equal([found!.source, found!.range.start.line], ['prs', 11]);
  const actions = await client.ask<CodeAction[]>('codeAction', main, { range: found!.range, context: { diagnostics: [] } });
  const [edit] = actions[0]!.edit!.changes![client.uri(main)]!;
  assert.is(edit!.newText, 'guards');
  assert.is(read(folder, main), entry, 'nothing was written');
  client.change(main, entry);
  await client.until(main, isClean, 'nothing is wrong again');
});

tests('a change of one file affects another, and a closed file counts with its saved content', async ({ client }) => {
  client.open(main);
  await client.until(main, isClean, 'nothing is wrong');
  client.open(part);
  client.change(part, rules.replace('safety:', 'security:'));
  await client.until(main, found => found.length > 0, 'the guard is missing');
  client.close(part);
  await client.until(main, isClean, 'the guard is there again');
});

tests('changes by other programs are noticed when the client reports them', async ({ client, folder }) => {
  client.open(main);
  await client.until(main, isClean, 'nothing is wrong');
  write(folder, part, rules.replace('safety:', 'security:'));
  client.touched(part);
  await client.until(main, found => found.length > 0, 'the guard is missing');
});

tests('diagnoses sources that nothing uses, and sources outside of every project', async ({ client }) => {
  client.open('.instr/alone.prs', '@identity {\n');
  const found = await client.until('.instr/alone.prs', found => found.some(({ severity }) => severity === 1), 'the brace is open');
  assert.ok(found.some(({ code }) => code === 'PRS2015'), 'it is reported as not imported');
  const outside = await connect(project({ 'x.prs': '@identity {\n' }));
  outside.open('x.prs');
  assert.is((await outside.until('x.prs', found => found.length > 0, 'the brace is open')).length, 1);
  await outside.end();
});

tests('hover describes a word, and the output of an entry for every tool', async ({ client }) => {
  client.open(main);
  const text = async (line: number, character: number) =>
    ((await client.at<Hover | null>('hover', main, { line, character }))?.contents as { value: string } | undefined)?.value ?? '';
  assert.match(await text(11, 3), /Rules for some files only/);
  assert.match(await text(13, 6), /\*\*applyTo\*\*.*list or text/s);
  const table = await text(12, 4);
  assert.match(table, /Rules for the api/);
  assert.match(table, /\| Cursor \| `\.cursor\/rules\/api\.mdc` \|/);
  assert.match(await text(16, 18), /Safety/);
  assert.is(await text(7, 4), '');
});

tests('completion suggests blocks, fields, values, names, files and globs', async ({ client, folder }) => {
  const labels = async (before: string, after: string) => {
    const position = typing(client, before, after);
    const found = await client.at<CompletionItem[]>('completion', main, position);
    return found.map(({ label }) => label);
  };
  const includes = (found: readonly string[], ...wanted: string[]) => {
    for (const label of wanted) assert.ok(found.includes(label), `${label} is among ${found.join(', ')}`);
  };
  includes(await labels('# Who it is.\n', '@|\n'), '@skills', '@mcpServers', '@use', '@extend');
  includes(await labels('# Who it is.\n', '@sk|\n'), '@skills');
  includes(await labels('    requires', '    |\n    requires'), 'activation', 'placement', 'targets');
  includes(await labels('    requires', '    activation: |\n    requires'), 'scoped', 'always', 'manual');
  includes(await labels('    requires', '    targets: [|]\n    requires'), one, two);
  includes(await labels('["safety"]', '["|"]'), 'safety', 'api');
  includes(await labels('["src/**"]', '["|"]'), 'src/**', 'src/**/*.ts');
  includes(await labels('@use ./parts/rules', '@use ./|'), './parts/');
  includes(await labels('@use ./parts/rules', '@use ./parts/|'), './parts/rules.prs');
  includes(await labels('@use ./parts/rules', '@use |'), '@team');
  includes(await labels('# Who it is.\n', '@extend |\n'), 'guards');
  includes(await labels('# Who it is.\n', '@extend guards.|\n'), 'safety', 'api');
  assert.equal(await labels('You maintain', 'You | maintain'), []);
  // Accepting the suggestion gives a valid text.
  const position = typing(client, '    requires', '    activ|\n    requires');
  const chosen = (await client.at<CompletionItem[]>('completion', main, position)).find(({ label }) => label === 'activation')!;
  const edit = chosen.textEdit as TextEdit;
  assert.equal([edit.range.start.character, edit.newText], [4, 'activation: "$0"']);
  assert.is(read(folder, main), entry);
});

tests('the configuration has completion and hover', async ({ client }) => {
  const labels = async (text: string) => {
    const { text: now, position } = marked(text);
    client.open('instr.yaml');
    client.change('instr.yaml', now);
    return (await client.at<CompletionItem[]>('completion', 'instr.yaml', position)).map(({ label }) => label);
  };
  const includes = (found: readonly string[], ...wanted: string[]) => {
    for (const label of wanted) assert.ok(found.includes(label), `${label} is among ${found.join(', ')}`);
  };
  includes(await labels(`${configuration}|`), 'output', 'policies', 'formatting');
  includes(await labels(`${configuration}output:\n  |`), 'layout', 'baseDir');
  includes(await labels(`${configuration}output: { layout: | }`), 'each', 'once');
  includes(await labels('id: x\ntargets:\n  - |'), one, two);
  includes(await labels('id: x\ntargets: [|]'), one, two);
  includes(await labels('id: x\ntargets:\n  - claude:\n      version: |'), 'simple', 'full');
  const hover = await client.at<Hover>('hover', 'instr.yaml', { line: 0, character: 1 });
  assert.match((hover.contents as { value: string }).value, /Project identifier/);
  client.change('instr.yaml', configuration.replace('cursor', 'curser'));
  await client.until('instr.yaml', found => found.some(({ message }) => String(message).includes('curser')), 'the tool is unknown');
});

tests('code lenses show the targets of entries', async ({ client }) => {
  client.open(main);
  const lenses = await client.ask<CodeLens[]>('codeLens', main);
  const at = new Map(lenses.map(({ range, command }) => [range.start.line, command!.title]));
  assert.is(at.get(12), 'reaches 2 of 2 tools');
  assert.ok(at.has(5));
  client.change(main, entry.replace('content: "Validate', 'targets: [cursor]\n    content: "Validate'));
  const after = await client.ask<CodeLens[]>('codeLens', main);
  assert.ok(after.some(({ command }) => command!.title.startsWith('reaches 1 of 1 tool, not meant for 1')), JSON.stringify(after));
  const reach = lenses.find(({ range }) => range.start.line === 12)!.command!;
  await client.request('workspace/executeCommand', { command: reach.command, arguments: reach.arguments });
  assert.match(JSON.stringify(client.shown), /\.cursor\/rules\/api\.mdc/);
});

tests('go to definition, find references and rename work across files', async ({ client }) => {
  client.open(main);
  client.open(part);
  const called = { line: 16, character: 17 };
  const [there] = await client.at<Location[]>('definition', main, called);
  assert.equal([there!.uri, there!.range.start], [client.uri(part), { line: 3, character: 2 }]);
  const uses = await client.at<Location[]>('references', main, called, { context: { includeDeclaration: true } });
  assert.equal(uses.map(({ uri, range }) => [uri, range.start.line]).sort(), [[client.uri(part), 3], [client.uri(main), 16]].sort());
  const edit = await client.at<WorkspaceEdit>('rename', main, called, { newName: 'no secrets' });
  const written = Object.entries(edit.changes!).flatMap(([uri, edits]) => edits.map(({ newText }) => [uri, newText]));
  assert.equal(written.sort(), [[client.uri(part), '"no secrets"'], [client.uri(main), 'no secrets']].sort());
  const taken = await client.at('rename', main, called, { newName: 'api' }).then(() => '', error => error.message);
  assert.match(taken, /name of another entry/);
  // A Markdown skill is referenced by the name in its front matter.
  const skillCalled = marked(rules.replace('["check"]', '["|check"]')).position;
  const [md] = await client.at<Location[]>('definition', part, skillCalled);
  assert.is(md?.uri, client.uri('.instr/skills/check/SKILL.md'), JSON.stringify(md));
  assert.is(await client.at('prepareRename', main, { line: 7, character: 5 }), null);
});

tests('references to files are links with the correct targets', async ({ client }) => {
  client.open(main);
  const links = await client.ask<DocumentLink[]>('documentLink', main);
  assert.equal(links.map(({ target }) => target), [client.uri(part)]);
  const [there] = await client.at<Location[]>('definition', main, { line: 2, character: 8 });
  assert.is(there!.uri, client.uri(part));
});

tests('provides outline, folding, highlighting and formatting', async ({ client, folder }) => {
  client.open(main);
  const symbols = await client.ask<DocumentSymbol[]>('documentSymbol', main);
  assert.equal(symbols.map(({ name }) => name), ['@meta', '@use ./parts/rules', '@identity', '@guards']);
  assert.equal(symbols[3]!.children![0]!.children!.map(({ name }) => name), ['applyTo', 'description', 'content', 'requires']);
  const folds = await client.ask<FoldingRange[]>('foldingRange', main);
  assert.ok(folds.some(({ startLine, endLine }) => startLine === 11 && endLine === 17), JSON.stringify(folds));
  const { data } = await client.ask<SemanticTokens>('semanticTokens/full', main);
  const types = data.filter((_, index) => index % 5 === 3).map(type => client.capabilities.semanticTokensProvider!.legend.tokenTypes[type]);
  assert.equal(types.slice(0, 5), ['keyword', 'property', 'string', 'property', 'string']);
  const lines = data.filter((_, index) => index % 5 === 0).map((sum => (by: number) => (sum += by))(0));
  assert.ok(lines.includes(15) && !lines.includes(7), 'Markdown keeps the highlighting of the editor');
  const edits = await client.ask<TextEdit[]>('formatting', main, { options: { tabSize: 2, insertSpaces: true } });
  prs(folder, ['format']);
  assert.is(edits[0]!.newText, read(folder, main), 'equal to prs format');
});

tests('generated files show their source, and a warning when they are edited', async ({ client, folder }) => {
  assert.is(prs(folder, ['compile']).status, 0);
  const path = '.cursor/rules/api.mdc';
  const text = read(folder, path);
  client.open(path);
  const lenses = await client.ask<CodeLens[]>('codeLens', path);
  assert.ok(lenses.some(({ command }) => command!.title.startsWith('generated from .instr/project.prs:')), JSON.stringify(lenses));
  const line = text.split('\n').findIndex(one => one.includes('Validate every input.'));
  const [there] = await client.at<Location[]>('definition', path, { line, character: 3 });
  assert.equal([there!.uri, there!.range.start.line], [client.uri(main), 15]);
  const opening = lenses[0]!.command!;
  await client.request('workspace/executeCommand', { command: opening.command, arguments: opening.arguments });
  assert.match(JSON.stringify(client.shown), /project\.prs/);

  const edited = text.replace('Validate every input.', 'Validate every single input.');
  client.change(path, edited);
  const [found] = await client.until(path, has('PRS8002'), 'the edit is told');
  const [action] = await client.ask<CodeAction[]>('codeAction', path, { range: found!.range, context: { diagnostics: [] } });
  const absorb = { command: action!.command!.command, arguments: action!.command!.arguments };
  await client.request('workspace/executeCommand', absorb);
  assert.match(JSON.stringify(client.shown), /Save .*api\.mdc first/);
  write(folder, path, edited);
  client.save(path);
  await client.request('workspace/executeCommand', absorb);
  assert.match(read(folder, main), /Validate every single input\./);
  await client.until(path, isClean, 'the edit is home');
});

tests('files of a registry are shown read-only', async () => {
  const shared = '@meta { id: "base" syntax: "1.6.0" }\n@guards { shared: { content: "Shared." } }\n';
  const own = entry.replace('rules\n', 'rules\n@use @team/base\n').replace('["safety"]', '["shared"]');
  const registry = configuration.replace(/registries.*/, 'registry: { path: ./team }');
  const client = await connect(project({ ...files, 'instr.yaml': registry, 'team/@team/base.prs': shared, [main]: own }));
  client.open(main);
  const at = marked(own.replace('["shared"]', '["|shared"]')).position;
  const [there] = await client.at<Location[]>('definition', main, at);
  assert.match(there!.uri, /^instr-source:/);
  const { text } = await client.request<{ text: string }>('workspace/textDocumentContent', { uri: there!.uri });
  assert.is(text, shared);
  const refused = await client.at('rename', main, at, { newName: 'mine' }).then(() => '', error => error.message);
  assert.match(refused, /cannot be changed here/);
  assert.is(await client.end(), 0);
});

tests('the language server exits when its editor is gone', async () => {
  const { child, ended } = startPrs(project(files), ['lsp', '--stdio']);
  child.stdin.end();
  assert.is((await ended).code, 1);
});

tests('a client can show an output next to the sources, and the findings of compile', async ({ client, folder }) => {
  const uri = client.uri(main);
  const drift = () => client.request<{ state: string; text: string; detail: string }>('instr/drift', { uri });
  client.open(main);
  assert.is((await drift()).state, 'stale');
  assert.is(prs(folder, ['compile']).status, 0);
  client.touched('CLAUDE.md');
  assert.equal([(await drift()).state, (await drift()).text], ['right', '']);
  const path = '.cursor/rules/api.mdc';
  const outputs = await client.request<{ path: string; tools: string[] }[]>('instr/outputs', { uri });
  assert.equal(outputs.find(one => one.path === path)?.tools, ['Cursor']);
  client.change(main, entry.replace('every input', 'all input'));
  const preview = () => client.request<{ text: string; origins: ({ uri: string; line: number } | null)[] } | null>('instr/preview', { uri, path });
  const { text, origins } = (await preview())!;
  const line = text.split('\n').findIndex(one => one.includes('Validate all input.'));
  assert.equal(origins[line], { uri, line: 15 });
  assert.match((await drift()).detail, /Compile writes:\n(?:- .*\n)*- \.cursor\/rules\/api\.mdc/);
  client.change(main, entry.replace('@identity {', '@identity'));
  assert.is(await preview(), null, 'errors keep the previous output');
  assert.is((await drift()).state, 'broken');
  client.change(main, entry);
  write(folder, path, `${read(folder, path)}\nMine.\n`);
  client.touched(path);
  assert.equal([(await drift()).state, (await drift()).text], ['stopped', '1 edited']);
});

tests('hover in a Markdown source describes keys, and the output of the entry for each tool', async ({ client, folder }) => {
  const path = '.instr/skills/check/SKILL.md';
  client.open(path);
  const text = async (line: number, character: number) =>
    ((await client.at<Hover | null>('hover', path, { line, character }))?.contents as { value: string } | undefined)?.value ?? '';
  assert.match(await text(2, 3), /\*\*description\*\*/);
  assert.match(await text(1, 8), /\| Cursor \| `\.cursor\/skills\/check\/SKILL\.md` \|/);
  assert.match(await text(0, 1), /\*\*check\*\* of `@skills`/);
  assert.is(await text(5, 1), '');
  write(folder, '.instr/rules/api.md', '---\ndescription: For the api\nrequires: [safety]\n---\n\nCheck it.\n');
  client.touched('.instr/rules/api.md');
  client.open('.instr/rules/api.md');
  const found = await client.at<Hover | null>('hover', '.instr/rules/api.md', { line: 2, character: 13 });
  assert.match(JSON.stringify(found), /Safety/);
});

tests('the configuration has links to the files that it names', async () => {
  const folder = project({
    ...files,
    'instr.yaml': `${configuration}extends: [./base.yaml]\ninput: { entry: .instr/project.prs }\n`,
    'base.yaml': 'validation: {}\n',
  });
  const client = await connect(folder);
  client.open('instr.yaml');
  const lines = read(folder, 'instr.yaml').split('\n');
  const definition = (word: string) => {
    const line = lines.findIndex(one => one.includes(word));
    return client.at<Location[]>('definition', 'instr.yaml', { line, character: lines[line]!.indexOf(word) + 2 });
  };
  assert.equal((await definition('./base.yaml')).map(({ uri }) => uri), [client.uri('base.yaml')]);
  assert.equal((await definition('.instr/project.prs')).map(({ uri }) => uri), [client.uri(main)]);
  assert.equal(await definition('claude'), []);
  await client.end();
});

needing(tests, 'git')('completion suggests paths and tags of registries', async () => {
  const folder = project({
    ...files,
    'shared/@acme/base.prs': '@meta { id: "base" syntax: "1.6.0" }\n',
    'shared/@acme/rules/more.prs': '@meta { id: "more" syntax: "1.6.0" }\n',
    'instr.yaml': 'id: sample\nsyntax: "1.6.0"\ntargets: [claude]\nregistry: { path: ./shared }\n',
  });
  const typed = async (client: Client, words: string) => {
    const { text, position } = marked(entry.replace('./parts/rules', `${words}|`));
    client.open(main);
    client.change(main, text);
    const found = await client.at<CompletionItem[]>('completion', main, position);
    return found.map(({ label }) => label);
  };
  const local = await connect(folder);
  assert.ok((await typed(local, '@acme/')).includes('@acme/base'));
  assert.ok((await typed(local, '@acme/b')).includes('@acme/rules/'));
  await local.end();

  const repository = project({ 'base.prs': '@meta { id: "base" syntax: "1.6.0" }\n', 'deep/rules.prs': '@meta { id: "r" syntax: "1.6.0" }\n' });
  const git = (...args: string[]) => assert.is(spawnSync('git', args, { cwd: repository }).status, 0, args.join(' '));
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'one');
  git('tag', 'v1.2.0');
  const using = project({
    'instr.yaml': `id: sample\nsyntax: "1.6.0"\ntargets: [claude]\nregistries: { "@team": ${repository} }\n`,
    '.instr/project.prs': '@meta { id: "sample" syntax: "1.6.0" }\n\n@use @team/base@v1.2.0\n',
  });
  const cache = { INSTR_CACHE_DIR: project({}) };
  assert.is(prs(using, ['validate'], cache).status, 0);
  const client = await connect(using, cache);
  assert.ok((await typed(client, '@team/')).includes('@team/base'));
  assert.ok((await typed(client, '@team/deep/')).includes('@team/deep/rules'));
  assert.equal((await typed(client, '@team/base@v')).filter(label => label.endsWith('v1.2.0')), ['@team/base@v1.2.0']);
  await client.end();
});

tests.run();
