import type { Installed } from '../../project/merge/install.ts';

/** What was installed or removed. */
export function hookText({ attributes, hooks, foreign }: Installed, removed: boolean): string {
  const lines = [
    removed
      ? 'Git merges generated files as any others again.'
      : 'Git merges generated files in this clone by compiling the merged sources.',
    `  changed ${attributes}`,
    ...hooks.map(path => `  wrote   ${path}`),
  ];
  for (const path of foreign) {
    if (removed) continue;
    lines.push(`  kept    ${path}, which is yours: add \`prs compile --quiet\` to it`);
  }
  return `${lines.join('\n')}\n`;
}
