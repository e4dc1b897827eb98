/**
 * The only module that writes to the terminal. Output contains untrusted names, values and texts; their
 * control characters are shown by name, so that only the program's own styles control the terminal.
 */
import { fstatSync, writeSync } from 'node:fs';
import { escapeText, markStyles, renderStyles } from '../text/style.ts';
import type { Screen } from './terminal.ts';

/** A text that was printed. */
export type Printed = readonly [stream: 'stdout' | 'stderr', text: string];

let kept: Printed[] | undefined;

/** Starts recording what is printed, except for status lines. */
export function recordPrinted(): readonly Printed[] {
  kept = [];
  return kept;
}

/** Prints a report on standard output. */
export function writeResult(text: string, screen?: Screen): void {
  print('stdout', renderStyles(neutralized(escapeText(text)), screen?.colors === true));
}

/** Prints everything other than results on standard error: diagnostics, notes, questions. */
export function writeError(text: string, screen?: Screen): void {
  print('stderr', renderStyles(neutralized(escapeText(text)), screen?.colors === true));
}

/** Prints workflow commands for GitHub, which are already escaped for it. */
export const writeAnnotations = (text: string): void => print('stderr', escapeText(text));

/** Prints a text made by `contentFor`. */
export const writeRendered = (text: string): void => print('stdout', text);

/**
 * The content of files, or a list for programs, as it is printed: unchanged to a pipe or file, escaped on a terminal
 * and when colours are forced.
 */
export const contentFor = (text: string, { isTerminal, colors }: Screen): string =>
  renderStyles(isTerminal || colors ? escapeText(text) : text, colors);

/**
 * Prints a value as JSON with control and hidden characters escaped, which is safe to show and does not
 * change the value.
 */
export function writeJson(value: unknown, indent = 2): void {
  print('stdout', `${jsonText(value, indent)}\n`);
}

/** Prints a recorded text again. */
export const replayPrinted = ([stream, text]: Printed): void =>
  print(stream, renderStyles(escapeText(markStyles(text)), true));

/** Non-ASCII control, hidden and separating characters, which JSON allows unescaped. */
const unsafeInJson =
  /[\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]|\udb40[\udc00-\udfff]|\u034f|[\ufe00-\ufe0f]/g;

function jsonText(value: unknown, indent: number): string {
  const escaped = JSON.stringify(value, null, indent).replace(unsafeInJson, found =>
    found.replace(/[\s\S]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
  return isWorkflow() ? escaped.replaceAll('##[', '##\\u005b') : escaped;
}

const isWorkflow = (): boolean => process.env.GITHUB_ACTIONS === 'true';

/** In a log of GitHub Actions, a line that begins with `::` or contains `##[` would be a command. */
const neutralized = (text: string): string =>
  isWorkflow() ? text.replace(/^(\s*):(?=:)/gm, '$1<U+003A>').replaceAll('##[', '##<U+005B>') : text;

/** Whether a status line is on the terminal; the next text replaces it. */
let status = false;

/** Shows one line until something else is printed; only for terminals. */
function writeStatus(line: string, columns: number): void {
  const characters = [...escapeText(line).replace(/\n/g, ' ')];
  const shown = characters.length < columns ? characters : [...characters.slice(0, columns - 2), '…'];
  clearStatus();
  write('stderr', shown.join(''));
  status = true;
}

/** Removes the status line, if there is one. */
function clearStatus(): void {
  if (!status) return;
  status = false;
  write('stderr', '\r\x1b[2K');
}

/** Clears the terminal including its scroll-back buffer. */
export const clearScreen = (): void => write('stdout', '\x1b[2J\x1b[3J\x1b[H');

/** Shows the caret of the terminal again, which prompts hide. */
export const showCaret = (): void => write('stderr', '\x1b[?25h');

/** The width of standard output, if it is a terminal. */
export const columnsOfOutput = (): number | undefined =>
  fstatSync(1).isCharacterDevice() ? process.stdout.columns : undefined;

function print(stream: Printed[0], text: string): void {
  kept?.push([stream, text]);
  if (text === '') return;
  clearStatus();
  write(stream, text);
}

/** Writes synchronously, so that nothing is lost when the process exits. */
function write(name: Printed[0], text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    try {
      // The console of Windows needs text, not UTF-8.
      if (process.platform === 'win32' && process[name].isTTY) {
        process[name].write(text);
        return;
      }
      at += writeSync(name === 'stdout' ? 1 : 2, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
      else fail(code);
    }
  }
}

let failed = false;

/** Handles a write error: a closed pipe (`prs … | head`) is not a failure, a full disk is one. */
function fail(code: string | undefined): never {
  if (code === 'EPIPE') process.exit();
  // The message goes to the other stream, which may still have a reader.
  const isFirst = !failed;
  failed = true;
  if (isFirst)
    write(
      'stderr',
      `The output could not be written (${code}). Free some space, or write to another place.\n`,
    );
  process.exit(1);
}

/** Milliseconds before the first line is shown. */
const showAfter = 1000;

/** A status line on the terminal during a long run. */
export interface Progress {
  readonly tell: (text: string) => void;
  /** Stops showing progress. */
  readonly end: () => void;
}

/** Shows progress in one line of a terminal, once a run has taken longer than a moment. */
export function startProgress(screen: Screen): Progress {
  const start = Date.now();
  let timer: NodeJS.Timeout | undefined;
  let latest = '';
  let ended = false;
  const show = () => writeStatus(latest, screen.columns);
  return {
    tell: text => {
      if (ended || text === latest) return;
      latest = text;
      const remaining = start + showAfter - Date.now();
      if (remaining <= 0) show();
      else timer ??= setTimeout(show, remaining);
    },
    end: () => {
      ended = true;
      clearTimeout(timer);
      clearStatus();
    },
  };
}
