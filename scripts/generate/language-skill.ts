/** src/generated/language-skill.ts: the skill that teaches the source language, as text and as parsed fields. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const text = readFileSync(join(root, 'conventions/language-skill.md'), 'utf8');
  const match = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(text);
  if (!match) throw new Error('conventions/language-skill.md: no front matter');
  const { name, description } = parse(match[1]!) as { name: string; description: string };
  const skill = { text, name, description, content: match[2]!.trim() };
  return [
    {
      path: 'src/generated/language-skill.ts',
      text: `/** \`SKILL.md\` of the bundled skill, and its parts. */\nexport const languageSkill = ${JSON.stringify(skill)} as const;\n`,
    },
  ];
}
