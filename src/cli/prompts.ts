import { withCleanup } from '../host/at-exit.ts';
import { escapeForTerminal } from '../text/display.ts';
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
