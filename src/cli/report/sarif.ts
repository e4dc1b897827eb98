import { pages } from '../../generated/pages.ts';
import type { Diagnostic as JsonDiagnostic } from '../../generated/types/report.ts';
import type { Diagnostic, Severity } from '../../text/diagnostics/diagnostic.ts';
import { renderJson } from '../../text/diagnostics/render-json.ts';

/** The content of a SARIF log besides the findings. */
export interface SarifFacts {
  readonly version: string;
  readonly exitCode: number;
  /** The path of the project in its repository; empty when they are the same. */
  readonly folder: string;
  /** The file for findings without a position: the configuration, relative to the project. */
  readonly configuration: string;
}

/** A range in a file; without an end it is a position or a line. */
type Range = Pick<JsonDiagnostic, 'line' | 'column' | 'endLine' | 'endColumn'>;

/** The SARIF base id for relative paths. */
const base = '%SRCROOT%';

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };

/**
 * Converts findings, in the given order, to one log in the Static Analysis Results Interchange Format 2.1.0.
 * Its rules are the pages of the codes that occur. Secrets are masked and long names cut, as in every report.
 */
export function sarifReport(diagnostics: readonly Diagnostic[], facts: SarifFacts): object {
  const codes = [...new Set(diagnostics.map(({ code }) => code))].sort();
  return {
    $schema: 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'instr', version: facts.version, rules: codes.map(ruleOf) } },
        invocations: [{ executionSuccessful: facts.exitCode < 2, exitCode: facts.exitCode }],
        originalUriBaseIds: {
          [base]: { description: { text: 'The folder of the project, or of the repository that holds it.' } },
        },
        columnKind: 'utf16CodeUnits',
        results: renderJson(diagnostics).map(finding =>
          resultOf(finding, codes.indexOf(finding.code), facts),
        ),
      },
    ],
  };
}

function ruleOf(code: string) {
  const page = pages[code];
  if (!page) return { id: code };
  const [about = ''] = page.page.split('\n\n');
  return {
    id: code,
    name: page.name,
    // The placeholders of a message have no common value.
    shortDescription: { text: page.message.replace(/`?\{\w+\}`?/g, '…') },
    fullDescription: { text: about.replace(/\n/g, ' ') },
    help: { text: `${page.hint}\n\n${page.page}`, markdown: `${page.hint}\n\n${page.page}` },
    defaultConfiguration: { level: levels[page.severity as Severity] },
  };
}

function resultOf(finding: JsonDiagnostic, ruleIndex: number, { folder, configuration }: SarifFacts) {
  const { code, severity, message, hint, rule, target, file = configuration, related = [] } = finding;
  return {
    ruleId: code,
    ruleIndex,
    level: levels[severity],
    message: { text: plainText(hint ? `${message}\nhelp: ${hint}` : message) },
    // Viewers need a line for every finding.
    locations: [{ physicalLocation: placeOf(file, { line: 1, ...finding }, folder) }],
    ...(related.length > 0 && {
      relatedLocations: related.map((place, id) => ({
        id,
        physicalLocation: placeOf(place.file, place, folder),
        message: { text: plainText(place.message) },
      })),
    }),
    ...((rule ?? target) !== undefined && { properties: { rule, target } }),
  };
}

/** SARIF interprets `[text](place)` in a message as a link, so brackets in quoted text are escaped. */
const plainText = (text: string): string => text.replace(/\[(?=[^\][]*\]\()/g, '\\[');

const placeOf = (file: string, { line, column, endLine, endColumn }: Range, folder: string) => ({
  artifactLocation: artifactOf(file, folder),
  region: { startLine: line, startColumn: column, endLine, endColumn },
});

/** The URI of a file: from the root of the repository, unless it lies elsewhere. */
function artifactOf(file: string, folder: string) {
  const encoded = (path: string) => path.split('/').map(encodeURIComponent).join('/');
  if (/^(?:[A-Za-z]:)?\//.test(file)) return { uri: `file://${encoded(file.replace(/^(?!\/)/, '/'))}` };
  return { uri: encoded(folder ? `${folder}/${file}` : file), uriBaseId: base };
}
