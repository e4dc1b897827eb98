/** `absorb` moves edits of generated files into the sources exactly, or refuses them with a reason. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nodeDisk } from '../../src/host/disk.ts';
import { type AbsorbRequest, absorbProject } from '../../src/project/absorb/absorb.ts';
import { changeFrontMatter } from '../../src/project/absorb/field-candidates.ts';
import { compileProject } from '../../src/project/compile.ts';
import type { CompileContext } from '../../src/project/session/world.ts';
import { undoLastRun } from '../../src/project/write/undo.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { Trials } from '../support/absorb/run.ts';

const tests = suite('absorb');
const folders: string[] = [];
tests.after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const prs = `# The entry.
@meta { id: "demo" syntax: "1.5.0" }

@identity {
  """
  You maintain the demo.

  You answer briefly.
  """
}

# How code is written.
@standards {
  code: ["Prefer small functions", "Name things"] # both matter
  tests: [
    "Test what can break" # not more
    "Keep tests fast"
  ]
}
`;

/** Creates a project on disk and returns helpers that work on it. */
async function open(files: Readonly<Record<string, string>>, targets = ['claude']) {
  const folder = mkdtempSync(join(tmpdir(), 'prs-absorb-'));
  folders.push(folder);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  write('instr.yaml', `id: demo\nsyntax: "1.5.0"\nincludeInstrSkill: false\ntargets: [${targets.join(', ')}]\n`);
  for (const [path, text] of Object.entries(files)) write(path, text);
  const found: Diagnostic[] = [];
  const context: CompileContext = {
    disk: nodeDisk, clock: () => new Date(0), cwd: folder, environment: {}, progress: () => {},
    report: finding => void found.push(finding),
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const compile = async () => {
    found.length = 0;
    await compileProject({ mode: 'write' }, context);
    return found.filter(({ severity }) => severity === 'error').map(({ code }) => code);
  };
  const change = (path: string, from: string, to: string) => {
    const text = read(path);
    assert.ok(text.includes(from), `${path} has no ${from}`);
    write(path, text.replace(from, () => to));
  };
  const absorb = async (dryRun = false, files: readonly string[] = [], added = false, decide?: AbsorbRequest['decide']) => {
    found.length = 0;
    const absorbed = await absorbProject({ files, dryRun, added, ...(decide && { decide }) }, context);
    assert.ok(typeof absorbed !== 'string');
    return absorbed;
  };
  const undo = () => undoLastRun({ root: folder, disk: nodeDisk, clock: () => new Date(0), force: false }, () => {});
  assert.equal(await compile(), []);
  const remove = (path: string) => rmSync(join(folder, path));
  const exists = (path: string) => existsSync(join(folder, path));
  return { read, write, remove, exists, change, compile, absorb, undo, found };
}

tests('absorbs edits of lines, list members and comments and changes nothing else', async () => {
  const { read, change, compile, absorb, undo } = await open({ '.instr/project.prs': prs });
  change('CLAUDE.md', 'You answer briefly.', 'You answer briefly.\n\nYou ask "why".');
  change('CLAUDE.md', '- Prefer small functions\n', '- Prefer tiny functions\n- Return early\n');
  change('CLAUDE.md', '- Keep tests fast', '- Keep tests quick\n- Name them well');
  const edited = read('CLAUDE.md');
  const dry = await absorb(true);
  assert.is(read('.instr/project.prs'), prs, 'the dry run changed the sources');
  assert.ok(dry.hunks.every(({ state }) => state === 'absorbed'));
  await absorb();
  assert.is(
    read('.instr/project.prs'),
    prs
      .replace('You answer briefly.', 'You answer briefly.\n\n  You ask "why".')
      .replace('"Prefer small functions"', '"Prefer tiny functions", "Return early"')
      .replace('Keep tests fast"', 'Keep tests quick"\n    "Name them well"'),
  );
  assert.is(read('CLAUDE.md'), edited);
  await undo();
  assert.is(read('.instr/project.prs'), prs);
  assert.equal(await compile(), ['PRS8002'], 'the edit must be present again after undo');
  await absorb();
  assert.equal(await compile(), []);
  assert.is(read('CLAUDE.md'), edited);
});

tests('keeps the indentation of lines after an indented line', async () => {
  const { read, write, compile, absorb } = await open({ '.instr/project.md': '# Demo\n\n- One item, which goes\n  on here.\n' });
  const edited = `${read('CLAUDE.md')}\n- Remember this.\n`;
  write('CLAUDE.md', edited);
  await absorb();
  assert.is(read('.instr/project.md'), '# Demo\n\n- One item, which goes\n  on here.\n\n- Remember this.\n');
  assert.equal(await compile(), []);
  assert.is(read('CLAUDE.md'), edited);
});

tests('deletes from the sources what was deleted from an output', async () => {
  const { read, change, compile, absorb } = await open({ '.instr/project.prs': prs });
  change('CLAUDE.md', '- Name things\n', '');
  change('CLAUDE.md', '- Keep tests fast\n', '');
  change('CLAUDE.md', 'You maintain the demo.\n\n', '');
  await absorb();
  assert.is(
    read('.instr/project.prs'),
    prs
      .replace(', "Name things"', '')
      .replace('    "Keep tests fast"\n', '')
      .replace('  You maintain the demo.\n\n', ''),
  );
  assert.equal(await compile(), []);
});

tests('refuses an edit of a generated line in an ignore file of the user and names its source', async () => {
  const ignore = '@meta { id: "demo" syntax: "1.6.0" }\n\n@ignore {\n  - "dist/" # built\n  - "*.snap"\n}\n';
  const project = { '.instr/project.prs': ignore, '.augmentignore': 'secrets/\n' };
  const { read, change, absorb } = await open(project, ['augment']);
  change('.augmentignore', 'dist/', 'out/');
  const { hunks } = await absorb();
  assert.equal(hunks.map(({ state }) => state), ['refused']);
  assert.match(hunks[0]!.reason!, /edit `ignore\[0\]` in \.instr\/project\.prs:4/);
  assert.is(read('.instr/project.prs'), ignore);
});

tests('refuses edits of template text and absorbs the other edits', async () => {
  const { read, change, absorb, compile, found } = await open({ '.instr/project.prs': prs });
  change('CLAUDE.md', '# Project Instructions', '> Project Instructions');
  change('CLAUDE.md', 'You answer briefly.', 'You answer shortly.');
  const edited = read('CLAUDE.md');
  const { hunks } = await absorb();
  assert.equal(hunks.map(({ state }) => state).sort(), ['absorbed', 'refused']);
  assert.equal(found.map(({ code }) => code), ['PRS8029']);
  assert.match(found[0]!.message, /CLAUDE\.md:1: .*conventions\//);
  assert.is(read('.instr/project.prs'), prs.replace('briefly', 'shortly'));
  assert.equal(await compile(), ['PRS8002']);
  assert.is(read('CLAUDE.md'), edited, 'a refused edit was lost');
});

tests('merges the same edit in two files and refuses conflicting edits, showing both', async () => {
  const two = ['claude', 'gemini'];
  const same = await open({ '.instr/project.prs': prs }, two);
  for (const path of ['CLAUDE.md', 'GEMINI.md']) same.change(path, 'You answer briefly.', 'You answer shortly.');
  assert.equal((await same.absorb()).hunks.map(({ state }) => state), ['absorbed', 'absorbed']);
  assert.equal(await same.compile(), []);
  const other = await open({ '.instr/project.prs': prs }, two);
  other.change('CLAUDE.md', 'You answer briefly.', 'You answer shortly.');
  other.change('GEMINI.md', 'You answer briefly.', 'You answer at length.');
  other.change('GEMINI.md', 'Test what can break', 'Test all that can break');
  const { hunks } = await other.absorb();
  const refused = hunks.filter(({ state }) => state === 'refused');
  assert.equal(refused.map(({ file }) => file).sort(), ['CLAUDE.md', 'GEMINI.md']);
  for (const { reason } of refused) assert.match(reason!, /at length|shortly/);
  assert.is(other.read('.instr/project.prs'), prs.replace('Test what', 'Test all that'));
});

tests('carries an edit to the files of other tools at the next compile, even if these have edits too', async () => {
  const { read, change, absorb, compile } = await open({ '.instr/project.prs': prs }, ['claude', 'gemini']);
  change('CLAUDE.md', 'You answer briefly.', 'You answer shortly.');
  change('GEMINI.md', 'Keep tests fast', 'Keep tests quick');
  assert.ok((await absorb()).hunks.every(({ state }) => state === 'absorbed'));
  assert.equal(await compile(), []);
  for (const path of ['CLAUDE.md', 'GEMINI.md']) {
    assert.match(read(path), /You answer shortly\./);
    assert.match(read(path), /Keep tests quick/);
  }
});

tests('does not mistake a later change of the sources for an edit', async () => {
  const { read, change, absorb } = await open({ '.instr/project.prs': prs });
  change('.instr/project.prs', 'You answer briefly.', 'You answer at length.');
  const changed = read('.instr/project.prs');
  change('CLAUDE.md', 'Keep tests fast', 'Keep tests quick');
  const { hunks } = await absorb();
  assert.is(read('.instr/project.prs'), changed);
  assert.match(hunks[0]!.reason!, /sources changed/);
});

tests('absorbs edits into Markdown sources', async () => {
  const entry = '# Demo\n\nYou answer briefly.\n\n## Tests\n\n- Test what can break\n- Keep tests fast\n';
  const { read, change, compile, absorb } = await open({ '.instr/project.md': entry });
  change('CLAUDE.md', '- Keep tests fast\n', '- Keep tests fast\n- Name them\n\nNever skip one.\n');
  change('CLAUDE.md', 'You answer briefly.', 'You answer shortly.');
  await absorb();
  assert.is(
    read('.instr/project.md'),
    entry.replace('briefly', 'shortly').replace('fast\n', 'fast\n- Name them\n\nNever skip one.\n'),
  );
  assert.equal(await compile(), []);
});

tests('removes the item of a deleted file only if the file is named', async () => {
  const rule = '---\nglobs: "api/**"\n---\n\nCheck every input.\n';
  const agents = `@agents {
  # Looks.
  reviewer: {
    description: "Reviews"
    content: "Look closely."
  }
  writer: {
    description: "Writes"
    content: "Write clearly."
  }
}
`;
  const { read, remove, exists, compile, absorb, undo } = await open({
    '.instr/project.prs': prs + agents,
    '.instr/rules/api.md': rule,
  });
  remove('.claude/rules/api.md');
  remove('.claude/agents/writer.md');
  assert.equal((await absorb()).hunks, [], 'a deleted file was absorbed without being named');
  const { hunks } = await absorb(false, ['.claude/rules/api.md', '.claude/agents/writer.md']);
  assert.equal(hunks.map(({ state }) => state), ['absorbed', 'absorbed']);
  assert.not(exists('.instr/rules/api.md'));
  const rest = agents.replace(/ {2}writer[^}]*\}\n/, '');
  assert.is(read('.instr/project.prs'), prs + rest);
  assert.equal(await compile(), []);
  assert.not(exists('.claude/agents/writer.md'));
  await undo();
  await undo();
  assert.is(read('.instr/rules/api.md'), rule);
});

