/** Escapes a text for use in a regular expression. */
export const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * The source of a regular expression for a template. `expressionFor` says what a placeholder such as `{name}` stands
 * for; without an answer it is literal text. A named group that occurs again must have the same text.
 */
export function templateExpression(
  template: string,
  expressionFor: (name: string) => string | undefined,
): string {
  const groups = new Set<string>();
  return template.replace(/\{(\w+)\}|[^{]+|\{/g, (part, name: string | undefined) => {
    const expression = name === undefined ? undefined : expressionFor(name);
    const group = expression && /^\(\?<(\w+)>/.exec(expression)?.[1];
    if (group && groups.has(group)) return `\\k<${group}>`;
    if (group) groups.add(group);
    return expression ?? escapeRegex(part);
  });
}
