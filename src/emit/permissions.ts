import type { Report } from '../diagnostics/diagnostic.ts';
import { permissionTooWide, permissionUnenforced } from '../generated/diagnostics.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import { meantFor } from '../kinds/audience.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Model } from '../model/model.ts';
import { fewNames, fewQuoted } from '../text/names.ts';
import { understood } from '../text/permissions/subject.ts';
import type { LeftOut } from './unreached.ts';

/** What became of the permissions of a program for one target. */
export interface PermissionsLeft {
  /** Those without any place, with the reason. */
  readonly leftOut: LeftOut;
  /** Those that would have allowed more than they say. */
  readonly tooWide: ReadonlySet<string>;
}

/** What is forbidden and not enforced for one reason, from its first entry on. */
interface Unenforced {
  readonly about: string;
  readonly subjects: string[];
  readonly advice: string;
}

/**
 * Warns of what tools are forbidden and do not enforce, once for each reason, and refuses what would be allowed beyond the
 * words of the source.
 */
export function reportPermissions(
  { items }: Model,
  left: ReadonlyMap<TargetRequest, PermissionsLeft>,
  report: Report,
): void {
  const told = new Map<string, { what: Unenforced; specs: TargetSpec[] }>();
  for (const [{ spec }, { leftOut, tooWide }] of left) {
    const target = spec.id;
    const unenforced = new Map<string, Unenforced>();
    for (const { path, fields } of meantFor(items.permissions, spec)) {
      const reason = leftOut.get(path);
      if (reason === undefined) continue;
      const subject = String(fields.get('text'));
      if (tooWide.has(path)) {
        const holes = { subject, title: spec.title, reason, target };
        report(permissionTooWide(holes, { about: path, target }));
      } else if (fields.get('list') !== 'allow' && understood(subject)) {
        const what = unenforced.get(reason) ?? { about: path, subjects: [], advice: reason };
        what.subjects.push(subject);
        unenforced.set(reason, what);
      }
    }
    for (const what of unenforced.values()) {
      const key = JSON.stringify(what);
      const same = told.get(key) ?? { what, specs: [] };
      same.specs.push(spec);
      told.set(key, same);
    }
  }
  for (const { what, specs } of told.values()) {
    const { about, subjects, advice } = what;
    const [first, ...others] = specs;
    const holes = {
      titles: fewNames(specs.map(({ title }) => title)),
      subjects: fewQuoted(subjects),
      advice,
    };
    report(permissionUnenforced(holes, { about, ...(others.length === 0 && { target: first!.id }) }));
  }
}
