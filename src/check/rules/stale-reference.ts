import { staleReference as finding } from '../../generated/diagnostics.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { closesFence, openingFence } from '../../text/fences.ts';
import { normalize } from '../../text/posix.ts';
import { didYouMean } from '../../text/similar.ts';
import type { Source } from '../../text/source.ts';
import type { Repository, Rule } from '../rule.ts';

/** Instructions get outdated: an assistant would look for files that no longer exist. */
export const staleReference: Rule = {
  name: 'stale-reference',
  severity: 'warning',
  help: 'Paths, scripts of `package.json` and targets of a makefile that instructions name exist. It looks at code and links in texts only, and where it cannot know it says nothing.',
  check: ({ texts, options, report }) => {
    for (const { source, remote, isData } of texts)
      if (!remote && !isData) checkText(source, options.repository, report);
  },
};

function checkText(source: Source, repository: Repository, report: Report): void {
  if (!/[`~]|\]\(/.test(source.text)) return;
  const reported = new Set<string>();
  const add = (what: string, name: string, start: number, known: ReadonlySet<string> = new Set()) => {
    if (reported.has(`${what} ${name}`)) return;
    reported.add(`${what} ${name}`);
    const span = { source, start, end: start + name.length };
    const hint = `${didYouMean(name, known)}Correct the name, or remove what is said of it.`;
    report(finding({ what, name }, { span, hint }));
  };
  for (const { text, start, isBlock, isLink } of codeIn(source.text)) {
    if (isSupposed(lineAround(source.text, start))) continue;
    if (isLink) {
      if (isStalePath(withoutDots(text, source.name), source.name, repository)) add('path', text, start);
      continue;
    }
    for (const { name, at } of scriptsIn(text)) {
      const known = repository.scripts();
      if (known && !known.has(name)) add('script', name, start + at, known);
    }
    for (const { name, at } of targetsIn(text)) {
      const known = repository.makeTargets();
      if (known && !known.has(name)) add('target', name, start + at, known);
    }
    // A path alone in backticks is a reference; in a code block it may be created by a program.
    if (!isBlock && isStalePath(text, source.name, repository)) add('path', text, start);
  }
}

interface Code {
  readonly text: string;
  readonly start: number;
  readonly isBlock?: boolean;
  readonly isLink?: boolean;
}

const inlineCode = /(?<!`)`([^`]+)`(?!`)/g;

/** Yields text in backticks, destinations of links, and the lines of shell code blocks. */
function* codeIn(text: string): Generator<Code> {
  let fence: string | undefined;
  let isShell = false;
  let start = 0;
  for (const line of text.split('\n')) {
    if (fence !== undefined) {
      if (closesFence(line, fence, 'inside')) fence = undefined;
      else if (isShell) yield { text: line, start, isBlock: true };
    } else {
      fence = openingFence(line, 'inside');
      isShell =
        fence !== undefined && /^[ \t]*[`~]{3,}[ \t]*(?:sh|bash|zsh|shell|console)?[ \t]*\r?$/i.test(line);
      if (fence === undefined) {
        for (const found of line.matchAll(inlineCode))
          yield { text: found[1]!, start: start + found.index + 1 };
        const prose = line.replace(inlineCode, code => ' '.repeat(code.length));
        for (const found of prose.matchAll(/\]\(<?([^()\s<>#?]+)/g))
          yield {
            text: found[1]!,
            start: start + found.index + found[0].length - found[1]!.length,
            isLink: true,
          };
      }
    }
    start += line.length + 1;
  }
}

/** The number of characters around a name that are checked. */
const nearby = 300;

function lineAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - nearby), at);
  const after = text.slice(at, at + nearby);
  return before.slice(before.lastIndexOf('\n') + 1) + after.split('\n', 1)[0]!;
}

/**
 * Whether a line is about something that need not exist: an example, a file to be created or one that was
 * removed.
 */
const isSupposed = (line: string): boolean =>
  /\b(?:e\.g|i\.e|for example|for instance|such as|example|like|imagine|create|creates|add|adds|new|generate[sd]?|output|writes?|removed?|deleted?|deprecated|legacy|old|former|renamed|moved|instead of|avoid|never|don't|do not|if (?:it|there|they|present|you)|optional(?:ly)?|may|might)\b/i.test(
    line,
  );

interface Named {
  readonly name: string;
  readonly at: number;
}

/** Scripts that a command runs in the project itself; other folders and packages have their own scripts. */
function scriptsIn(code: string): Named[] {
  return [
    ...code.matchAll(/(?:^|[\s;&|(])(?:npm|pnpm|yarn|bun) run ([A-Za-z][\w:.-]*)(?=$|[\s;&|)])/gm),
  ].flatMap(found => {
    const line = lineAround(code, found.index + 1);
    if (/(?:^|\s)(?:cd|--prefix|-C|--filter|--workspace|-w|-F|--cwd|--dir)\b/.test(line)) return [];
    return [{ name: found[1]!, at: found.index + found[0].length - found[1]!.length }];
  });
}

function targetsIn(code: string): Named[] {
  return [...code.matchAll(/^[ \t]*(?:\$ )?make ([a-z][\w.-]*)[ \t]*$/gm)].map(found => ({
    name: found[1]!,
    at: found.index + found[0].trimEnd().length - found[1]!.length,
  }));
}

/** Folders of build output. */
const made =
  /(?:^|\/)(?:node_modules|dist|build|out|target|coverage|tmp|temp|logs?|generated|__generated__|vendor|\.[\w-]*cache|\.next|\.venv)(?:\/|$)/;

/** The destination of a link with `..`, from the root of the project; any other as it is. */
function withoutDots(path: string, from: string): string {
  if (!/(?:^|\/)\.\.(?:\/|$)/.test(path)) return path;
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : '';
  return normalize(folder === '' ? path : `${folder}/${path}`);
}

/** Whether a file does not exist although its folder does. */
function isStalePath(text: string, from: string, { kindOf }: Repository): boolean {
  if (!/^(?:\.\/)?(?:[\w.@-]+\/)+[\w.@-]+\.[A-Za-z]\w{0,5}$/.test(text) || made.test(text)) return false;
  const path = text.replace(/^\.\//, '');
  // Files in folders of tools are often private.
  if (path.startsWith('.')) return false;
  if (
    /(?:^|\/)\.\.(?:\/|$)/.test(path) ||
    /(?:^|[/._-])(?:foo|bar|my|your|some|x+|example)(?:[/._-]|$)/i.test(path)
  )
    return false;
  const siblingPath = from.includes('/') ? `${from.slice(0, from.lastIndexOf('/') + 1)}${path}` : path;
  if (kindOf(path) !== undefined || kindOf(siblingPath) !== undefined) return false;
  return kindOf(path.slice(0, path.lastIndexOf('/'))) === 'directory';
}
