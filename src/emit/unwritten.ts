import type { Report } from '../diagnostics/diagnostic.ts';
import { variableUnwritten } from '../generated/diagnostics.ts';
import type { Unwritten } from '../kinds/write/variables.ts';

/** Reports variables that a tool has no way to fill in, each once. */
export function reportUnwritten(unwritten: readonly Unwritten[], report: Report): void {
  const told = new Set<string>();
  for (const { target, reference, place, problem, advice } of unwritten) {
    const key = [target, reference, place].join('\0');
    if (told.has(key)) continue;
    told.add(key);
    const hint =
      advice ??
      `Leave the tool out with \`except: [${target}]\`, or say what it is to get with \`tools: { ${target}: { … } }\` in the entry.`;
    report(variableUnwritten({ reference, place, target, problem }, { about: place, target, hint }));
  }
}