tests('turns a new rule, agent or skill of one tool into a source for all tools', async () => {
  const { read, write, compile, absorb } = await open(
    {
      '.instr/project.prs': `${prs}@skills { a: { description: "A" content: "Do a." } }\n@agents { b: { description: "B" content: "Do b." } }\n`,
    },
    ['claude', 'cursor'],
  );
  const agent = '---\nname: tester\ndescription: Tests\n---\n\nTest it.\n';
  const skill = '---\nname: brew\ndescription: Brews\n---\n\nBrew it.\n';
  write('.claude/agents/tester.md', agent);
  write('.claude/skills/brew/SKILL.md', skill);
  assert.equal((await absorb()).hunks, [], 'new files were absorbed without the option');
  const { hunks } = await absorb(false, [], true);
  assert.equal(hunks.map(({ state, reason }) => reason ?? state), ['absorbed', 'absorbed']);
  assert.equal(await compile(), []);
  assert.is(read('.claude/agents/tester.md'), agent);
  assert.is(read('.claude/skills/brew/SKILL.md'), skill);
  assert.match(read('.cursor/agents/tester.md'), /Test it\./);
});

tests('keeps a new skill in its folder, for the tools that read it there, if the compiler would use the folder of another tool', async () => {
  const { read, write, compile, absorb } = await open({ '.instr/project.prs': prs }, ['github', 'zoo-code']);
  write('instr.yaml', `${read('instr.yaml')}output:\n  layout: once\n`);
  assert.equal(await compile(), []);
  const skill = '---\nname: brew\ndescription: Brews\n---\n\nBrew it.\n';
  write('.roo/skills/brew/SKILL.md', skill);
  const { hunks } = await absorb(false, ['.roo/skills/brew/SKILL.md']);
  assert.equal(hunks.map(({ state, reason }) => reason ?? state), ['absorbed']);
  assert.match(read('.instr/skills/brew/SKILL.md'), /^---\ntargets: \[zoo-code\]\ninto: .roo\/skills\/brew\/SKILL.md\n/);
  assert.equal(await compile(), []);
  assert.is(read('.roo/skills/brew/SKILL.md'), skill);
});

