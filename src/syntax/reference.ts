/** Matches `git@host:`, `ssh://git@host/` and `npm:@scope/`, where the `@` does not start a version. */
const userPart = /^(?:npm:@|[a-z][a-z0-9+.-]*:\/\/[^@/]+@|[^@/:]+@[^@/:]+:)/i;

/**
 * Splits an unquoted reference into path and version. The version follows the last `@` that is neither the
 * first character of a path segment (`github.com/acme/base/@org/base`) nor part of `git@host:`.
 */
export function splitReference(written: string): {
  readonly path: string;
  readonly version: string | undefined;
} {
  if (!written.includes('@')) return { path: written, version: undefined };
  const from = userPart.exec(written)?.[0].length ?? 1;
  for (let at = written.lastIndexOf('@'); at >= from; at = written.lastIndexOf('@', at - 1)) {
    if (written[at - 1] !== '/' && at < written.length - 1)
      return { path: written.slice(0, at), version: written.slice(at + 1) };
  }
  return { path: written, version: undefined };
}
