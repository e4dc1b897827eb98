import type { Diagnostic, DiagnosticPlace, Severity } from './diagnostic.ts';

/** Builds a diagnostic. Only the generated constructors call it. Absent parts get no key. */
export function make(
  code: string,
  severity: Severity,
  message: string,
  hint: string,
  where: DiagnosticPlace,
): Diagnostic {
  return {
    code,
    severity: where.severity ?? severity,
    message,
    hint: where.hint ?? hint,
    ...(where.rule !== undefined && { rule: where.rule }),
    ...(where.target !== undefined && { target: where.target }),
    ...(where.span !== undefined && { span: where.span }),
    ...(where.file !== undefined && { file: where.file }),
    ...(where.about !== undefined && { about: where.about }),
    ...(where.related !== undefined && where.related.length > 0 && { related: where.related }),
    ...(where.fixes !== undefined && where.fixes.length > 0 && { fixes: where.fixes }),
    ...(where.together !== undefined && { group: where.together }),
  };
}
