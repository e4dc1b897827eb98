/** Permissions: the output for a tool never allows more than the sources do, also when it is imported again. */

import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';
import { importFile } from '../../src/migrate/import/import.ts';
import { userSpec } from '../../src/spec/adapted.ts';
import { pathsOf } from '../../src/spec/item-places.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import { dialectFor, dialects } from '../../src/text/permissions/dialects.ts';
import { globAlternatives, globRegex, ignoredGlobs, overlap, patternsOverlap } from '../../src/text/permissions/patterns.ts';
import { parseSubject, patternProblem, serverAndTool } from '../../src/text/permissions/subject.ts';
import { compileModel, resolveText } from '../support/compile.ts';
import fc from '../support/property.ts';

const tests = suite('permissions');

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a subject of the source matches, according to the documentation and independent of the compiler. */
function isAbout(subject: string, thing: string): boolean {
  const [, kind, pattern] = /^(\w+):(.*)$/s.exec(subject)!;
  const [, own, value] = /^(\w+):(.*)$/s.exec(thing)!;
  if (kind !== own) return false;
  if (kind === 'shell') {
    const open = pattern!.endsWith(' *');
    const body = escaped(open ? pattern!.slice(0, -2) : pattern!).replaceAll('\\*', '.*');
    return new RegExp(`^${body}${open ? '( .*)?' : ''}$`, 's').test(value!);
  }
  if (kind === 'mcp') {
    const { server, tool } = serverAndTool(pattern!);
    return value!.startsWith(`${server}/`) && (tool === '*' || value === `${server}/${tool}`);
  }
  if (kind === 'net') return pattern === '*' || pattern === value || (pattern!.startsWith('*.') && value!.endsWith(pattern!.slice(1)));
  const path = pattern!.replace(/^\.\//, '').replace(/\/$/, '/**');
  return new RegExp(`^${globRegex(path)}$`, 's').test(value!);
}

interface Lists {
  readonly deny: readonly string[];
  readonly ask: readonly string[];
  readonly allow: readonly string[];
}

const decide = ({ deny, ask, allow }: Lists, thing: string): string => {
  const has = (list: readonly string[]) => list.some(subject => isAbout(subject, thing));
  return has(deny) ? 'deny' : has(ask) ? 'ask' : has(allow) ? 'allow' : 'unsaid';
};

const things = [
  ...['git', 'git push', 'git push --force', 'git pushx', 'git status', 'npm test', 'npm test --all', 'npm tests', 'npm', 'gitk', 'a npm test'].map(one => `shell:${one}`),
  ...['read', 'write'].flatMap(kind => ['.env', 'a/.env', 'a/b/.env', 'docs/x.md', 'docs/a/x.md', 'docs', 'x.md', 'infra/a', 'a/infra/b', 'docs/.env', 'xdocs/a'].map(one => `${kind}:${one}`)),
  ...['example.com', 'a.example.com', 'b.a.example.com', 'notexample.com', 'internal', 'x.internal'].map(one => `net:${one}`),
  ...['issues/list', 'issues/delete', 'other/list', 'issues2/list'].map(one => `mcp:${one}`),
];

const subject = fc.oneof(
  fc.constantFrom('git *', 'git', 'git push *', 'git push', 'git push --force *', 'npm test *', 'npm test', 'npm*', '* test', '*', 'git * --force').map(one => `shell:${one}`),
  fc
    .tuple(fc.constantFrom('read', 'write'), fc.constantFrom('**/.env', '.env', 'docs/**', 'docs/*.md', '**/*.md', '**', 'infra/**', '*/.env', '**/infra/**', 'docs/', './docs/x.md'))
    .map(([kind, glob]) => `${kind}:${glob}`),
  fc.constantFrom('example.com', '*.example.com', '*', '*.internal').map(one => `net:${one}`),
  fc.constantFrom('issues', 'issues/*', 'issues/list', 'issues/delete', 'other/list').map(one => `mcp:${one}`),
);
const some = fc.uniqueArray(subject, { maxLength: 4 });
const lists = fc.record({ deny: some, ask: some, allow: some });

const quoted = (list: readonly string[]) => `[${list.map(one => JSON.stringify(one)).join(', ')}]`;
const sourceOf = ({ deny, ask, allow }: Lists) => `@meta { id: "x" syntax: "1.6.0" }
@identity { "You work on a shop." }
@permissions { deny: ${quoted(deny)} ask: ${quoted(ask)} allow: ${quoted(allow)} }
`;

/** The tools that support permissions, each with project-level and user-level files. */
const places = new Map<string, LoadedSpec>(
  builtinIds().flatMap(id => {
    const loaded = builtinSpec(id)!;
    const ofUser = userSpec(loaded, '.config/instr');
    const all: (readonly [string, LoadedSpec])[] = [[id, loaded], ...(ofUser ? [[`${id} of a user`, ofUser] as const] : [])];
    return all.filter(([, { spec }]) => Object.values(spec.files).some(file => 'of' in file && file.of === 'permissions'));
  }),
);
const names = [...places.keys()];

async function writtenFor(name: string, source: string) {
  const { files, diagnostics } = await compileModel(resolveText(source).model, [{ loaded: places.get(name)! }]);
  return { files: files.map(({ path, bytes }) => ({ path, content: new TextDecoder().decode(bytes) })), diagnostics };
}

/** The permissions in the files of a tool, imported as by a user. */
async function readBack(id: string, files: readonly { path: string; content?: unknown }[]): Promise<Lists> {
  const { spec } = places.get(id)!;
  const found: Record<string, string[]> = { deny: [], ask: [], allow: [] };
  const paths = new Set(Object.values(spec.files).flatMap(file => ('of' in file && file.of === 'permissions' ? pathsOf(file, spec, '') : [])));
  for (const { path, content } of files) {
    if (!paths.has(path)) continue;
    const imported = await importFile({ path, bytes: new TextEncoder().encode(String(content)), specs: [spec] }, () => {});
    for (const { block, key, content: part } of imported?.parts ?? [])
      if (block === 'permissions' && part.kind === 'items') found[key!]!.push(...part.items);
  }
  return found as unknown as Lists;
}

tests('there are tools with permissions', () => {
  assert.ok(names.length >= 35, names.join(', '));
});

tests('output read back allows nothing that the sources do not', async () => {
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), lists, async (id, said) => {
      const { files } = await writtenFor(id, sourceOf(said));
      const back = await readBack(id, files as never);
      for (const thing of things) {
        if (decide(back, thing) !== 'allow') continue;
        allowed++;
        assert.is(decide(said, thing), 'allow', `${id} allows ${thing}: ${JSON.stringify(back)}`);
      }
    }),
    { numRuns: 300, seed: 7 },
  );
  assert.ok(allowed > 20, `${allowed} times something was allowed`);
});

