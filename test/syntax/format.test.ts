/** The formatter is idempotent, keeps every comment, and does not change the meaning of programs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { compile } from '../../src/index.ts';
import { formatSource } from '../../src/syntax/format.ts';
import { tokensOf } from '../../src/syntax/lexer.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Diagnostic } from '../../src/text/diagnostics/diagnostic.ts';
import { root } from '../support/compile.ts';
import { runs, sample } from '../support/depth.ts';
import fc from '../support/property.ts';
import { randomProgram } from '../support/random-program.ts';

const test = suite('format');

const format = (text: string) => {
  const found: Diagnostic[] = [];
  return { text: formatSource({ name: 'x.prs', text }, finding => found.push(finding)), found };
};

/** The meaning of a text: the tree without positions. Of quotes only whether they expand variables. */
function meaning(text: string): unknown {
  const bare = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(bare);
    if (typeof node !== 'object' || node === null) return node;
    const ignored = new Set(['errors', 'span', 'nameSpan', 'keySpan', 'source', 'quoted', 'contentStart']);
    return Object.fromEntries(
      Object.entries(node)
        .filter(([name]) => !ignored.has(name))
        .map(([name, value]) => [name, name === 'quote' ? value === 'text' : bare(value)]),
    );
  };
  return bare(parseDocument({ name: 'x.prs', text }, () => {}).declarations);
}

function commentsOf(text: string): string[] {
  const found: string[] = [];
  const onComment = (start: number, end: number) => found.push(text.slice(start, end).trimEnd());
  Array.from(tokensOf({ name: 'x', text }, { onComment }));
  return found.sort();
}

function assertLaidOut(before: string, name: string): void {
  const { text } = format(before);
  if (text === undefined) return;
  assert.is(format(text).text, text, `${name}: formatting again changes nothing`);
  assert.equal(meaning(text), meaning(before), `${name} has the same meaning`);
  assert.equal(commentsOf(text), commentsOf(before), `${name} keeps its comments`);
}

const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path));

const sources = below('test').filter(path => path.endsWith('.prs') && !path.includes('node_modules'));

test('every source of the tests', () => {
  assert.ok(sources.length > 100, `${sources.length} sources`);
  let laidOut = 0;
  for (const path of sample(sources)) {
    const text = readFileSync(join(root, path), 'utf8');
    assertLaidOut(text, path);
    const windows = text.replace(/\r?\n/g, '\r\n');
    assertLaidOut(windows, `${path} with CRLF`);
    if (format(text).text !== undefined) laidOut += 1;
  }
  assert.ok(laidOut > sample(sources).length / 2, `${laidOut} of ${sources.length} can be parsed`);
});

/** Inserts blanks, line breaks and comments where the language allows any. */
function disturb(text: string, choose: () => number): string {
  let result = '';
  let at = 0;
  let reference = false;
  let depth = 0;
  for (const token of tokensOf({ name: 'x', text })) {
    const gap = text.slice(at, token.start);
    // References and the heads of declarations end with their line. Nothing may be between a quote and its version.
    const free = depth > 0 && !reference && gap !== '' && !gap.includes('#') && token.type !== 'version';
    const odd = ['\n', '\n\n\n', '\t ', ' # why\n', '\n# own\n  ', '', '', ''][choose() % 8]!;
    result += gap + (free ? odd : '') + token.text;
    reference = ['use', 'inherit', 'reference', 'version', 'as', 'into', 'for'].includes(token.type);
    depth += token.type === 'lbrace' ? 1 : token.type === 'rbrace' ? -1 : 0;
    at = token.end;
  }
  return result + text.slice(at);
}

test('random programs, with random blanks and comments between all words', () => {
  let comments = 0;
  fc.assert(
    fc.property(randomProgram, fc.infiniteStream(fc.nat({ max: 70 })), ({ files }, choices) => {
      for (const [name, text] of Object.entries(files)) {
        if (!name.endsWith('.prs')) continue;
        const disturbed = disturb(text, () => choices.next().value as number);
        const { found } = format(disturbed);
        assert.equal(found, [], disturbed);
        assertLaidOut(disturbed, name);
        assert.is(format(disturbed).text !== undefined, true);
        comments += commentsOf(disturbed).length;
      }
    }),
    { numRuns: runs(80) },
  );
  assert.ok(comments > runs(250), `${comments} comments`);
});

const compiled = async (files: Readonly<Record<string, string | Uint8Array>>) => {
  const { files: outputs, omissions } = await compile({ files });
  return {
    files: outputs.map(({ path, content }) => [path, content]),
    omissions: omissions.map(({ target, source, text }) => [target, source, text]),
  };
};

test('the projects of the tests compile to the same files', async () => {
  for (const project of ['kitchen-sink', 'minimal']) {
    const folder = join(root, 'test/projects', project);
    const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
    const files = Object.fromEntries(
      paths.map(entry => {
        const at = join(entry.parentPath, entry.name);
        return [at.slice(folder.length + 1).replaceAll('\\', '/'), new Uint8Array(readFileSync(at))];
      }),
    );
    const laidOut = Object.fromEntries(
      Object.entries(files).map(([path, bytes]) => [
        path,
        path.endsWith('.prs') ? format(new TextDecoder().decode(bytes)).text! : bytes,
      ]),
    );
    const before = await compiled(files);
    assert.ok(before.files.length > 0, project);
    assert.equal(await compiled(laidOut), before, project);
  }
});

test('random programs compile to the same files', async () => {
  const configuration = 'id: sample\nsyntax: "1.6.0"\ninput: { entry: entry.prs }\ntargets: [claude, cursor, codex]\n';
  await fc.assert(
    fc.asyncProperty(randomProgram, async ({ files }) => {
      const laidOut = Object.entries(files).map(([name, text]) => [name, name.endsWith('.prs') ? format(text).text! : text]);
      const config = { 'instr.yaml': configuration };
      assert.equal(await compiled({ ...config, ...Object.fromEntries(laidOut) }), await compiled({ ...config, ...files }));
    }),
    { numRuns: runs(20) },
  );
});

test('a text that has no other notation is unchanged', () => {
  // A lone carriage return, and variables that are expanded in only one line.
  const odd = '@identity {\n  """\n  a\r b ${HOME}\n  """\n}\n';
  assert.is(format(odd).text, odd);
  const blank = '@identity {\n  """\n\n     \n  """\n}\n';
  assert.is(format(blank).text, blank);
});

test('invalid text is reported, and not formatted', () => {
  const { text, found } = format('@identity { "open }\n');
  assert.is(text, undefined);
  assert.ok(found.length > 0 && found.every(({ severity }) => severity === 'error'));
});

test.run();