tests('turns a quoted text into a text block', async () => {
  const agents = `@agents {
  # Looks.
  reviewer: {
    description: "Reviews"
    content: "Look closely." # not more
  }
}
`;
  const { read, change, compile, absorb } = await open({ '.instr/project.prs': prs + agents });
  change('.claude/agents/reviewer.md', 'Look closely.', 'Look closely.\n\nSay "why".');
  await absorb();
  const block = 'content: """\n      Look closely.\n\n      Say "why".\n    """ # not more';
  assert.is(read('.instr/project.prs'), prs + agents.replace('content: "Look closely." # not more', block));
  assert.equal(await compile(), []);
});

tests('changes a text that occurs on several lines of a file in place only if every occurrence is edited', async () => {
  const source = `${prs}@shortcuts { "/deploy": "Deploy the branch" }\n`;
  const once = await open({ '.instr/project.prs': source });
  const text = once.read('.claude/commands/deploy.md');
  assert.is(text.split('Deploy the branch').length, 3, 'the value must occur on two lines');
  once.write('.claude/commands/deploy.md', text.replace(/(?<!: )Deploy the branch/, 'Ship the branch'));
  assert.equal((await once.absorb()).hunks.map(({ state }) => state), ['absorbed']);
  const apart = '{\n  prompt: true\n  description: "Deploy the branch"\n  content: "Ship the branch"\n}';
  assert.is(once.read('.instr/project.prs'), source.replace('"Deploy the branch"', apart));
  assert.equal(await once.compile(), []);
  const all = await open({ '.instr/project.prs': source });
  all.write('.claude/commands/deploy.md', text.replaceAll('Deploy the branch', 'Ship the branch'));
  assert.ok((await all.absorb()).hunks.every(({ state }) => state === 'absorbed'));
  assert.is(all.read('.instr/project.prs'), source.replace('Deploy the branch', 'Ship the branch'));
  assert.equal(await all.compile(), []);
});