tests('what is denied is denied in the output, or a diagnostic names it', async () => {
  let denied = 0;
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...names), lists, async (id, said) => {
      // Permissions that are too broad stop the compile, and nothing is written.
      const { files, diagnostics } = await writtenFor(id, sourceOf({ ...said, allow: [] }));
      const back = await readBack(id, files as never);
      const told = diagnostics.map(({ message }) => message).join('\n');
      for (const one of said.deny) {
        const isTold = told.includes(`\`${one}\``) || / and \d+ more/.test(told);
        for (const thing of things.filter(thing => isAbout(one, thing))) {
          denied++;
          assert.ok(isTold || decide(back, thing) === 'deny', `${id}: ${one} does not deny ${thing}: ${JSON.stringify(back)}`);
        }
      }
    }),
    { numRuns: 250, seed: 11 },
  );
  assert.ok(denied > 100, `${denied} times something was denied`);
});

tests('a command with two names in a tool is allowed by both, and a longer command is not', async () => {
  const said = ['npm test *', 'git *', 'npm run build *', 'make test *', 'npm test'].map(text => JSON.stringify(`shell:${text}`));
  const { model } = resolveText(`@meta { id: "x" syntax: "1.6.0" }\n@permissions { allow: [${said.join(', ')}] }`);
  const { files, omissions } = await compileModel(model, [{ loaded: builtinSpec('factory')! }]);
  const settings = files.find(({ path }) => path === '.factory/settings.json')!;
  const list = (JSON.parse(new TextDecoder().decode(settings.bytes)) as { commandAllowlist: string[] }).commandAllowlist;
  assert.equal(list, ['npm test', 'git']);
  assert.is(omissions.length, 3);
});

tests('of two decisions for the same text the stricter one is kept', async () => {
  for (const id of names) {
    const { files, diagnostics } = await writtenFor(id, sourceOf({ deny: ['net:*', 'shell:git push *'], ask: ['net:*', 'shell:git push *'], allow: [] }));
    const told = diagnostics.map(({ message }) => message).join('\n');
    const back = await readBack(id, files as never);
    for (const one of ['net:*', 'shell:git push *'])
      if (!told.includes(one)) assert.is(decide(back, one.replace('*', 'x')), 'deny', `${id}: ${one}`);
  }
});

tests('patterns that match a common text overlap, and others do not', () => {
  const letter = fc.constantFrom('a', 'b', '*');
  const pattern = fc.array(letter, { maxLength: 5 }).map(parts => parts.join(''));
  const texts = ['', 'a', 'b', 'aa', 'ab', 'ba', 'bb', 'aab', 'aba', 'abb', 'bab', 'abab', 'baba', 'aabb', 'ababa'];
  const fits = (one: string, text: string) => new RegExp(`^${one.replaceAll('*', '.*')}$`).test(text);
  fc.assert(
    fc.property(pattern, pattern, (a, b) => {
      const common = texts.find(text => fits(a, text) && fits(b, text));
      if (common !== undefined) assert.ok(patternsOverlap(a, b), `${a} and ${b} are both ${common}`);
      assert.is(patternsOverlap(a, b), patternsOverlap(b, a));
    }),
  );
  for (const [a, b] of [['a*', 'b*'], ['a', 'ab'], ['*a', '*b'], ['ab*', 'a'], ['a*b', 'a*c']])
    assert.not(patternsOverlap(a!, b!), `${a} ${b}`);
});

