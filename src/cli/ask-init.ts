import type { TargetSpec } from '../generated/types/target.ts';
import { isProjectName } from '../project/init/detect.ts';
import {
  type Existing,
  type InitAnswers,
  proposedFor,
  registryProblem,
  type Suggestion,
} from '../project/init/init.ts';
import { fewNames } from '../text/names.ts';
import { prompts } from './prompts.ts';

/** Asks for the settings of `init`, with detected values as defaults; `undefined` when the user cancels. */
export async function askInit(
  proposed: Suggestion,
  specs: readonly TargetSpec[],
): Promise<InitAnswers | undefined> {
  const { autocompleteMultiselect, cancel, confirm, intro, isCancel, outro, select, text } = await prompts();
  intro('A new project');
  const stop = () => {
    cancel('Nothing was written.');
    return undefined;
  };
  const name = await text({
    message: 'What is the id of the project?',
    initialValue: proposed.name,
    validate: value => (isProjectName(value ?? '') ? undefined : 'Use letters, digits, "-", "_" and ".".'),
  });
  if (isCancel(name)) return stop();
  const chosen = new Set(proposed.targets);
  // Detected tools come first, because the list is long.
  const ordered = [...specs].sort((a, b) => Number(chosen.has(b.id)) - Number(chosen.has(a.id)));
  const targets = await autocompleteMultiselect({
    message: proposed.hasTools ? 'Which assistants? (those in use are selected)' : 'Which assistants?',
    options: ordered.map(({ id, title }) => ({ value: id, label: title, hint: id })),
    initialValues: [...proposed.targets],
    required: true,
    maxItems: 12,
    placeholder: 'type a name to search',
  });
  if (isCancel(targets)) return stop();
  const registry = await text({
    message: 'A registry to share instructions from? (a Git address or a folder; empty for none)',
    initialValue: proposed.registry ?? '',
    validate: value => registryProblem(value ?? ''),
  });
  if (isCancel(registry)) return stop();
  const taking = proposedFor(proposed);
  const existing =
    taking === 'leave'
      ? taking
      : await select<Existing>({
          message:
            taking === 'convert'
              ? `The project is written in the sources of ${proposed.compiler}. What becomes of them?`
              : `There are instructions already: ${fewNames(proposed.instructions)}. What becomes of them?`,
          options: [
            taking === 'convert'
              ? {
                  value: taking,
                  label: 'Convert them',
                  hint: 'they stay unchanged next to the generated files',
                }
              : {
                  value: taking,
                  label: 'Move in',
                  hint: 'every text becomes a source as it is; no file changes',
                },
            { value: 'leave', label: 'Leave them for now' },
          ],
          initialValue: taking,
        });
  if (isCancel(existing)) return stop();
  // Imported texts must not be reformatted.
  const formatter =
    proposed.formatter && existing === 'leave'
      ? await confirm({
          message: 'Format generated files with the formatter settings of this project?',
        })
      : false;
  if (isCancel(formatter)) return stop();
  outro('Writing the project.');
  return {
    name,
    targets,
    languages: proposed.languages,
    formatter,
    existing,
    ...(registry && { registry: registry.trim() }),
  };
}
