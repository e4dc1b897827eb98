const mark = /^ {0,3}(`{3,}|~{3,})/;
const nested = /^\s*(`{3,}|~{3,})/;

/**
 * Which lines of a Markdown text belong to code fences, their marks included. A fence that nothing closes goes to the
 * end. `anywhere` also sees fences that are indented, as they are inside list items.
 */
export function fencedLines(lines: readonly string[], anywhere = false): boolean[] {
  let open: string | undefined;
  return lines.map(line => {
    const found = (anywhere ? nested : mark).exec(line)?.[1];
    if (open !== undefined) {
      if (found?.startsWith(open) && line.trim() === found) open = undefined;
      return true;
    }
    open = found;
    return found !== undefined;
  });
}
