import { metaIncomplete, metaMissing } from '../../generated/diagnostics.ts';
import type { SourceUnit } from '../../resolve/program.ts';
import { writtenForm } from '../../resolve/written-at.ts';
import { localPath } from '../../text/places.ts';
import { newestSyntax } from '../../text/version.ts';
import { sourceUnits } from '../documents.ts';
import type { Rule, RuleContext } from '../rule.ts';

/** Files must have an id and a language version. */
export const requiredMeta: Rule = {
  name: 'required-meta',
  severity: 'error',
  help: 'Every source file needs `@meta` with `id` and `syntax`; a warning for fragments reached only by `@use`.',
  check: context => {
    const units = sourceUnits(context.program);
    const { entry: entryId, inherit } = context.options;
    // A Markdown entry needs no `@meta`; a file that the configuration makes it inherit does.
    const entry = units.find(({ id }) => id === entryId) ?? units.find(({ id }) => id === inherit);
    const spine = entry ? inheritedBy(entry, units, inherit) : new Set<string>();
    for (const unit of units) {
      // Private notes are merged after everything else and are not a program of their own.
      if (unit.id !== localPath) checkUnit(unit, spine.has(unit.id) ? 'error' : 'warning', context);
    }
  },
};

/** The entry and its chain of inherited files, as opposed to files that it imports. */
function inheritedBy(
  entry: SourceUnit,
  units: readonly SourceUnit[],
  configured: string | undefined,
): Set<string> {
  const byId = new Map(units.map(unit => [unit.id, unit]));
  const found = new Set<string>();
  for (let unit: SourceUnit | undefined = entry; unit && !found.has(unit.id); ) {
    found.add(unit.id);
    unit = byId.get(parentOf(unit) ?? (unit === entry ? configured : undefined) ?? '');
  }
  return found;
}

/** Id of the file that a file inherits. */
function parentOf({ document, references }: SourceUnit): string | undefined {
  const inherit = document.declarations.find(declaration => declaration.kind === 'inherit');
  return inherit && references.get(writtenForm(inherit.reference));
}

/** Derives an id from a file name. */
const idFor = (path: string): string => path.replace(/^.*\//, '').replace(/\.prs$/, '');

/** Fields with an example of each. */
const required = [
  ['id', '"my-project"'],
  ['syntax', `"${newestSyntax}"`],
] as const;

function checkUnit({ document }: SourceUnit, severity: 'error' | 'warning', { report }: RuleContext): void {
  const { source, declarations } = document;
  const meta = declarations.find(item => item.kind === 'block' && item.name === 'meta');
  if (meta?.kind !== 'block') {
    const start = declarations[0]?.span.start ?? 0;
    const end = declarations[0] ? source.text.indexOf(' ', start) : 0;
    const holes = { file: source.name, id: idFor(source.name), syntax: newestSyntax };
    report(metaMissing(holes, { severity, span: { source, start, end: Math.max(start, end) } }));
    return;
  }
  for (const [field, example] of required) {
    const found = meta.body.items.find(item => item.kind === 'field' && item.key === field);
    const value = found?.kind === 'field' ? found.value : undefined;
    const usable = value?.kind === 'number' || (value?.kind === 'string' && value.value.trim() !== '');
    if (usable) continue;
    report(metaIncomplete({ field, example }, { severity, span: meta.nameSpan }));
  }
}