tests('removes a list member that the tool calls by another name', async () => {
  const agents = '@agents { reviewer: { description: "Reviews" content: "Look." tools: [Read, Grep, Bash] } }\n';
  const { read, change, compile, absorb } = await open({ '.instr/project.prs': prs + agents }, ['github']);
  const path = '.github/agents/reviewer.agent.md';
  change(path, '  - search\n', '');
  assert.equal((await absorb()).hunks.map(({ state, reason }) => reason ?? state), ['absorbed']);
  assert.is(read('.instr/project.prs'), prs + agents.replace('Grep, ', ''));
  assert.equal(await compile(), []);
});

tests('applies an ambiguous edit where requested, or refuses it', async () => {
  const entry = '@meta { id: "demo" syntax: "1.5.0" }\n@use ./one.md\n@use ./two.md\n';
  const files = { '.instr/project.prs': entry, '.instr/one.md': 'One.\n', '.instr/two.md': 'Two.\n' };
  const insert = async (decide: AbsorbRequest['decide']) => {
    const { read, change, absorb } = await open(files);
    change('CLAUDE.md', 'One.\n', 'One.\n\nBetween.\n');
    const { hunks } = await absorb(false, [], false, decide);
    return { hunks, one: read('.instr/one.md'), two: read('.instr/two.md') };
  };
  const likeliest = await insert(undefined);
  assert.equal(likeliest.hunks.map(({ state }) => state), ['absorbed']);
  const certain = await insert('certain');
  assert.match(certain.hunks[0]!.reason!, /it fits at \.instr\/one\.md:\d+ and \.instr\/two\.md:1/);
  assert.equal([certain.one, certain.two], ['One.\n', 'Two.\n']);
  for (const name of ['one', 'two'] as const) {
    const chosen = await insert(async (_hunk, _file, choices) => choices.findIndex(({ file }) => file.endsWith(`${name}.md`)));
    assert.match(chosen[name], /Between\./, name);
  }
  const none = await insert(async () => undefined);
  assert.match(none.hunks[0]!.reason!, /none of them was chosen/);
});

