import type { Diagnostic, DiagnosticPlace, Severity } from './diagnostic.ts';

const optionalParts = ['rule', 'target', 'span', 'file', 'about', 'related', 'fixes', 'group'] as const;

/** Builds a diagnostic. Only the generated constructors call it. Absent parts and empty lists get no key. */
export function make(
  code: string,
  severity: Severity,
  message: string,
  hint: string,
  where: DiagnosticPlace,
): Diagnostic {
  const parts = optionalParts.flatMap(name => {
    const part = where[name];
    return part === undefined || (Array.isArray(part) && part.length === 0) ? [] : [[name, part] as const];
  });
  return {
    code,
    severity: where.severity ?? severity,
    message,
    hint: where.hint ?? hint,
    ...Object.fromEntries(parts),
  };
}
