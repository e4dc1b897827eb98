/**
 * Random programs of two `.prs` files and several Markdown files. Every marked word occurs on one line of one file, so
 * that an occurrence in an output has exactly one correct origin.
 */

import type { Program, SourceUnit, Unit } from '../../src/resolve/program.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Report } from '../../src/text/diagnostics/diagnostic.ts';
import fc from './property.ts';

/** Placeholder for a word that occurs once. The words are numbered when the files are assembled. */
const mark = '\u0001';

/** The marked words of an output, in lower case, because titles capitalize their first letter. */
export const tokensOf = (text: string): string[] => text.toLowerCase().match(/z[a-j]+x/g) ?? [];

const numbered = (index: number): string =>
  `z${[...String(index)].map(digit => 'abcdefghij'[Number(digit)]).join('')}x`;

/** Words that layout, quoting, escaping or formatting could move or drop. */
const oddWords = [
  '', '', '', "it's", '`code`', '**bold**', '_so_', 'key: value', '{{x}}', '*star*', '<tag>', '& more', '1.10', '[x](y)',
  'a, b', '(so)', '— ', 'שלום', '#tag', '%PATH%', '\\_',
];

const sentence = fc
  .array(fc.constantFrom(...oddWords), { minLength: 1, maxLength: 4 })
  .map(words => words.map(word => `${mark}${word && ` ${word}`}`).join(' '));
const lines = (line: fc.Arbitrary<string>, most = 3) => fc.array(line, { minLength: 1, maxLength: most });

const paragraph = fc.oneof(
  { weight: 3, arbitrary: sentence },
  lines(sentence).map(all => all.join('\n')),
  lines(sentence).map(all => all.map(line => `- ${line}`).join('\n')),
  lines(sentence).map(all => all.map((line, index) => `${index + 1}. ${line}`).join('\n')),
  fc.tuple(sentence, sentence).map(([one, two]) => `- ${one}\n  - ${two}`),
  lines(sentence).map(all => `\`\`\`sh\n${all.join('\n')}\n\`\`\``),
  fc.tuple(fc.constantFrom('#', '##', '###'), sentence, sentence).map(([level, title, text]) => `${level} ${title}\n\n${text}`),
  fc.tuple(sentence, sentence).map(([one, two]) => `| ${one} | ${mark} |\n| --- | --- |\n| ${two} | ${mark} |`),
  sentence.map(line => `> ${line}`),
);
const text = lines(paragraph).map(all => all.join('\n\n'));

const quoted = (line: string) => `"${line.replace(/["\\]/g, '\\$&')}"`;
const quotedLine = sentence.map(quoted);
const block = (indent: string) =>
  text.map(all => `"""\n${all.replace(/\\(?=")/g, '\\\\').replace(/^(?=.)/gm, indent)}\n${indent}"""`);
const words = fc.oneof(quotedLine, block('    '));
const name = fc.constantFrom(mark, `${mark}-${mark}`);
const list = lines(quotedLine).map(all => `[${all.join(', ')}]`);
const longList = lines(quotedLine).map(all => `[\n${all.map(one => `      ${one}`).join('\n')}\n    ]`);
const fields = fc
  .array(fc.tuple(name, fc.oneof(quotedLine, list)), { minLength: 1, maxLength: 2 })
  .map(all => `{ ${all.map(([key, value]) => `${key}: ${value}`).join(' ')} }`);
const value = fc.oneof(quotedLine, list, longList, words, fields);

/** An entry of a block with some of its fields. */
function entry(required: Record<string, fc.Arbitrary<string>>, optional: Record<string, fc.Arbitrary<string>> = {}) {
  return fc
    .tuple(name, fc.record({ ...required, ...optional }, { requiredKeys: Object.keys(required) }))
    .map(([key, all]) => `  ${key}: {\n${Object.entries(all).map(([field, one]) => `    ${field}: ${one}`).join('\n')}\n  }`);
}

const inBlock = (blockName: string, one: fc.Arbitrary<string>) =>
  lines(one, 2).map(all => `@${blockName} {\n${all.join('\n')}\n}`);

const tools = fc.constantFrom('["Read", "Grep"]', '["Bash"]');
const globs = fc.constantFrom('["src/**"]', '["**/*.ts", "!**/*.test.ts"]', '["packages/web/**"]');