tests('subjects overlap according to what they match', () => {
  const both = (a: string, b: string) => overlap(parseSubject(a)!, parseSubject(b)!);
  for (const [a, b] of [['shell:git *', 'shell:git push *'], ['shell:git push', 'shell:git push *'], ['read:docs/**', 'read:**/.env'], ['net:*', 'net:a.b'], ['mcp:issues', 'mcp:issues/list']])
    assert.ok(both(a!, b!), `${a} ${b}`);
  for (const [a, b] of [['shell:git status *', 'shell:git push *'], ['read:docs/**', 'write:docs/**'], ['read:docs/**', 'read:infra/**'], ['net:a.b', 'net:*.a.b'], ['mcp:issues/list', 'mcp:issues/delete']])
    assert.not(both(a!, b!), `${a} ${b}`);
});

tests('the alternatives of a glob match at least the same paths', () => {
  for (const glob of ['**/.env', 'a/**', 'a/**/b', '**', 'a/*.md', '*', '**/a/**'])
    for (const path of ['.env', 'x/.env', 'a/b', 'a/x/b', 'a/x.md', 'b', 'x/a/y', 'a'])
      if (new RegExp(`^${globRegex(glob)}$`).test(path))
        assert.ok(
          globAlternatives(glob).some(one => new RegExp(`^${escaped(one).replaceAll('\\*', '.*')}$`).test(path)),
          `${glob} ${path}`,
        );
});

tests('a pattern that a dialect expresses exactly survives a round trip', () => {
  const patterns: Record<string, readonly string[]> = {
    shell: ['git push *', 'npm test', 'make *'],
    read: ['docs/**', '.env', 'infra/a.ts', '**/.env'],
  };
  for (const name of Object.keys(dialects))
    for (const [kind, all] of Object.entries(patterns)) {
      const dialect = dialectFor(name, kind);
      if (!dialect?.of.includes(kind)) continue;
      for (const pattern of all) {
        const written = dialect.write(pattern);
        if (!written || written.wider || written.texts.length > 1) continue;
        assert.equal(dialect.read(written.texts[0]!, true), [pattern], `${name} ${pattern}`);
      }
    }
});

tests('invalid patterns have a reason', () => {
  for (const text of ['read:', 'read:../x', 'read:a{b,c}', 'read:a**', 'net:https://x', 'net:x/y', 'mcp:a b', `shell:${'x'.repeat(1001)}`, 'shell:a\nb', 'read:**/a/**/b/**/c/**'])
    assert.ok(patternProblem(parseSubject(text)!), text);
  for (const text of ['shell:a | b', 'read:~/x', 'read:/etc/**', 'net:localhost', 'net:*', 'mcp:a-b/c_d'])
    assert.is(patternProblem(parseSubject(text)!), undefined, text);
  assert.is(parseSubject('.env'), undefined);
});

tests('ignored files of a source for one tool do not apply to others', async () => {
  const { files } = await compile({
    files: {
      'instr.yaml': 'id: x\nsyntax: "1.6.0"\ntargets: [cursor, claude]\nincludeInstrSkill: false\n',
      '.instr/project.prs': '@meta { id: "x" syntax: "1.6.0" }\n@identity { "You work." }\n@use ./more for cursor\n@ignore { - { subject: "b/" except: ["cursor"] } }\n',
      '.instr/more.prs': '@meta { id: "more" syntax: "1.6.0" }\n@ignore { - "a/" }\n',
    },
  });
  const textOf = (path: string) => String(files.find(file => file.path === path)?.content ?? '');
  assert.is(textOf('.cursorignore').trim(), 'a/');
  assert.match(textOf('.claude/settings.json'), 'Read(**/b/**)');
  assert.not.match(textOf('.claude/settings.json'), 'Read(**/a/**)');
});

tests('ignored files are the paths that Git ignores', () => {
  assert.equal(ignoredGlobs('dist/'), ['**/dist/**']);
  assert.equal(ignoredGlobs('*.log'), ['**/*.log', '**/*.log/**']);
  assert.equal(ignoredGlobs('/a'), ['a', 'a/**']);
  assert.equal(ignoredGlobs('a/b/'), ['a/b/**']);
  assert.equal(ignoredGlobs('**/a'), ['**/a', '**/a/**']);
  assert.equal(ignoredGlobs('!a'), []);
  assert.equal(ignoredGlobs('\\!a'), ['**/!a', '**/!a/**']);
});

tests('a path in another spelling is converted, and the result never denies less', () => {
  const alike = (pattern: string) => dialects.rooted!.equivalents!(pattern);
  assert.equal(alike('.env'), ['.env', './.env']);
  assert.equal(alike('secrets/**'), ['secrets/**', './secrets/**', 'secrets/', './secrets/', '/secrets/']);
  for (const pattern of ['**/.env', '**', '~/.ssh/**', '/etc/hosts']) assert.equal(alike(pattern), []);
});

tests.run();
