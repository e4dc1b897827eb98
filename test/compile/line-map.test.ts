/**
 * Every output line is mapped to its origins, and the mapping is correct: each word of the line comes from a mapped place,
 * or from a template or spec.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Program } from '../../src/resolve/program.ts';
import { allVersions, openKitchenSink, root } from '../support/compile.ts';
import { runs, sample } from '../support/depth.ts';
import { type ExplainedLine, explainTarget, linesOfSources } from '../support/line-maps.ts';
import fc from '../support/property.ts';
import { randomProgram, resolveFiles, tokensOf } from '../support/random-program.ts';
import { translationsOf } from '../support/texts.ts';

const tests = suite('line maps');

/** Keeps letters and digits only, because quoting, escapes, headings and list markers may differ. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'));

/** Words of templates, conventions and lists that specs share. */
const shared = filesBelow(join(root, 'conventions')).flatMap(wordsOf);
/** Words that the compiler adds: the shell command for the root of a repository, and the shebang line of scripts. */
const computed = wordsOf('#!/bin/sh cd $(git rev-parse --show-toplevel)');

/** Returns what is wrong with the mapping of a line, or undefined if it is correct. */
type Judge = (line: ExplainedLine) => string | undefined;

/**
 * Every word of a line must come from a spec, a template, a mapped value or a mapped source line. It may appear unchanged,
 * as part of a name, or as the tool's own term.
 */
function judgeWords(program: Program, { spec }: { readonly spec: Parameters<typeof translationsOf>[0] }): Judge {
  const lineAt = linesOfSources(program);
  const translations = translationsOf(spec);
  const literals = new Set([...shared, ...computed, ...wordsOf(JSON.stringify(spec))]);
  return ({ text, entries }) => {
    const words = wordsOf(text);
    if (words.length > 0 && entries.length === 0) return 'has no origin';
    const origins = entries.flatMap(({ path, value, file, line }) => {
      if (file === undefined) return [];
      const measured = path.endsWith('.timeoutMs') ? [String(Math.ceil(Number(value) / 1000))] : [];
      const own = translations.get(String(value)) ?? '';
      return [...measured, ...[String(value), own, lineAt(file, line!)].flatMap(wordsOf)];
    });
    const isKnown = (word: string) => literals.has(word) || origins.some(one => one.includes(word));
    const strange = words.filter(word => !isKnown(word));
    if (strange.length > 0) return `no origin has ${strange.join(', ')}`;
    const stray = entries.filter(({ path, value, file }) => {
      // A field name stands for all fields of that name. Timeouts, folders and events are written as the tool's own terms.
      if (file === undefined || path.endsWith(String(value)) || /\.(?:timeoutMs|cwd|event)$/.test(path)) return false;
      const own = [String(value), translations.get(String(value)) ?? ''].flatMap(wordsOf);
      return own.length > 0 && !own.some(word => words.some(one => one.includes(word) || word.includes(one)));
    });
    if (stray.length > 0) return `unused origin: ${stray.map(({ value }) => value).join(' | ')}`;
    const isLayout = entries.length === 1 && entries[0]!.file === undefined;
    return isLayout && !/^(?:conventions|targets)\/\S+(?:: \S+)?$/.test(entries[0]!.path) ? 'is mapped to neither a template nor a spec' : undefined;
  };
}

/**
 * For a program in which each word occurs once. Every word of a line must be found in a mapped place, and every mapped place
 * must supply a word or a part of the line.
 */
function judgeTokens(program: Program): Judge {
  const lineAt = linesOfSources(program);
  return ({ text, entries }) => {
    const own = tokensOf(text);
    const places = entries.flatMap(({ value, file, line }) =>
      file === undefined ? [] : [{ value: String(value), tokens: tokensOf(`${value}\n${lineAt(file, line!)}`) }],
    );
    const missing = own.filter(token => !places.some(({ tokens }) => tokens.includes(token)));
    if (missing.length > 0) return `no origin has ${missing.join(', ')}`;
    const parts = text.match(/[^\s",-]+/g) ?? [];
    const stray = places.filter(({ value, tokens }) => {
      if (tokens.some(token => own.includes(token)) || text.includes(value)) return false;
      // A command line in one text is split at its spaces, and what follows the program is written with the arguments.
      if (value.split(' ').slice(1).some(word => text.includes(`"${word}"`))) return false;
      return own.length > 0 || (tokensOf(value).length > 0 && !parts.some(part => value.includes(part)));
    });
    if (stray.length > 0) return `unused origin: ${stray.map(({ value }) => value).join(' | ')}`;
    return entries.length === 0 && wordsOf(text).length > 0 ? 'has no origin' : undefined;
  };
}

function wrongLines(lines: readonly ExplainedLine[], judges: readonly Judge[]): string[] {
  return lines.flatMap(line => {
    const problem = judges.map(judge => judge(line)).find(one => one !== undefined);
    const origins = line.entries.map(({ path, file, line: at }) => `${path} (${file}:${at})`).join(', ');
    return problem === undefined ? [] : [`${line.path}:${line.line}: ${line.text}\n  ${problem}; mapped to: ${origins}`];
  });
}

let [right, wrong] = [0, 0];

for (const { loaded, id, version } of sample(allVersions())) {
  tests(`${id} ${version}: maps each line of the kitchen sink`, async () => {
    const { program } = await openKitchenSink();
    const lines = await explainTarget(program, id, version);
    const found = wrongLines(lines, [judgeWords(program, loaded)]);
    wrong += found.length;
    right += lines.length - found.length;
    assert.is(found.join('\n'), '');
    assert.ok(lines.length > 0);
  });
}

tests('detects wrong mappings', async () => {
  const { program } = await openKitchenSink();
  const { loaded } = allVersions(['claude'])[0]!;
  const lines = await explainTarget(program, 'claude', 'full');
  // Gives each line the mapping of the next line.
  const mixed = lines.map((line, index) => ({ ...line, entries: lines[(index + 1) % lines.length]!.entries }));
  assert.ok(wrongLines(mixed, [judgeWords(program, loaded)]).length > lines.length / 4);
});

tests('random programs: maps each line of every version of every target', async () => {
  const names = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(randomProgram, { minLength: 7, maxLength: 7 }), async all => {
      for (const { files } of all) for (const name of Object.keys(files)) names.add(name);
      const programs = all.map(one => resolveFiles(one, () => {}));
      for (const [index, { id, version }] of allVersions().entries()) {
        const program = programs[index % programs.length]!;
        const found = wrongLines(await explainTarget(program, id, version), [judgeTokens(program)]);
        assert.is(found.join('\n'), '', `${id} ${version}`);
      }
    }),
    { numRuns: runs(2), seed: 5 },
  );
  assert.equal([...names].sort(), ['base.prs', 'entry.prs', 'notes.md', 'skill.md', 'template.prs']);
});

tests.after(() => console.log(`\nexplain maps ${right} lines of the goldens correctly and ${wrong} incorrectly`));
tests.run();