const declaration = fc.oneof(
  inBlock('identity', block('  ').map(all => `  ${all}`)),
  inBlock('context', fc.oneof(fc.tuple(name, value).map(([key, one]) => `  ${key}: ${one}`), block('  ').map(all => `  ${all}`))),
  inBlock('standards', fc.tuple(name, value).map(([key, one]) => `  ${key}: ${one}`)),
  inBlock('restrictions', quotedLine.map(one => `  - ${one}`)),
  inBlock('knowledge', block('  ').map(all => `  ${all}`)),
  inBlock(mark, fc.tuple(name, value).map(([key, one]) => `  ${key}: ${one}`)),
  inBlock('local', block('  ').map(all => `  ${all}`)),
  inBlock('examples', entry({ input: words, output: words }, { description: quotedLine })),
  inBlock('guards', entry({ content: words }, { applyTo: globs, description: quotedLine })),
  inBlock(
    'skills',
    entry(
      { description: quotedLine, content: words },
      { trigger: quotedLine, allowedTools: tools, license: quotedLine, argumentHint: quotedLine, compatibility: quotedLine, metadata: fields, inputs: name.map(key => `{ ${key}: "${mark}" }`) },
    ),
  ),
  inBlock('agents', entry({ description: quotedLine, content: words }, { tools, color: quotedLine, model: quotedLine })),
  inBlock('shortcuts', fc.oneof(
    fc.tuple(name, quotedLine).map(([key, one]) => `  "/${key}": ${one}`),
    entry({ prompt: fc.constant('true'), description: quotedLine, content: words }, { argumentHint: quotedLine, tools }),
  )),
  inBlock('workflows', entry({ description: quotedLine, content: words })),
  inBlock('hooks', entry(
    { event: fc.constantFrom('"stop"', '"pre-tool-use"', '"session-start"', '"post-tool-use"'), command: lines(quotedLine).map(all => `["echo", ${all.join(', ')}]`) },
    { statusMessage: quotedLine, description: quotedLine, timeoutMs: fc.constant('5000'), matcher: fc.constant('"Edit|Write"') },
  )),
  inBlock('mcpServers', fc.oneof(
    entry({ command: list }, { description: quotedLine, env: fields, args: list }),
    entry({ transport: fc.constant('"http"'), url: fc.constant(`"https://${mark}.example.org/mcp"`) }, { headers: name.map(key => `{ ${key}: "${mark}" }`) }),
  )),
);

const changed = fc.oneof(
  quotedLine.map(one => `@extend standards { ${mark}: ${one} }`),
  quotedLine.map(one => `@extend restrictions { - ${one} }`),
  block('  ').map(all => `@extend identity {\n  ${all}\n}`),
);

/** Markdown without front matter, or with front matter that makes it an item. */
const markdown = fc.tuple(sentence, text).map(([title, body]) => `# ${title}\n\n${body}\n`);
const skill = fc.tuple(sentence, text).map(
  ([description, body]) => `---\nname: ${mark}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}\n`,
);

/** A source with a parameter. Words of an argument come both from the argument and from the place where it is used. */
const template = fc.tuple(sentence, block('    ')).map(([line, body]) =>
  [
    `@meta { id: "template" syntax: "1.6.0" params: { word: string other: string = "${mark}" } }`,
    `@standards {\n  ${mark}: ${quoted(`${line} {{word}} ${mark}`)}\n}`,
    `@context {\n  ${mark}: "{{other}}"\n}`,
    `@skills {\n  ${mark}: {\n    description: "${mark} {{word}}"\n    content: ${body}\n  }\n}`,
  ].join('\n\n'),
);

/** The placement and the targets of a source. */
const kept = fc.constantFrom('', ' into "AGENTS.md"', ' for claude, codex', ' into "CLAUDE.md" for claude', ' for cursor');
const placed = fc.constantFrom('', ' into "team"', ' for claude, codex', ' into "team" for cursor');

/** Files by name. The entry file is first. */
export interface RandomProgram {
  readonly files: Readonly<Record<string, string>>;
}

const prs = (id: string, parts: readonly string[]) => [`@meta { id: "${id}" syntax: "1.6.0" }`, ...parts].join('\n\n');

export const randomProgram: fc.Arbitrary<RandomProgram> = fc
  .record({
    base: fc.array(declaration, { maxLength: 3 }),
    entry: fc.array(fc.oneof({ weight: 5, arbitrary: declaration }, { weight: 1, arbitrary: changed }), { minLength: 1, maxLength: 7 }),
    notes: fc.option(fc.tuple(markdown, kept), { nil: undefined, freq: 3 }),
    skill: fc.option(fc.tuple(skill, placed), { nil: undefined, freq: 3 }),
    template: fc.option(fc.tuple(template, placed), { nil: undefined, freq: 3 }),
  })
  .map(({ base, entry: own, notes, skill: found, template: part }) => {
    const uses = [
      ...(notes ? [`@use ./notes.md${notes[1]}`] : []),
      ...(found ? [`@use ./skill.md${found[1]}`] : []),
      ...(part ? [`@use ./template(word: "${mark}")${part[1]}`] : []),
    ];
    let count = 0;
    const fill = (all: string) => all.replaceAll(mark, () => numbered(count++));
    return {
      files: {
        'entry.prs': fill(prs('entry', ['@inherit ./base', ...uses, ...own])),
        'base.prs': fill(prs('base', base)),
        ...(notes && { 'notes.md': fill(notes[0]) }),
        ...(found && { 'skill.md': fill(found[0]) }),
        ...(part && { 'template.prs': fill(part[0]) }),
      },
    };
  });

/** Resolves the files of a random program as if they were in one folder. */
export function resolveFiles({ files }: RandomProgram, report: Report): Program {
  const references = new Map(Object.keys(files).map(file => [`./${file.replace(/\.prs$/, '')}`, file]));
  const layer = { reference: '@project', remote: false };
  const units = new Map(
    Object.entries(files).map(([id, content]): [string, Unit] => {
      const source = { name: id, text: content };
      if (id === 'skill.md') return [id, { kind: 'skill', id, layer, source, folder: 'skill', resources: [] }];
      if (id.endsWith('.md')) return [id, { kind: 'document', id, layer, source }];
      const unit: SourceUnit = { kind: 'source', id, layer, document: parseDocument(source, report), references };
      return [id, unit];
    }),
  );
  return resolveProgram({ units, entryId: 'entry.prs', env: () => undefined }, report);
}
