import { relative, sep } from 'node:path';
import type { Screen } from '../../host/terminal.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { styled } from '../../text/diagnostics/palette.ts';
import { renderGithub } from '../../text/diagnostics/render-github.ts';
import { renderText } from '../../text/diagnostics/render-text.ts';
import { writeAnnotations, writeError } from '../streams.ts';

/** How findings are shown, and where. */
export interface FindingsView {
  /** Value of `--format`; absent: text, with annotations beside it where GitHub runs the program. */
  readonly format: string | undefined;
  readonly screen: Screen;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the project: annotations name files from the root of the repository. */
  readonly root: string;
}

/** Prints sorted findings on stderr. GitHub reads annotations from there too, and people read the frames. */
export function showFindings(diagnostics: readonly Diagnostic[], view: FindingsView): void {
  const { format, screen, environment } = view;
  if (format !== 'github') {
    const width = Math.min(screen.columns, 160);
    writeError(renderText(diagnostics, { palette: styled, width, wrap: screen.isTerminal }), screen);
  }
  if (format === 'github' || (format === undefined && environment.GITHUB_ACTIONS === 'true'))
    writeAnnotations(renderGithub(diagnostics, folderInRepository(view)));
}

/** The project below the folder that GitHub checked out; empty when they are the same, or when it is elsewhere. */
export function folderInRepository({
  environment,
  root,
}: Pick<FindingsView, 'environment' | 'root'>): string {
  const workspace = environment.GITHUB_WORKSPACE;
  if (!workspace) return '';
  const path = relative(workspace, root);
  return path.startsWith('..') ? '' : path.split(sep).join('/');
}
