import {
  type CodeAction,
  CodeActionKind,
  DiagnosticSeverity,
  type Range,
  type Diagnostic as Shown,
} from 'vscode-languageserver';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { shownHint, shownMessage } from '../text/diagnostics/shown.ts';
import { fileStart, toRange } from './protocol.ts';

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
  uriOf: (name: string) => string,
  configuration: string,
): Map<string, Published[]> {
  const found = new Map<string, Published[]>();
  for (const finding of findings) {
    const name = finding.span?.source.name ?? finding.file;
    const uri = name === undefined ? configuration : uriOf(name);
    const others = found.get(uri) ?? [];
    others.push({ finding, shown: shownAs(finding, uriOf) });
    found.set(uri, others);
  }
  return found;
}

function shownAs(finding: Diagnostic, uriOf: (name: string) => string): Shown {
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
        location: { uri: uriOf(at.source.name), range: toRange(at) },
      })),
    }),
  };
}

/** The code actions for the findings in a range. */
export function quickFixes(
  published: readonly Published[],
  range: Range,
  uriOf: (name: string) => string,
): CodeAction[] {
  return published
    .filter(({ shown }) => meets(shown.range, range))
    .flatMap(({ finding, shown }) =>
      (finding.fixes ?? []).map((fix, index): CodeAction => {
        const changes: Record<string, { range: Range; newText: string }[]> = {};
        for (const { span, text } of fix.edits) {
          const uri = uriOf(span.source.name);
          changes[uri] = [...(changes[uri] ?? []), { range: toRange(span), newText: text }];
        }
        return {
          title: fix.title,
          kind: CodeActionKind.QuickFix,
          diagnostics: [shown],
          isPreferred: index === 0,
          edit: { changes },
        };
      }),
    );
}

const meets = (a: Range, b: Range): boolean => !isBefore(a.end, b.start) && !isBefore(b.end, a.start);

const isBefore = (a: Range['start'], b: Range['start']): boolean =>
  a.line < b.line || (a.line === b.line && a.character < b.character);
