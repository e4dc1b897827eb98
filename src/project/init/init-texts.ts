import { languageSkill as bundled } from '../../generated/language-skill.ts';
import { newestSyntax } from '../../text/version.ts';
import type { InitAnswers } from './init.ts';

/** Where the skill that teaches the language lies, and what it says. */
export const languageSkill = { path: '.instr/skills/instr/SKILL.md', content: bundled.text };

/** JSON strings are YAML strings, and with these escapes `.prs` strings too. */
const quote = (text: string) => JSON.stringify(text);

/** The first configuration of a project. */
export function configText({ name, targets, formatter, registry }: Omit<InitAnswers, 'existing'>): string {
  return [
    '# What is compiled, and for which assistants. `prs targets` lists them.',
    `id: ${quote(name)}`,
    `syntax: ${quote(newestSyntax)}`,
    'targets:',
    ...targets.map(id => `  - ${id}`),
    ...(formatter
      ? ['formatting:', '  # Use the formatter settings of this project.', '  formatter: true']
      : []),
    ...(registry === undefined ? [] : registryText(registry)),
    '',
  ].join('\n');
}

/** A Git address becomes an alias named after its owner, a folder the registry of the project. */
function registryText(address: string): string[] {
  const parts = /^(?:[a-z+]+:\/\/|[^@/\s]+@)[^/:]+[/:](.+)$/i.exec(address)?.[1]?.split('/');
  if (!parts) return ['registry:', `  path: ${quote(address)}`];
  const alias = parts[0]!.replace(/\.git$/, '').replace(/[^A-Za-z0-9_-]+/g, '-');
  return [
    'registries:',
    `  # \`@use @${alias}/<file>\` reads from it.`,
    `  ${quote(`@${alias}`)}: ${quote(address)}`,
  ];
}

/** The first entry file: what is known, and one example of each common block to be replaced. */
export function entryText({ name, languages }: Pick<InitAnswers, 'name' | 'languages'>): string {
  return `@meta {
  id: ${quote(name)}
  syntax: ${quote(newestSyntax)}
}

# Who the assistant is in this project.
@identity {
  """
  You work on ${name} as an experienced developer.
  """
}

# Facts that are not obvious from the code.
@context {
${languages.length > 0 ? `  languages: [${languages.map(quote).join(', ')}]` : '  overview: "Say here what this project is and how it is built."'}
}

@standards {
  code: [
    "Follow the style of the code around you"
    "Keep changes small and focused"
  ]
  testing: [
    "Run the tests before you call a change finished"
  ]
}

@restrictions {
  - "Never commit secrets"
}

@shortcuts {
  "/review": "Review the staged changes for mistakes and missing tests"
}
`;
}
