import { escapeForTerminal } from '../display.ts';
import { positionAt, type Span } from '../source.ts';
import { wrapLines } from '../wrap.ts';
import type { Diagnostic, Severity } from './diagnostic.ts';
import { renderFrame } from './frame.ts';
import { noColors, type Palette } from './palette.ts';
import { selectShown } from './report.ts';
import { shownHint, shownMessage } from './shown.ts';
import { type FoldedFindings, foldFindings, renderFolded } from './together.ts';

/** Layout options of findings for people. */
export interface TextOptions {
  readonly palette?: Palette;
  /** Columns of the terminal; source frames are cut to it. */
  readonly width?: number;
  /**
   * Whether long messages and hints are wrapped to that width, too. Output for programs keeps one line for
   * each.
   */
  readonly wrap?: boolean;
  /** The maximum number of findings shown; the rest is counted. */
  readonly limit?: number;
}

/**
 * Renders findings for people: location, severity, code and message, the source lines with carets, related
 * locations and hints. Takes a sorted list. Returns a text that ends with a newline, or an empty text for an
 * empty list.
 */
export function renderText(diagnostics: readonly Diagnostic[], options: TextOptions = {}): string {
  const { limit = 50 } = options;
  const folded = foldFindings(diagnostics);
  const all = new Map(folded.map(found => [found[0], found]));
  const { shown, rest } = selectShown([...all.keys()], limit);
  const parts = shown.map(first => renderShown(all.get(first)!, options));
  const hidden = countWords(rest, 'more ');
  if (hidden) parts.push(`… and ${hidden}. Correct these first, then run again.\n`);
  return parts.join('\n');
}

function renderShown(found: FoldedFindings, options: TextOptions): string {
  if (found.length === 1) return renderDiagnostic(found[0], options);
  const { palette = noColors, width = 100, wrap } = options;
  return renderFolded(found, palette, wrap ? width : Number.POSITIVE_INFINITY);
}

/** Renders one finding with its frame. The result ends with a newline. */
function renderDiagnostic(diagnostic: Diagnostic, options: TextOptions = {}): string {
  const { palette = noColors, width = 100 } = options;
  const { severity, code, span, related = [] } = diagnostic;
  const paint = palette[severity];
  const place = span ? placeText(span) : diagnostic.file && escapeForTerminal(diagnostic.file);
  const about = [diagnostic.rule, diagnostic.target].filter(Boolean).map(name => palette.dim(` [${name}]`));
  const head = `${paint(severity)} ${palette.dim(code)}: ${palette.strong(clean(shownMessage(diagnostic.message)))}${about.join('')}`;
  const fit = (text: string) => (options.wrap ? wrapLines(text, width, '    ') : text);
  const lines = [fit(place ? `${place}: ${head}` : head)];
  if (span) lines.push(...renderFrame(span, width, paint, palette));
  for (const { message, span: at } of related) {
    lines.push(fit(`  ${palette.info('note')}: ${placeText(at)}: ${clean(shownMessage(message))}`));
    lines.push(...renderFrame(at, width, palette.info, palette));
  }
  if (diagnostic.hint) lines.push(fit(`  ${palette.help('help')}: ${clean(shownHint(diagnostic.hint))}`));
  return `${lines.join('\n')}\n`;
}

/** `2 errors and 1 warning`; empty when there is nothing to count. */
export function countWords(counts: Readonly<Record<Severity, number>>, adjective = ''): string {
  const words = (['error', 'warning', 'info'] as const)
    .filter(severity => counts[severity] > 0)
    .map(severity => {
      const count = counts[severity];
      const noun = severity === 'info' ? 'note' : severity;
      return `${count} ${adjective}${noun}${count === 1 ? '' : 's'}`;
    });
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : (words[0] ?? '');
}

const clean = (text: string): string => escapeForTerminal(text).replace(/\n/g, '\n    ');

function placeText({ source, start }: Span): string {
  const { line, column } = positionAt(source, start);
  return `${escapeForTerminal(source.name)}:${line}:${column}`;
}
