import { relative } from 'node:path';
import { withForwardSlashes } from '../../host/relative-path.ts';
import type { Screen } from '../../host/terminal.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { renderGithub } from '../../text/diagnostics/render-github.ts';
import { renderText } from '../../text/diagnostics/render-text.ts';
import { writeAnnotations, writeError } from '../streams.ts';

/** How and where findings are shown. */
export interface FindingsView {
  /** Value of `--format`; absent means text, plus annotations when running in GitHub Actions. */
  readonly format: string | undefined;
  readonly screen: Screen;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the project; annotations need paths from the root of the repository. */
  readonly root: string;
}

/** Prints sorted findings on stderr, from where GitHub reads annotations as well. */
export function showFindings(diagnostics: readonly Diagnostic[], view: FindingsView): void {
  const { format, screen, environment } = view;
  if (format !== 'github') {
    const width = Math.min(screen.columns, 160);
    writeError(renderText(diagnostics, { palette: styled, width, wrap: screen.isTerminal }), screen);
  }
  if (format === 'github' || (format === undefined && environment.GITHUB_ACTIONS === 'true'))
    writeAnnotations(renderGithub(diagnostics, folderInRepository(view)));
}

/**
 * The path of the project in the repository that GitHub checked out; empty when they are the same, or when it
 * is elsewhere.
 */
export function folderInRepository({
  environment,
  root,
}: Pick<FindingsView, 'environment' | 'root'>): string {
  const workspace = environment.GITHUB_WORKSPACE;
  if (!workspace) return '';
  const path = relative(workspace, root);
  return path.startsWith('..') ? '' : withForwardSlashes(path);
}
