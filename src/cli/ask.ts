import type { TargetSpec } from '../generated/types/target.ts';
import { withCleanup } from '../host/at-exit.ts';
import type { Hunk } from '../project/absorb/hunks.ts';
import type { Choice } from '../project/absorb/try-candidate.ts';
import { type CompileRequest, compileProject } from '../project/compile.ts';
import { isProjectName } from '../project/init/detect.ts';
import {
  type Existing,
  type InitAnswers,
  proposedFor,
  registryProblem,
  type Suggestion,
} from '../project/init/init.ts';
import type { CompileContext } from '../project/session/world.ts';
import { escapeForTerminal } from '../text/display.ts';
import { fewLines, fewNames } from '../text/names.ts';
import { showCaret } from './streams.ts';

/** Members of a question that are shown and may contain untrusted text. */
const shown: ReadonlySet<string> = new Set(['message', 'label', 'hint', 'placeholder']);

/**
 * The prompts library, which shows questions on standard error, with control characters in their texts
 * escaped.
 */
export async function prompts() {
  const clack = await import('@clack/prompts');
  const output = process.stderr;
  const ask =
    <Options extends object, Answer>(question: (options: Options) => Promise<Answer>) =>
    (options: Options): Promise<Answer> =>
      withCleanup(restoreTerminal, () => question({ ...escapeTexts(options), output }));
  return {
    isCancel: clack.isCancel,
    intro: (text: string) => clack.intro(escapeForTerminal(text), { output }),
    outro: (text: string) => clack.outro(escapeForTerminal(text), { output }),
    cancel: (text: string) => clack.cancel(escapeForTerminal(text), { output }),
    text: ask(clack.text),
    confirm: ask(clack.confirm),
    select: <Value>(options: Parameters<typeof clack.select<Value>>[0]) => ask(clack.select<Value>)(options),
    autocompleteMultiselect: ask(clack.autocompleteMultiselect<string>),
  };
}

function escapeTexts<T>(options: T): T {
  if (Array.isArray(options)) return options.map(escapeTexts) as T;
  if (typeof options !== 'object' || options === null) return options;
  const entries = Object.entries(options).map(([name, value]) => {
    if (name === 'options') return [name, escapeTexts(value)];
    if (name === 'initialValue' && typeof value === 'string')
      return [name, escapeForTerminal(value) === value ? value : ''];
    return [name, typeof value === 'string' && shown.has(name) ? escapeForTerminal(value) : value];
  });
  return Object.fromEntries(entries) as T;
}

/** A prompt hides the caret and turns off line editing. */
function restoreTerminal(): void {
  process.stdin.setRawMode?.(false);
  showCaret();
}

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
  const proposal = proposedFor(proposed);
  const existing =
    proposal === 'leave' ? proposal : await select<Existing>(existingQuestion(proposal, proposed));
  if (isCancel(existing)) return stop();
  // Imported texts must not be reformatted.
  const formatter =
    proposed.formatter &&
    existing === 'leave' &&
    (await confirm({ message: 'Format generated files with the formatter settings of this project?' }));
  if (isCancel(formatter)) return stop();
  outro('Writing the project.');
  const { languages } = proposed;
  return { name, targets, languages, formatter, existing, ...(registry && { registry: registry.trim() }) };
}

/** What becomes of existing instructions, or of the sources of another compiler. */
function existingQuestion(proposal: Exclude<Existing, 'leave'>, { compiler, instructions }: Suggestion) {
  const what =
    proposal === 'convert'
      ? `The project is written in the sources of ${compiler}`
      : `There are instructions already: ${fewNames(instructions)}`;
  const option =
    proposal === 'convert'
      ? { label: 'Convert them', hint: 'they stay unchanged next to the generated files' }
      : { label: 'Move in', hint: 'every text becomes a source as it is; no file changes' };
  return {
    message: `${what}. What becomes of them?`,
    options: [
      { value: proposal, ...option },
      { value: 'leave' as const, label: 'Leave them for now' },
    ],
    initialValue: proposal,
  };
}

/**
 * Asks whether to remove originals of a migration that no output replaces. Does not ask when there are none.
 */
export async function mayRemoveOriginals(request: CompileRequest, context: CompileContext): Promise<boolean> {
  const quiet = { ...context, report: () => {}, progress: () => {} };
  const planned = await compileProject({ ...request, mode: 'plan', force: false }, quiet);
  if (typeof planned === 'string' || planned.broken || planned.originals.length === 0) return true;
  const { confirm } = await prompts();
  const paths = planned.originals.map(({ path }) => `  ${path}`);
  const head =
    'What these files say is in the sources by now, and tools would read it twice. Remove them? Copies are kept.';
  const answer = await confirm({
    message: [head, ...fewLines(paths, 12, rest => `  and ${rest} more`)].join('\n'),
  });
  return answer === true;
}

/** Asks where to put an edit that fits in two places; `undefined` leaves it in the generated file. */
export async function askPlace(
  { added, removed, at }: Hunk,
  file: string,
  choices: readonly Choice[],
): Promise<number | undefined> {
  const { isCancel, select } = await prompts();
  const lines = [...removed.map(line => `- ${line}`), ...added.map(line => `+ ${line}`)];
  const answer = await select({
    message: [`Where does this edit of ${file}:${at + 1} go?`, ...lines.slice(0, 8)].join('\n'),
    options: [
      ...choices.map(({ file: path, line, context }, value) => ({
        value,
        label: `${path}:${line}`,
        hint: context.slice(0, 60),
      })),
      { value: -1, label: 'Leave it where it is', hint: '' },
    ],
  });
  return isCancel(answer) || answer === -1 ? undefined : answer;
}
