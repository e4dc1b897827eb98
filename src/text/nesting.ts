/** Recursive parsers of JSON may run out of stack beyond this. */
const maxLevels = 1000;

/** Where the brackets of a JSON text go deeper than 1000 levels, if they do; strings do not count. */
export function findTooDeep(text: string): number | undefined {
  let open = 0;
  for (const { 0: part, index } of text.matchAll(/"(?:[^"\\\n]|\\.)*"?|[[\]{}]/g)) {
    if (part === '[' || part === '{') open += 1;
    else if (part === ']' || part === '}') open -= 1;
    if (open > maxLevels) return index;
  }
  return undefined;
}

/** What is told of such a text, as a problem of its syntax. */
export const tooDeepProblem = `its brackets go deeper than ${maxLevels} levels`;
