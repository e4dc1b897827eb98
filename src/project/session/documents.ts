import type { Document } from '../../syntax/ast.ts';
import { parseDocument } from '../../syntax/parse.ts';
import type { Diagnostic, Report } from '../../text/diagnostics/diagnostic.ts';
import { collectFindings } from '../../text/diagnostics/report.ts';
import type { Source } from '../../text/source.ts';

/** Parses a source; reports its errors. */
export type Parse = (source: Source, report: Report) => Document;

/** Returns a parser that caches the document and findings of each file by its text. */
export function keepDocuments(): Parse {
  const known = new Map<string, { document: Document; findings: readonly Diagnostic[] }>();
  return (source, report) => {
    const last = known.get(source.name);
    if (last?.document.source.text === source.text) {
      last.findings.forEach(report);
      return last.document;
    }
    const { findings, report: collect } = collectFindings(report);
    const document = parseDocument(source, collect);
    known.set(source.name, { document, findings });
    return document;
  };
}
