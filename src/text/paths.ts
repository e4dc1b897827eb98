/**
 * Whether a path that should be relative leads out of the directory it is relative to: it is absolute, starts at
 * a home directory or a drive, or climbs above its start. Backslashes count as separators, as they do on Windows.
 * Links are not seen here; whoever writes checks those.
 */
export function leavesRoot(path: string): boolean {
  if (/^(?:[/\\]|~(?:[/\\]|$)|[A-Za-z]:)/.test(path) || path.includes('\0')) return true;
  let depth = 0;
  for (const segment of path.split(/[/\\]/)) {
    if (segment === '..') depth -= 1;
    else if (segment !== '' && segment !== '.') depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** `./a/../b/` is `b`, and `.` is the start itself, which is empty. Backslashes count as separators. */
export function plainPath(path: string): string {
  const parts: string[] = [];
  for (const part of path.split(/[/\\]/)) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
