import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { renderJson } from '../../diagnostics/render-json.ts';

/** The object of `--json`, as `schema/report.schema.json` describes it. */
export function jsonReport(
  command: string,
  exitCode: number,
  diagnostics: readonly Diagnostic[],
  data: Readonly<Record<string, unknown>>,
  inOneLine = false,
): string {
  const report = {
    version: 1,
    command,
    ok: exitCode === 0,
    exitCode,
    diagnostics: renderJson(diagnostics),
    ...data,
  };
  return `${JSON.stringify(report, null, inOneLine ? 0 : 2)}\n`;
}
