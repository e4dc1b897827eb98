import type { Report } from '../diagnostics/diagnostic.ts';
import { variableUnwritten } from '../generated/diagnostics.ts';
import type { Unwritten } from '../kinds/native/variables.ts';
import { groupBy } from '../text/group.ts';
import { fewQuoted } from '../text/names.ts';

/** Reports variables that a tool has no form for: once for each entry, tool and reason. */
export function reportUnwritten(unwritten: readonly Unwritten[], report: Report): void {
  const groups = groupBy(unwritten, one => [one.target, one.entry, one.problem].join('\0'));
  for (const all of groups.values()) {
    const [{ target, place, problem, advice }] = all;
    const hint =
      advice ??
      `Leave the tool out with \`except: [${target}]\`, or say what it is to get with \`tools: { ${target}: { … } }\` in the entry.`;
    const reference = fewQuoted([...new Set(all.map(one => one.reference))]);
    const places = fewQuoted([...new Set(all.map(one => one.place))]);
    report(variableUnwritten({ reference, place: places, target, problem }, { about: place, target, hint }));
  }
}
