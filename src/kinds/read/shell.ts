import type { HookFacts } from '../../generated/types/target.ts';
import { escapeRegex } from '../../text/escape-regex.ts';
import { markReference } from '../../text/variables.ts';
import { exitUnless, gitRoot } from '../write/hooks.ts';

export interface ShellCommand {
  readonly argv: readonly string[];
  /** `project`, or a path below it; absent when the command does not set a working directory. */
  readonly cwd?: string;
}

/** Represents the project root while a command is parsed; it does not occur in commands. */
const rootMark = '\ue000';

/** First words that need a shell: built-in commands, and variable assignments for one command. */
const shellOnly =
  /^(?:[A-Za-z_]\w*=.*|if|for|while|until|case|function|\[|\[\[|!|\.|:|source|exit|export|unset|set|cd|eval|exec|trap|return|umask|ulimit|alias)$/s;

const anyExitGuard = new RegExp(`^${escapeRegex(exitUnless('NAME')).replace('NAME', '\\w+_PROJECT_DIR')}`);

const withoutExitGuard = (command: string): string => command.replace(anyExitGuard, '');

/**
 * Parses a POSIX command to an argument list. References to the project root become `cwd`, which every tool
 * can express; syntax that needs a shell is passed to one. Returns `undefined` when variables must be
 * expanded, which portable hooks do not do.
 */
export function readCommand(text: string, root: HookFacts['root']): ShellCommand | undefined {
  // The guard that ends a hook in another tool belongs to the file, not to the hook.
  const marked = markRoot(withoutExitGuard(text.trim()), root);
  const { tokens, complete } = tokenize(marked);
  const [first, directory, and] = tokens;
  const rest = first?.text === 'cd' && and?.operator ? tokens.slice(3) : undefined;
  const cwd = rest && rest.length > 0 ? directoryOf(directory!.text, root) : undefined;
  const words = cwd === undefined ? tokens : rest!;
  const below = cwd === undefined ? {} : { cwd };
  const isProgram = words.length > 0 && !shellOnly.test(words[0]!.text);
  if (complete && isProgram && !words.some(({ operator }) => operator)) {
    const read = readWords(
      words.map(word => word.text),
      root,
    );
    if (read) return { ...below, ...read, ...below };
  }
  const line = marked.slice(words[0]?.start ?? 0);
  if (line.trim() === '' || line.includes(rootMark) || /\$\(|`|\$\{/.test(line)) return undefined;
  return { argv: ['sh', '-c', line], ...below };
}

function readWords(words: readonly string[], root: HookFacts['root']): ShellCommand | undefined {
  const [program, flag, script] = words;
  if (words.length === 3 && /^(?:sh|bash)$/.test(program!) && flag === '-c') {
    const inner = readCommand(script!, root);
    if (inner && inner.argv[1] !== '-c') return inner;
  }
  if (!words.some(word => word.includes(rootMark))) return { argv: words };
  const argv = words.map(word => (word === rootMark ? '.' : word.replace(new RegExp(`^${rootMark}/+`), '')));
  return argv.some(word => word.includes(rootMark)) ? undefined : { argv, cwd: 'project' };
}

function directoryOf(word: string, root: HookFacts['root']): string | undefined {
  if (word.startsWith(rootMark)) return word.slice(1).replace(/^\/+|\/+$/g, '') || 'project';
  return root?.cwd === 'project' && /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(word) ? word : undefined;
}

function markRoot(text: string, root: HookFacts['root']): string {
  const git = text.replaceAll(gitRoot, rootMark);
  if (root?.env === undefined) return git;
  return git.replace(
    new RegExp(`\\$\\{${root.env}(?::?[?-][^}]*)?\\}|\\$${root.env}(?![A-Za-z0-9_])`, 'g'),
    rootMark,
  );
}

const withReferences = (text: string): string =>
  text.replace(
    /\\(["\\$`}])|\$\{([A-Za-z_]\w*)(?::-((?:[^\\{}]|\\.)*))?\}/g,
    (_, escaped?: string, name?: string, fallback?: string) =>
      escaped ??
      markReference({
        name: name!,
        ...(fallback !== undefined && { fallback: fallback.replace(/\\(.)/g, '$1') }),
      }),
  );

interface Token {
  readonly text: string;
  readonly start: number;
  /** Whether it is `&&`; other operators are not supported. */
  readonly operator: boolean;
}

/** Words and `&&` up to the first syntax that needs a shell; `complete` when there is none. */
function tokenize(text: string): { tokens: Token[]; complete: boolean } {
  const tokens: Token[] = [];
  const one =
    /[ \t]*(?:(&&)|((?:[^\s'"\\$`|&;<>(){}*?[\]~#!]|(?<=\S)[~#!]|\\[^\n]|'[^']*'|"(?:[^"\\$`]|\\[^\n]|\$\{[A-Za-z_]\w*(?::-(?:[^"\\$`{}]|\\[^\n])*)?\})*")+))/y;
  let at = 0;
  while (at < text.length) {
    one.lastIndex = at;
    const match = one.exec(text);
    if (!match) return { tokens, complete: text.slice(at).trim() === '' };
    const [whole, and, word] = match;
    const start = at + whole.length - (and ?? word)!.length;
    tokens.push({ text: and ?? unquote(word!), start, operator: and !== undefined });
    at += whole.length;
  }
  return { tokens, complete: true };
}

const unquote = (word: string): string =>
  word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? (double === undefined ? escaped! : withReferences(double)),
  );
