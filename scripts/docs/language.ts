/** Generates the reference of the source language from the block catalogue. */
import type { BlockCatalogue, Field } from '../../src/generated/types/blocks.ts';
import { code, table } from './markdown.ts';

const bodies: Readonly<Record<string, string>> = {
  text: 'text',
  items: 'list items',
  fields: 'fields of any name',
  entries: 'named entries',
  uses: '`@use`',
};

const merging: Readonly<Record<string, string>> = {
  replace: 'replaced',
  append: 'appended',
  'one-level': 'merged one level deep',
};

/** Versions, then a chapter for each block. Headings start at `level`. */
export function languageReference({ versions, features, blocks }: BlockCatalogue, level: number): string {
  const heading = (depth: number, text: string) => `${'#'.repeat(level + depth)} ${text}`;
  const parts = [
    heading(0, 'Versions'),
    table(
      ['Version', 'What it brought'],
      versions.map(({ version, doc }) => [version, doc]),
    ),
    table(
      ['Not a block', 'Since', 'Used in an older file'],
      features.map(({ title, since, severity }) => [title, since, severity]),
    ),
    heading(0, 'Blocks'),
    table(
      ['Block', 'Since', 'Meaning'],
      blocks.map(({ name, since, doc }) => [`[${code(`@${name}`)}](#${name.toLowerCase()})`, since, doc]),
    ),
  ];
  for (const block of blocks) {
    parts.push(heading(1, `@${block.name}`), block.doc);
    const facts = [
      `Holds ${list(block.body.map(word => bodies[word]!))}.`,
      `Since ${block.since}.`,
      ...(block.aliases ? [`Also written ${list(block.aliases.map(alias => code(`@${alias}`)))}.`] : []),
      ...(block.prose ? ['A section of the main document.'] : []),
    ];
    parts.push(facts.join(' '), `\`\`\`prs\n${block.example.trim()}\n\`\`\``);
    if (block.fields) parts.push('Fields of the block:', fields(block.fields));
    if (block.subjects)
      parts.push(
        'Kinds of subjects, each with a colon behind it:',
        table(
          ['Kind', 'Meaning', 'Example'],
          block.subjects.map(({ name, doc, example }) => [code(name), doc, code(example)]),
        ),
      );
    if (block.entry) parts.push(`Fields of an entry. ${block.entry.doc}`, fields(block.entry.fields));
    for (const { name, options } of block.entry?.fields ?? [])
      if (options)
        parts.push(
          `Values of ${code(name)}:`,
          table(
            ['Value', 'Meaning'],
            options.map(option => [code(option.name), option.doc]),
          ),
        );
  }
  return parts.join('\n\n');
}

function fields(all: readonly Field[]): string {
  const rows = all.map(field => [
    code(field.name) + (field.required ? ' (required)' : ''),
    typeOf(field),
    [
      field.doc,
      ...(field.refers ? [`Names of ${code(`@${field.refers}`)}.`] : []),
      ...(field.since ? [`Since ${field.since}.`] : []),
    ].join(' '),
    (field.keys ?? []).map(code).join(', '),
    field.merge ? merging[field.merge]! : '',
    field.sealable ? 'yes' : '',
  ]);
  return table(['Field', 'Type', 'Meaning', 'Also written', 'When changed', 'Can be sealed'], rows);
}

const typeOf = ({ values, options, types }: Field): string =>
  options ? 'one of those below' : values ? values.map(code).join(', ') : types.join(' or ');

const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
