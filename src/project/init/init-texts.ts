import { languageSkill as bundled } from '../../generated/language-skill.ts';
import { newestSyntax } from '../../text/version.ts';

export interface ProjectFacts {
  readonly name: string;
  readonly targets: readonly string[];
  readonly languages: readonly string[];
  /** Whether what is generated gets formatted; `found`: nobody was asked, but the project has settings for it. */
  readonly formatter: boolean | 'found';
  readonly registry?: string;
}

/** Where the skill that teaches the language lies, and what it says. */
export const languageSkill = { path: '.instr/skills/instr/SKILL.md', content: bundled.text };

/** JSON strings are YAML strings, and with these escapes `.prs` strings too. */
const quote = (text: string) => JSON.stringify(text);

/** The first entry file: what is known, and one example of each common block to be replaced. */
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
