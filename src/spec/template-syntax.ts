/** The helpers that templates may call; any other name is an error when the template is compiled. */
export const templateHelpers = ['if', 'unless', 'each', 'repeat', 'part', 'bullet', 'fields'] as const;

interface AstNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

/**
 * The names of the fields a template mentions, without duplicates, sorted: they count as shown to the reader.
 * The argument is the tree that Handlebars' own parser gives.
 */
export function readTemplateUses(tree: AstNode): string[] {
  const found = new Set<string>();
  const helpers: ReadonlySet<string> = new Set(templateHelpers);
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const child of node) visit(child);
    if (typeof node !== 'object' || node === null) return;
    const { type } = node as AstNode;
    if (type === 'PathExpression') {
      const { parts, data } = node as unknown as { parts: readonly string[]; data: boolean };
      if (!data && parts.length > 0 && !helpers.has(parts[0]!)) found.add(parts[0]!);
      return;
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'loc') visit(child);
  };
  visit(tree);
  return [...found].sort();
}

/**
 * What is wrong with a template, from the error that Handlebars throws: its own words name its options and the states
 * of its parser.
 */
export function templateProblem(error: unknown): string {
  const [first = '', ...rest] = String((error as Error).message).split('\n');
  const helper =
    /knownHelpersOnly, but used the unknown helper ([^\s]+)/.exec(first) ??
    /Missing helper: "([^"]+)"/.exec(first);
  if (helper) return `there is no helper "${helper[1]}"; the helpers are ${templateHelpers.join(', ')}`;
  const mismatch = /^(\S+) doesn't match (\S+)/.exec(first);
  if (mismatch) return `{{#${mismatch[1]}}} is closed by {{/${mismatch[2]}}}`;
  const line = /^Parse error on line (\d+)/.exec(first)?.[1];
  if (line === undefined) return first;
  const got = rest.at(-1)?.match(/got '([^']+)'/)?.[1];
  const found =
    got === 'EOF' ? 'it ends before a {{#…}} or a {{…}} is closed' : 'a {{…}} is not written as it must be';
  return `line ${line}: ${found}`;
}
