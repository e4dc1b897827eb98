import type { PolicyDefinition } from '../../generated/types/config.ts';
import type { Program, ProvenanceStep } from '../../resolve/program.ts';
import type { DiagnosticPlace, Related, Report } from '../../text/diagnostics/diagnostic.ts';
import type { Span } from '../../text/source.ts';

export type SpanOf = (path: readonly (string | number)[]) => Span | undefined;

/** Returns the names of the source that a reference leads to, by the configuration of a policy. */
export type NamesOf = (reference: string) => readonly string[];

/** The context for checking a policy about a program. */
export interface PolicyContext<Policy extends PolicyDefinition> {
  readonly program: Program;
  readonly policy: Policy;
  /** The span of the policy in the configuration. */
  readonly place: Span | undefined;
  readonly report: Report;
  /** Returns all names by which the policy may know a source. */
  readonly namesOf: NamesOf;
  /** Id of the entry file; absent when only a part of a program is checked. */
  readonly entry?: string | undefined;
}

/** The check of one kind of policy, based on provenance. */
export type PolicyCheck<Policy extends PolicyDefinition> = (
  context: PolicyContext<Policy>,
) => void | Promise<void>;

/** The common parts of findings of a policy: its name, severity, reason, and the related spans. */
export function findingOf(
  { policy, place }: Pick<PolicyContext<PolicyDefinition>, 'policy' | 'place'>,
  span: Span,
  base?: ProvenanceStep,
): DiagnosticPlace {
  const related: Related[] = [];
  if (base) related.push({ message: `declared by \`${base.layer.reference}\``, span: base.span });
  if (place) related.push({ message: policy.description ?? 'the policy', span: place });
  return { span, related, rule: policy.name, severity: policy.severity };
}
