import {
  type CodeAction,
  CodeActionKind,
  DiagnosticSeverity,
  type Range,
  type Diagnostic as Shown,
} from 'vscode-languageserver';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { shownHint, shownMessage } from '../text/diagnostics/shown.ts';
import { groupBy } from '../text/group.ts';
import { fileStart, toChanges, toLocation, toRange, type UriOf } from './protocol.ts';

const severities = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
} as const;

/** A finding with its LSP diagnostic. */
export interface Published {
  readonly finding: Diagnostic;
  readonly shown: Shown;
}

/** Groups findings by document; findings without a file are shown at the configuration. */
export function byDocument(
  findings: readonly Diagnostic[],
  uriOf: UriOf,
  configuration: string,
): Map<string, Published[]> {
  const published = findings.map(finding => ({ finding, shown: shownAs(finding, uriOf) }));
  return groupBy(published, ({ finding: { span, file } }) => {
    const name = span?.source.name ?? file;
    return name === undefined ? configuration : uriOf(name);
  });
}

function shownAs(finding: Diagnostic, uriOf: UriOf): Shown {
  const { code, severity, message, hint, span, related = [] } = finding;
  return {
    source: 'prs',
    code,
    severity: severities[severity],
    message: [shownMessage(message), ...(hint === undefined ? [] : [shownHint(hint)])].join('\n'),
    range: span ? toRange(span) : fileStart,
    ...(related.length > 0 && {
      relatedInformation: related.map(({ message: text, span: at }) => ({
        message: shownMessage(text),
        location: toLocation(at, uriOf),
      })),
    }),
  };
}

/** The code actions for the findings in a range. */
export function quickFixes(published: readonly Published[], range: Range, uriOf: UriOf): CodeAction[] {
  return published
    .filter(({ shown }) => meets(shown.range, range))
    .flatMap(({ finding, shown }) =>
      (finding.fixes ?? []).map(({ title, edits }, index) => ({
        title,
        kind: CodeActionKind.QuickFix,
        diagnostics: [shown],
        isPreferred: index === 0,
        edit: { changes: toChanges(edits, uriOf) },
      })),
    );
}

const meets = (a: Range, b: Range): boolean => !isBefore(a.end, b.start) && !isBefore(b.end, a.start);

const isBefore = (a: Range['start'], b: Range['start']): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);
