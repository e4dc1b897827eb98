import type { Report } from '../diagnostics/diagnostic.ts';
import { permissionTooWide, permissionUnenforced } from '../generated/diagnostics.ts';
import { meantFor } from '../kinds/audience.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Model } from '../model/model.ts';
import { fewQuoted } from '../text/names.ts';
import { understood } from '../text/permissions/subject.ts';
import type { LeftOut } from './unreached.ts';

/** What became of the permissions of a program for one target. */
export interface PermissionsLeft {
  /** Those without any place, with the reason. */
  readonly leftOut: LeftOut;
  /** Those that would have allowed more than they say. */
  readonly tooWide: ReadonlySet<string>;
}

/**
 * Warns of what a tool is forbidden and does not enforce, once for each tool and reason, and refuses what would be allowed beyond
 * the words of the source.
 */
export function reportPermissions(
  { items }: Model,
  left: ReadonlyMap<TargetRequest, PermissionsLeft>,
  report: Report,
): void {
  for (const [request, { leftOut, tooWide }] of left) {
    const { spec } = request;
    const target = spec.id;
    const unenforced = new Map<string, { about: string; subjects: string[] }>();
    for (const { path, fields } of meantFor(items.permissions, spec)) {
      const reason = leftOut.get(path);
      if (reason === undefined) continue;
      const subject = String(fields.get('text'));
      if (tooWide.has(path)) {
        const holes = { subject, title: spec.title, reason, target };
        report(permissionTooWide(holes, { about: path, target }));
      } else if (fields.get('list') !== 'allow' && understood(subject)) {
        const told = unenforced.get(reason) ?? { about: path, subjects: [] };
        told.subjects.push(subject);
        unenforced.set(reason, told);
      }
    }
    for (const [advice, { about, subjects }] of unenforced) {
      const holes = { title: spec.title, subjects: fewQuoted(subjects), advice };
      report(permissionUnenforced(holes, { about, target }));
    }
  }
}
