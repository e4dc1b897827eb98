import { positionAt } from '../source.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { shownHint, shownMessage } from './shown.ts';

const commands: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'notice' };

/**
 * Renders findings as GitHub workflow commands, which become annotations of a pull request. `directory` is
 * the path of the project in its repository, empty when the project is the repository. A non-empty result
 * ends with a newline.
 */
export function renderGithub(diagnostics: readonly Diagnostic[], directory = ''): string {
  const prefix = directory && !directory.endsWith('/') ? `${directory}/` : directory;
  return diagnostics
    .map(diagnostic => {
      const { severity, code, message, hint, rule, target } = diagnostic;
      const title = [code, rule, target].filter(Boolean).join(' ');
      const properties = [...places(diagnostic, prefix), `title=${escapeProperty(title)}`].join(',');
      const head = shownMessage(message);
      const text = hint ? `${head}\nhelp: ${shownHint(hint)}` : head;
      return `::${commands[severity]} ${properties}::${escapeData(text)}\n`;
    })
    .join('');
}

function places({ span, file }: Diagnostic, prefix: string): string[] {
  if (!span) return file === undefined ? [] : [`file=${escapeProperty(prefix + file)}`];
  const start = positionAt(span.source, span.start);
  const end = positionAt(span.source, Math.max(span.start, span.end));
  return [
    `file=${escapeProperty(prefix + span.source.name)}`,
    `line=${start.line}`,
    `endLine=${end.line}`,
    // Columns are meaningful only within one line.
    ...(start.line === end.line ? [`col=${start.column}`, `endColumn=${end.column}`] : []),
  ];
}

const escapeData = (text: string): string =>
  text.replace(/%/g, '%25').replace(/\r/g, '%0D').replace(/\n/g, '%0A');

const escapeProperty = (text: string): string => escapeData(text).replace(/:/g, '%3A').replace(/,/g, '%2C');
