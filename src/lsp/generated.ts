import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { outputDrifted } from '../generated/diagnostics.ts';
import { sha256 } from '../host/hash.ts';
import { textHash } from '../plan/line-ends.ts';
import type { EditedProject } from './project.ts';

/** A warning for a generated file that does not say any more what was generated: the next compile stops at it. */
export function editedOutput(project: EditedProject, name: string, text: string): Diagnostic | undefined {
  const recorded = project.recorded(name)?.sha256;
  if (recorded === undefined) return undefined;
  const hash = textHash(new TextEncoder().encode(text), sha256);
  if (hash === recorded) return undefined;
  const reason = 'the next compile stops here';
  return outputDrifted({ path: name, reason }, { file: name, severity: 'warning' });
}
