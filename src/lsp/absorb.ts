import { absorbProject } from '../project/absorb/absorb.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { shownMessage } from '../text/diagnostics/shown.ts';
import { toPath } from './protocol.ts';
import type { Workspace } from './workspace.ts';

/** Moves the edits of a generated file into the sources, like `prs absorb`; returns a summary. */
export async function absorbFile(uri: string, workspace: Workspace): Promise<{ ok: boolean; text: string }> {
  const path = toPath(uri);
  const project = workspace.projectAt(uri);
  if (path === undefined || !project) return { ok: false, text: 'This file belongs to no project.' };
  const unsaved = workspace.unsaved().map(project.nameOf);
  if (unsaved.length > 0) return { ok: false, text: `Save ${unsaved.join(', ')} first.` };
  const found: Diagnostic[] = [];
  const context = project.context(finding => void found.push(finding));
  const absorbed = await absorbProject({ files: [path], added: false, dryRun: false }, context);
  const errors = found
    .filter(({ severity }) => severity === 'error')
    .map(({ message }) => shownMessage(message));
  if (typeof absorbed === 'string' || errors.length > 0)
    return { ok: false, text: errors.join('\n') || 'Nothing was changed.' };
  const refused = absorbed.hunks.filter(({ state }) => state === 'refused');
  const applied = absorbed.hunks.length - refused.length;
  const reasons = [...new Set(refused.flatMap(({ reason }) => reason ?? []))];
  const text = `${applied} of ${absorbed.hunks.length} edits were moved into the sources.`;
  return { ok: refused.length === 0, text: [text, ...reasons].join('\n') };
}
