import { policyWaived, waiverExpired } from '../../generated/diagnostics.ts';
import type { PolicyDefinition, PolicyWaiver } from '../../generated/types/config.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { compileGlobs } from '../../text/globs.ts';
import type { SpanOf } from './kind.ts';

/** What decides whether a waiver applies. */
export interface WaiverContext {
  /** `id` of the project. */
  readonly project: string;
  /** The date of the run in UTC, `2026-03-31`. */
  readonly today: string;
}

/** A waiver that applies to a project, with its state. */
export interface Waiver extends PolicyWaiver {
  readonly policy: string;
  readonly state: 'active' | 'expired';
  /** Its position in the configuration: the indexes of its policy and of the waiver. */
  readonly at: readonly [policy: number, waiver: number];
}

/** The waivers of policies that apply to a project, in order. */
export function waiversFor(
  policies: readonly PolicyDefinition[] | undefined,
  { project, today }: WaiverContext,
): readonly Waiver[] {
  return (policies ?? []).flatMap(({ name, waivers = [] }, index) =>
    waivers.flatMap((waiver, at): Waiver[] => {
      if (waiver.project !== undefined && waiver.project !== project) return [];
      const state = waiver.until < today ? 'expired' : 'active';
      return [{ ...waiver, policy: name, state, at: [index, at] }];
    }),
  );
}

export function reportExpired(waivers: readonly Waiver[], spanOf: SpanOf, report: Report): void {
  for (const { state, owner, until, policy, at } of waivers) {
    if (state === 'active') continue;
    const span = spanOf(['policies', at[0], 'waivers', at[1], 'until']);
    report(waiverExpired({ policy, owner, until }, { span, rule: policy }));
  }
}

/**
 * Returns a report for the findings of one policy: a finding that an active waiver covers becomes a note that
 * names the responsible person. Calls `excused` for it.
 */
export function reportWithWaivers(
  policy: PolicyDefinition,
  waivers: readonly Waiver[],
  report: Report,
  excused: () => void = () => {},
): Report {
  const active = waivers.filter(waiver => waiver.policy === policy.name && waiver.state === 'active');
  if (active.length === 0) return report;
  return found => {
    const file = found.span?.source.name ?? found.file ?? '';
    const waiver = active.find(({ files }) => files === undefined || compileGlobs(files)(file));
    if (!waiver || found.rule !== policy.name) {
      report(found);
      return;
    }
    excused();
    const { owner, reason, until } = waiver;
    const where = { span: found.span, file: found.file, related: found.related, rule: policy.name };
    report(policyWaived({ what: found.message, owner, until, reason }, where));
  };
}
