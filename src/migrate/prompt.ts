import { fenceAround } from '../text/fences.ts';
import { findFrontMatter } from '../text/front-matter.ts';
import type { ImportedFile } from './migration.ts';

export interface MigrationPrompt {
  readonly text: string;
  /** Estimated at four characters per token. */
  readonly tokens: number;
}

const task = `# Move instruction files to one source

Write \`.prs\` sources that say what the instruction files below say. They are compiled back into the files of every coding assistant.

Rules:

- Keep the wording. Do not shorten, translate or improve anything, and leave nothing out.
- Say once what several files say. Where they contradict each other, keep both and write a comment \`# REVIEW:\` above.
- Personas go to @identity, facts about the project to @context, how to work and write code to @standards, prohibitions to @restrictions, custom commands to @shortcuts, reference texts and command lines to @knowledge, settings to @params.
- Files with globs or \`applyTo\` become named entries of @guards; skills and agents become entries of @skills and @agents.
- Use \`"""\` for anything with more than one line. Markdown inside stays as it is.
- Answer with the content of \`.instr/migrated/*.prs\`, one fenced block per file, its path on the line above.
`;

/**
 * A prompt with everything that an assistant needs to write the sources: the task, the language reference,
 * the result of the static import for each line, and the files themselves.
 */
export function migrationPrompt(files: readonly ImportedFile[], reference: string): MigrationPrompt {
  const rows = files.flatMap(({ path, imported }) =>
    imported.blocks.map(
      ({ block, startLine, endLine, confidence }) =>
        `| ${cell(path)} | ${startLine}-${endLine} | ${cell(block)} | ${confidence.toFixed(2)} |`,
    ),
  );
  const texts = files.map(({ path, text }) => {
    const fence = fenceAround(text);
    return `### ${path}\n\n${fence}\n${text.replace(/\s+$/, '')}\n${fence}\n`;
  });
  const text = `${task}
## The language

${demote(reference)}

## What the files seem to hold

By headings and wording; correct it where you know better.

| File | Lines | Block | Confidence |
| --- | --- | --- | --- |
${rows.join('\n')}

## The files

${texts.join('\n')}`;
  return { text, tokens: Math.ceil(text.length / 4) };
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');

/** Moves headings of the reference below a heading of the prompt. */
const demote = (text: string): string =>
  text
    .slice(findFrontMatter(text)?.bodyStart ?? 0)
    .replace(/^(#+) /gm, '##$1 ')
    .trim();
