import type { PolicyDefinition } from '../../generated/types/config.ts';
import type { Program, ProvenanceStep } from '../../resolve/program.ts';
import type { DiagnosticPlace, Related, Report } from '../../text/diagnostics/diagnostic.ts';
import type { Span } from '../../text/source.ts';

/** Where something stands in the configuration. */
export type SpanOf = (path: readonly (string | number)[]) => Span | undefined;

/** The names of the source that a reference leads to, as the configuration of a policy gives them. */
export type NamesOf = (reference: string) => readonly string[];

/** What a policy about a program is checked against. */
export interface PolicyContext<Policy extends PolicyDefinition> {
  readonly program: Program;
  readonly policy: Policy;
  /** Where the policy stands in the configuration. */
  readonly place: Span | undefined;
  readonly report: Report;
  /** Every name by which the policy may know a source. */
  readonly namesOf: NamesOf;
  /** Id of the entry file; absent where the program is only a part of one. */
  readonly entry?: string | undefined;
}

/** A kind of policy: looks at who declared and who changed what. */
export type PolicyCheck<Policy extends PolicyDefinition> = (
  context: PolicyContext<Policy>,
) => void | Promise<void>;

/** What all findings of a policy share: its name, its severity, why it is there, and the places that matter. */
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
