/** What a permission is about: a kind and a pattern, written `kind:pattern`. */
export interface Subject {
  readonly kind: string;
  readonly pattern: string;
}

export const kinds = ['shell', 'read', 'write', 'net', 'mcp'] as const;

/** The kind of a subject. */
export type Kind = (typeof kinds)[number];

export const isKind = (word: string): word is Kind => kinds.some(kind => kind === word);

/** Parses a subject of a known kind; `undefined` for any other text. */
export function parseKnownSubject(text: string): (Subject & { readonly kind: Kind }) | undefined {
  const subject = parseSubject(text);
  if (!subject || patternProblem(subject) !== undefined) return undefined;
  const { kind, pattern } = subject;
  return isKind(kind) ? { kind, pattern } : undefined;
}

/** Splits a subject into kind and pattern; `undefined` for a text without a kind. */
export function parseSubject(text: string): Subject | undefined {
  const at = text.indexOf(':');
  if (at < 1) return undefined;
  return { kind: text.slice(0, at).trim(), pattern: text.slice(at + 1).trim() };
}

export const printSubject = ({ kind, pattern }: Subject): string => `${kind}:${pattern}`;

/** Splits an `mcp` pattern into server and tool. A server alone stands for all of its tools. */
export function serverAndTool(pattern: string): { readonly server: string; readonly tool: string } {
  const at = pattern.indexOf('/');
  return at === -1
    ? { server: pattern, tool: '*' }
    : { server: pattern.slice(0, at), tool: pattern.slice(at + 1) };
}

/**
 * Normalizes a path pattern: relative to the project without `./`, and a folder becomes everything below it.
 */
export function normalizePathPattern(pattern: string): string {
  const bare = pattern.replace(/^(?:\.\/)+/, '');
  return bare.endsWith('/') ? `${bare}**` : bare;
}

/** Patterns are compared pairwise; this limit keeps that fast. */
const longest = 1000;

/** What is wrong with a pattern, as the end of a sentence; `undefined` for a valid pattern. */
export function patternProblem({ kind, pattern }: Subject): string | undefined {
  if (pattern === '') return 'has no pattern behind the colon';
  if (pattern.length > longest) return `is longer than ${longest} characters`;
  if (/[\u0000-\u001f\u007f]/.test(pattern)) return 'holds a line end or a control character';
  return problems[kind]?.(pattern);
}

const problems: Readonly<Record<string, (pattern: string) => string | undefined>> = {
  read: problemOfPath,
  write: problemOfPath,
  net: pattern =>
    /^(?:\*|(?:\*\.)?[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*)$/u.test(pattern)
      ? undefined
      : 'is no host: write `example.com`, `*.example.com` or `*`, without a scheme, a port or a path',
  mcp: pattern =>
    /^[\w.@-]+(?:\/[\w.*@-]+)?$/.test(pattern)
      ? undefined
      : 'is no `<server>/<tool>`: write `issues/create`, `issues/*` or `issues`',
};

function problemOfPath(pattern: string): string | undefined {
  if (/[[\]{}!]/.test(pattern))
    return 'holds brackets, braces or `!`, which tools read differently: write one subject for each';
  if (/(?:^|\/)\.\.(?:\/|$)/.test(pattern))
    return 'leaves the project: write where it leads, from `/` or `~/`';
  if (/\*\*[^/]|[^/]\*\*/.test(pattern))
    return 'has `**` next to other characters, but `**` matches whole folders';
  if (pattern.split('**').length > 4) return 'has more than three `**`: write fewer folders';
  return undefined;
}
