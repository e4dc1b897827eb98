import type { Report } from '../diagnostics/diagnostic.ts';
import { variableUnwritten } from '../generated/diagnostics.ts';
import type { Unwritten } from '../kinds/write/variables.ts';
import { fewQuoted } from '../text/names.ts';

interface Told extends Unwritten {
  readonly references: Set<string>;
  readonly places: Set<string>;
}

/**
 * Reports variables that a tool has no way to fill in: once for each entry, tool and reason, however many of its values
 * hold some.
 */
export function reportUnwritten(unwritten: readonly Unwritten[], report: Report): void {
  const found = new Map<string, Told>();
  for (const one of unwritten) {
    const key = [one.target, one.entry, one.problem].join('\0');
    const told = found.get(key) ?? { ...one, references: new Set(), places: new Set() };
    found.set(key, told);
    told.references.add(one.reference);
    told.places.add(one.place);
  }
  for (const { target, place, problem, advice, references, places } of found.values()) {
    const hint =
      advice ??
      `Leave the tool out with \`except: [${target}]\`, or say what it is to get with \`tools: { ${target}: { … } }\` in the entry.`;
    const holes = { reference: fewQuoted([...references]), place: fewQuoted([...places]), target, problem };
    report(variableUnwritten(holes, { about: place, target, hint }));
  }
}
