/**
 * Splits the name of a source in the lock file into name and version: `@a/b@^1.0.0` is `@a/b` and `^1.0.0`;
 * `git@host:path` has no version.
 */
export function splitSource(name: string): readonly [string, string | undefined] {
  const match = /^(.+?)@([^@:]+)$/.exec(name);
  return match ? [match[1]!, match[2]] : [name, undefined];
}
