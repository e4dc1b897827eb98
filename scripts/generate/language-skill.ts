/** src/generated/language-skill.ts: the skill that teaches the source language, as text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Generated } from '../generate.ts';

export async function generate(root: string): Promise<Generated[]> {
  const text = readFileSync(join(root, 'conventions/language-skill.md'), 'utf8');
  return [
    {
      path: 'src/generated/language-skill.ts',
      text: `/** \`SKILL.md\` of the bundled skill. */\nexport const languageSkill = ${JSON.stringify(text)};\n`,
    },
  ];
}
