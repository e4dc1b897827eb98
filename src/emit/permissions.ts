import type { Report } from '../diagnostics/diagnostic.ts';
import { permissionTooWide, permissionUnenforced } from '../generated/diagnostics.ts';
import { meantFor } from '../kinds/audience.ts';
import type { TargetRequest } from '../kinds/request.ts';
import type { Model } from '../model/model.ts';
import { groupBy } from '../text/group.ts';
import { fewNames, fewQuoted } from '../text/names.ts';
import { understood } from '../text/permissions/subject.ts';
import type { PlannedTarget } from './plan-target.ts';

/** A permission that a target does not enforce, with the reason. */
interface Unenforced {
  readonly request: TargetRequest;
  readonly path: string;
  readonly subject: string;
  readonly reason: string;
}

/**
 * Warns of permissions that tools do not enforce, once for each reason, and refuses those that would allow more than the
 * source does.
 */
export function reportPermissions(
  { items }: Model,
  planned: ReadonlyMap<TargetRequest, Pick<PlannedTarget, 'leftOut' | 'tooWide'>>,
  report: Report,
): void {
  const unenforced: Unenforced[] = [];
  for (const [request, { leftOut, tooWide }] of planned) {
    const { id: target, title } = request.spec;
    for (const { path, fields } of meantFor(items.permissions, request.spec)) {
      const reason = leftOut.get(path);
      if (reason === undefined) continue;
      const subject = String(fields.get('text'));
      if (tooWide.has(path))
        report(permissionTooWide({ subject, title, reason, target }, { about: path, target }));
      else if (fields.get('list') !== 'allow' && understood(subject))
        unenforced.push({ request, path, subject, reason });
    }
  }
  const ofTargets = groupBy(unenforced, ({ request, reason }) => [request.spec.id, reason].join('\0'));
  const same = groupBy(ofTargets.values(), all =>
    [all[0].path, all[0].reason, ...all.map(({ subject }) => subject)].join('\0'),
  );
  for (const groups of same.values()) {
    const [[{ path: about, reason, request }], ...others] = groups;
    const titles = fewNames(groups.map(([one]) => one.request.spec.title));
    const subjects = fewQuoted(groups[0].map(({ subject }) => subject));
    const target = others.length === 0 ? { target: request.spec.id } : {};
    report(permissionUnenforced({ titles, subjects, advice: reason }, { about, ...target }));
  }
}
