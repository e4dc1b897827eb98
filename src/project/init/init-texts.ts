import { languageSkill as bundled } from '../../generated/language-skill.ts';
import { newestSyntax } from '../../text/version.ts';

export interface ProjectFacts {
  readonly name: string;
  readonly targets: readonly string[];
  readonly languages: readonly string[];
  /** Whether outputs are formatted. `found`: the user was not asked, but the project configures a formatter. */
  readonly formatter: boolean | 'found';
  readonly registry?: string;
}

/** The file of the bundled skill about the language. */
export const languageSkill = { path: '.instr/skills/instr/SKILL.md', content: bundled.text };

/** Quotes a text as a JSON string, which YAML and `.prs` accept too. */
const quote = (text: string) => JSON.stringify(text);

/** The first entry file: known facts, and an example of each common block. */
export function entryText({ name, languages }: Pick<ProjectFacts, 'name' | 'languages'>): string {
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
