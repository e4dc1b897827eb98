/** Recursive parsers may exhaust the stack beyond this depth. */
const maxLevels = 1000;

/**
 * The offset where the brackets of a JSON or YAML text are nested deeper than 1000 levels, if they are. Strings are
 * skipped.
 */
export function findTooDeepNesting(text: string): number | undefined {
  let open = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}]/g)) {
    if (part === '[' || part === '{') open += 1;
    else if ((part === ']' || part === '}') && open > 0) open -= 1;
    if (open > maxLevels) return index;
  }
  return undefined;
}

/** The message for such a text, worded as a syntax error. */
export const tooDeepProblem = `its brackets go deeper than ${maxLevels} levels`;