tests('turns a server added to the settings of one tool into a server for all tools', async () => {
  const servers = '{\n  "mcpServers": {\n    "files": {\n      "command": "files"\n    }\n  }\n}\n';
  const { read, write, compile, absorb, undo } = await open(
    { '.instr/project.prs': prs, '.instr/mcp.json': servers },
    ['claude', 'cursor'],
  );
  const settings = JSON.parse(read('.mcp.json'));
  settings.mcpServers.clock = { command: 'npx', args: ['clock'], env: { ZONE: 'UTC' } };
  const text = `${JSON.stringify(settings, null, 2)}\n`;
  write('.mcp.json', text);
  assert.equal((await absorb()).hunks, [], 'a server of the user was absorbed without the option');
  const { hunks } = await absorb(false, [], true);
  assert.equal(hunks.map(({ state, reason }) => reason ?? state), ['absorbed']);
  assert.ok(read('.instr/mcp.json').startsWith(servers.slice(0, servers.indexOf('\n    }\n'))), 'the existing content was reformatted');
  assert.equal(await compile(), []);
  assert.is(read('.mcp.json'), text);
  assert.equal(JSON.parse(read('.cursor/mcp.json')).mcpServers.clock, settings.mcpServers.clock);
  await undo();
  await undo();
  assert.is(read('.instr/mcp.json'), servers);
});

tests('does not mistake a generated server in a list for a server of the user', async () => {
  const source = `${prs}@mcpServers { files: { command: ["files"] } }\n`;
  const { read, write, compile, absorb } = await open({ '.instr/project.prs': source }, ['mistral-vibe', 'claude']);
  assert.match(read('.vibe/config.toml'), /name = "files"/);
  const settings = JSON.parse(read('.mcp.json'));
  settings.mcpServers.clock = { command: 'clock' };
  write('.mcp.json', `${JSON.stringify(settings, null, 2)}\n`);
  const { hunks } = await absorb(false, [], true);
  assert.equal(hunks.map(({ file, state, reason }) => `${file} ${reason ?? state}`), ['.mcp.json absorbed']);
  assert.equal(await compile(), []);
  assert.match(read('.vibe/config.toml'), /name = "clock"/);
});

