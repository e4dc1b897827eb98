import { sourceElsewhere, sourceRequired, sourceVersionOutside } from '../../generated/diagnostics.ts';
import type { RequiredSourcePolicy } from '../../generated/types/config.ts';
import { type Program, sourceOf, type Unit } from '../../resolve/program.ts';
import { referencesOf } from '../../resolve/written-at.ts';
import type { Span } from '../../text/source.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { covers, coversAny } from './names.ts';

/**
 * Reports a program that neither inherits nor imports the source, or imports a version outside the range. A
 * reference that could not be loaded is not reported again.
 */
export const checkRequiredSource: PolicyCheck<RequiredSourcePolicy> = async context => {
  const { policy, program, report, entry, namesOf } = context;
  if (entry === undefined) return;
  const { source, version } = policy;
  const written = referencesTo(source, program);
  const remote = program.units.filter(({ layer }) => layer.remote);
  const brought = remote.filter(({ layer }) => coversAny(source, namesOf(layer.reference)));
  const start = startOf(program.units.find(({ id }) => id === entry));
  if (brought.length === 0) {
    const other = remote.find(({ layer }) => covers(source, layer.reference))?.layer;
    const span = written.find(({ path }) => path === other?.reference)?.span ?? start;
    if (other && span) {
      const { reference, registry = reference } = other;
      const holes = { source, policy: policy.name, reference, place: registry };
      report(sourceElsewhere(holes, findingOf(context, span)));
    } else if (written.length === 0 && start)
      report(sourceRequired({ source, policy: policy.name }, findingOf(context, start)));
    return;
  }
  if (version === undefined) return;
  const reported = new Set<string>();
  for (const { layer } of brought) {
    // The version of plain HTTP files is part of their name; a directory has no version, whatever the
    // reference says.
    const found = layer.chosen ?? (layer.directory ? undefined : layer.version);
    if (reported.has(found ?? '') || (await isWithin(found, version))) continue;
    reported.add(found ?? '');
    const span = written.find(one => one.path === layer.reference)?.span ?? start;
    if (!span) continue;
    const holes = {
      source,
      range: version,
      policy: policy.name,
      found: found === undefined ? 'without one' : `as \`${found}\``,
    };
    report(sourceVersionOutside(holes, findingOf(context, span)));
  }
};

function referencesTo(source: string, { units }: Program): { readonly path: string; readonly span: Span }[] {
  return units.flatMap(unit =>
    unit.kind === 'source'
      ? unit.document.declarations
          .flatMap(referencesOf)
          .filter(({ path }) => covers(source, path))
          .map(({ path, span }) => ({ path, span }))
      : [],
  );
}

function startOf(unit: Unit | undefined): Span | undefined {
  const source = unit && sourceOf(unit);
  if (!source) return undefined;
  return { source, start: 0, end: Math.max(0, source.text.search(/[\r\n]|$/)) };
}

async function isWithin(version: string | undefined, range: string): Promise<boolean> {
  if (version === undefined) return false;
  const { default: semver } = await import('semver');
  return semver.valid(version) !== null && semver.satisfies(version, range);
}
