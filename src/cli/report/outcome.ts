import { basename, relative, sep } from 'node:path';
import { withForwardSlashes } from '../../host/relative-path.ts';
import { absolutePath } from '../../host/working-directory.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { renderGithub } from '../../text/diagnostics/render-github.ts';
import { renderJson } from '../../text/diagnostics/render-json.ts';
import { renderText } from '../../text/diagnostics/render-text.ts';
import { sortDiagnostics } from '../../text/diagnostics/report.ts';
import { escapeText } from '../../text/style.ts';
import { wrapLines } from '../../text/wrap.ts';
import type { CommandResult, PrsCommand } from '../command.ts';
import { version } from '../command-line.ts';
import {
  contentFor,
  writeAnnotations,
  writeError,
  writeJson,
  writeRendered,
  writeResult,
} from '../streams.ts';
import type { Screen, Terminal } from '../terminal.ts';
import { showPaged } from './pager.ts';

/** The options of the command line that affect output. */
export type View = Pick<PrsCommand, 'json' | 'quiet' | 'detailed' | 'strict' | 'format' | 'formats'> & {
  readonly config?: string | undefined;
};

/**
 * Prints findings and the result of a command: with `--json` or as SARIF one object on stdout and nothing
 * else, otherwise findings and notes on stderr and the result on stdout. Returns the exit code. Paths are
 * relative to `root`.
 */
export async function showResult(
  name: string,
  view: View,
  outcome: CommandResult,
  reported: readonly Diagnostic[],
  terminal: Terminal,
  root = outcome.root ?? absolutePath('.') ?? sep,
): Promise<number> {
  const exitCode = outcome.exitCode ?? (fails(reported, view.strict) ? 1 : 0);
  process.exitCode = exitCode;
  const diagnostics = sortDiagnostics(reported);
  if (view.json) {
    const findings = renderJson(diagnostics);
    const head = { version: 1, command: name, ok: exitCode === 0, exitCode, diagnostics: findings };
    writeJson({ ...head, ...outcome.data }, outcome.lines ? 0 : 2);
    return exitCode;
  }
  if (view.format === 'sarif' && view.formats.includes('sarif')) {
    // The module contains the pages of all codes.
    const { sarifReport } = await import('./sarif.ts');
    const configuration = basename(view.config ?? 'instr.yaml');
    const facts = { version, exitCode, folder: folderInRepository(root), configuration };
    writeJson(sarifReport(diagnostics, facts));
    return exitCode;
  }
  const shown = diagnostics.filter(diagnostic => isShown(diagnostic, view));
  const hidden = diagnostics.filter(one => one.severity === 'info' && !shown.includes(one)).length;
  if (shown.length > 0) showFindings(shown, view.format, terminal.stderr, root);
  // Output for another program is not wrapped.
  const width = widthOf(terminal.stdout);
  if (outcome.text) {
    const text = await outcome.text(width);
    if (outcome.paged && terminal.stdout.isTerminal && terminal.interactive) {
      if (await showPaged(contentFor(text, terminal.stdout))) return 130;
    } else if (outcome.content) writeRendered(contentFor(text, terminal.stdout));
    else writeResult(text, terminal.stdout);
  }
  if (outcome.summary && !view.quiet)
    writeResult(wrapLines(escapeText(outcome.summary(width)), width, '    '), terminal.stdout);
  if (hidden > 0 && !view.quiet)
    writeError(`${hidden} ${hidden === 1 ? 'note' : 'notes'}; --verbose shows them.\n`);
  if (outcome.notes && !view.quiet)
    writeError(wrapLines(escapeText(outcome.notes()), widthOf(terminal.stderr), '    '));
  return exitCode;
}

/** Prints sorted findings on stderr, from where GitHub reads annotations as well. */
function showFindings(
  diagnostics: readonly Diagnostic[],
  format: string | undefined,
  screen: Screen,
  root: string,
): void {
  if (format !== 'github') {
    const width = Math.min(screen.columns, 160);
    writeError(renderText(diagnostics, { palette: styled, width, wrap: screen.isTerminal }), screen);
  }
  if (format === 'github' || (format === undefined && process.env.GITHUB_ACTIONS === 'true'))
    writeAnnotations(renderGithub(diagnostics, folderInRepository(root)));
}

/**
 * The path of the project in the repository that GitHub checked out; empty when they are the same, or when it
 * is elsewhere.
 */
function folderInRepository(root: string): string {
  const workspace = process.env.GITHUB_WORKSPACE;
  const path = workspace ? relative(workspace, root) : '';
  return path.startsWith('..') ? '' : withForwardSlashes(path);
}

const widthOf = ({ isTerminal, columns }: Screen) => (isTerminal ? columns : Number.POSITIVE_INFINITY);

const fails = (diagnostics: readonly Diagnostic[], strict = false): boolean =>
  diagnostics.some(({ severity }) => severity === 'error' || (strict && severity === 'warning'));

/**
 * Whether a finding is shown. `--quiet` keeps errors, and warnings that make a strict run fail. Notes about
 * sources need `--verbose`; notes about written files are always shown.
 */
function isShown({ severity, code }: Diagnostic, view: View): boolean {
  if (severity === 'error') return true;
  if (severity === 'warning') return !view.quiet || view.strict === true;
  return !view.quiet && (view.detailed || code.startsWith('PRS8'));
}