tests('records a field that only one tool has for that tool, in .prs and Markdown sources', async () => {
  const agents = `@agents {
  # Looks.
  reviewer: {
    description: "Reviews" # short
    content: "Look."
  }
}
`;
  const rule = '---\napplyTo: "api/**" # the api\n---\n\nCheck every input.\n';
  const { read, change, compile, absorb } = await open(
    { '.instr/project.prs': prs.replace('1.5.0', '1.6.0') + agents, '.instr/rules/api.md': rule },
    ['claude', 'warp'],
  );
  change('.claude/agents/reviewer.md', 'name: reviewer', 'name: examiner');
  change('.agents/skills/api/SKILL.md', 'name: api', 'name: inputs');
  change('.agents/skills/api/SKILL.md', /description: .*/.exec(read('.agents/skills/api/SKILL.md'))![0], 'description: Own words');
  const { hunks } = await absorb();
  assert.equal(hunks.map(({ state, reason }) => reason ?? state), hunks.map(() => 'absorbed'));
  assert.is(
    read('.instr/project.prs'),
    prs.replace('1.5.0', '1.6.0') + agents.replace('"Look."\n', '"Look."\n    tools: {\n      claude: {\n        name: "examiner"\n      }\n    }\n'),
  );
  assert.match(read('.instr/rules/api.md'), /applyTo: "api\/\*\*" # the api\n/);
  assert.match(read('.instr/rules/api.md'), /warp:[\s\S]*name: inputs/);
  assert.equal(await compile(), []);
  assert.match(read('.agents/skills/api/SKILL.md'), /description: Own words\n/);
});

tests('excludes the tool of a deleted file if the item cannot be removed from the sources', async () => {
  const entry = `${prs.replace('1.5.0', '1.6.0')}@guards {
  base: { applyTo: "**/*.ts" content: "Name things." }
  more: { applyTo: "src/**" requires: [base] content: "Name them well." }
}
`;
  const { read, remove, exists, compile, absorb } = await open({ '.instr/project.prs': entry }, ['claude', 'cursor']);
  remove('.claude/rules/base.md');
  const { hunks } = await absorb(false, ['.claude/rules/base.md']);
  assert.equal(hunks.map(({ state, reason }) => reason ?? state), ['absorbed']);
  assert.is(read('.instr/project.prs'), entry.replace(/base: .*/, 'base: {\n    applyTo: "**/*.ts"\n    content: "Name things."\n    tools: {\n      claude: false\n    }\n  }'));
  assert.equal(await compile(), []);
  assert.not(exists('.claude/rules/base.md'));
  assert.ok(exists('.cursor/rules/base.mdc'));
});

tests('gives the reason for a refused edit of a field', async () => {
  const agent = '---\ndescription: Writes\ntools: [Read, Grep]\n---\n\nWrite.\n';
  const rule = '---\nglobs: [api/**, web/**]\n---\n\nCheck.\n';
  const reasonOf = async (path: string, from: string, to: string) => {
    const { change, absorb, read } = await open({
      '.instr/project.prs': prs, '.instr/agents/writer.md': agent, '.instr/rules/api.md': rule,
    });
    change(`.claude/${path}`, from, to);
    const { hunks } = await absorb();
    assert.equal([read('.instr/agents/writer.md'), read('.instr/rules/api.md')], [agent, rule]);
    return hunks.map(({ reason }) => reason).join('\n');
  };
  assert.match(await reasonOf('agents/writer.md', 'description: Writes\n', ''), /has no description/);
  assert.match(await reasonOf('rules/api.md', 'paths:\n', ''), /cannot be read/);
  assert.match(await reasonOf('agents/writer.md', 'description: Writes', 'description: "Writes'), /cannot be read with it: .*quote.* at line \d/);
});

tests('absorbs an edit of a file with a layout of the user without a commit, and does not mistake the layout for an edit', async () => {
  const agent = '---\nname: reviewer\ndescription: Reviews\n---\n\nLook closely.\n';
  const own = '---\ndescription: "Reviews"\nname: \'reviewer\'\n---\nLook closely.\n';
  const { read, write, change, compile, absorb } = await open({ '.instr/project.prs': prs, '.instr/agents/reviewer.md': agent, '.claude/agents/reviewer.md': own });
  assert.is(read('.claude/agents/reviewer.md'), own, 'the layout was not kept');
  change('.claude/agents/reviewer.md', 'closely.\n', 'closely.\n\nSay why.\n');
  change('.claude/agents/reviewer.md', '"Reviews"', '"Reviews code"');
  const edited = read('.claude/agents/reviewer.md');
  assert.ok((await absorb()).hunks.every(({ state }) => state === 'absorbed'));
  assert.match(read('.instr/agents/reviewer.md'), /description: "?Reviews code"?\n[\s\S]*\n\nLook closely\.\n\nSay why\.\n$/);
  assert.equal(await compile(), []);
  assert.is(read('.claude/agents/reviewer.md'), edited);
  write('.instr/agents/reviewer.md', read('.instr/agents/reviewer.md').replace('Say why.', 'Say who.'));
  change('.claude/agents/reviewer.md', 'Look', 'Glance');
  assert.match((await absorb()).hunks[0]!.reason!, /sources changed/, 'a change of the sources was mistaken for an edit');
});

tests('remembers the refused edits of a file in the next run', async () => {
  const { read, change, compile, absorb } = await open({ '.instr/project.prs': prs });
  change('CLAUDE.md', '# Project Instructions', '> Project Instructions');
  change('CLAUDE.md', 'You answer briefly.', 'You answer shortly.');
  await absorb();
  change('CLAUDE.md', 'Keep tests fast', 'Keep tests quick');
  const { hunks } = await absorb();
  assert.equal(hunks.map(({ state }) => state).sort(), ['absorbed', 'refused']);
  assert.is(read('.instr/project.prs'), prs.replace('briefly', 'shortly').replace('fast', 'quick'));
  assert.equal(await compile(), ['PRS8002']);
});

tests('absorbs random edits or refuses them with a reason, loses nothing and keeps the sources valid', async () => {
  const trials = new Trials(7);
  const count = { moved: 0, all: 0 };
  for (let number = 0; count.all < 36; number++) {
    const tried = await trials.try(number);
    if (!tried) continue;
    assert.equal(tried.wrong, [], `npm run absorb-proof -- 1 7 --number ${number}`);
    if (tried.outcome === 'same') continue;
    count.all++;
    if (tried.outcome === 'home') count.moved++;
  }
  assert.ok(count.moved > count.all / 2, `only ${count.moved} of ${count.all} edits were absorbed`);
});

tests('removes nothing from a field without a value', () => {
  const change = (path: readonly (string | number)[]) => [{ path, value: undefined }];
  assert.is(changeFrontMatter('---\nname: a\npaths:\n---\n\nText.\n', change(['paths', 0])), undefined);
  assert.is(changeFrontMatter('---\nname: a\npaths: [b, c]\n---\n', change(['paths', 0])), '---\nname: a\npaths: [ c ]\n---\n');
});

tests.run();
