import { notAFile, sourceCase, sourceNotFound, sourceOutside } from '../../generated/diagnostics.ts';
import type { DirEntry } from '../../host/host.ts';
import { parentOf } from '../../plan/collect.ts';
import type { Tree } from '../../registry/tree.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { replaceWordFix } from '../../text/diagnostics/fixes.ts';
import { normalizeInnerPath } from '../../text/paths.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { suggest } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';

export type FoundSource =
  /** Without bytes: a file that was already read. */
  | { readonly kind: 'file'; readonly path: string; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'directory'; readonly path: string; readonly entries: readonly DirEntry[] };

export interface Written {
  readonly reference: string;
  readonly span: Span;
}

/** Where to search: a tree, its name in findings, and which of its files were already read. */
export interface Search {
  readonly tree: Tree;
  readonly place: string;
  /** Paths start at the root of a registry instead of the folder of the file. */
  readonly remote?: boolean;
  readonly isKnown: (path: string) => boolean;
  readonly report: Report;
}

const listings = new WeakMap<readonly DirEntry[], ReadonlyMap<string, DirEntry['kind']>>();

/** The kind of a name in a listing; `undefined` when it is missing. Each listing is indexed once. */
export function entryKind(
  entries: readonly DirEntry[] | undefined,
  name: string,
): DirEntry['kind'] | undefined {
  if (entries === undefined) return undefined;
  let kinds = listings.get(entries);
  if (!kinds) {
    kinds = new Map(entries.map(entry => [entry.name, entry.kind]));
    listings.set(entries, kinds);
  }
  return kinds.get(name);
}

export { parentOf };

/** The last part of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A name in a folder; an empty folder is the root. */
export const joinPath = (folder: string, name: string): string =>
  folder === '' ? name : `${folder}/${name}`;

/**
 * Finds `x.prs`, otherwise `x` when it has an extension, otherwise the folder `x`. Reports a path that is missing,
 * has another case on disk, or leads out of the tree.
 */
export async function findSource(
  search: Search,
  path: string,
  written: Written,
): Promise<FoundSource | undefined> {
  const { tree, place, report } = search;
  const inner = normalizeInnerPath(path);
  if (inner === undefined) {
    report(sourceOutside({ reference: written.reference, place }, { span: written.span }));
    return undefined;
  }
  const siblings = inner === '' ? undefined : await tree.list(parentOf(inner));
  if (inner !== '' && !siblings && (await tree.list('')) === undefined) return probe(search, inner, written);
  const name = nameOf(inner);
  const endings = name.endsWith('.prs') || isMarkdownPath(name) ? [`${inner}.prs`, inner] : [`${inner}.prs`];
  for (const candidate of endings) {
    const kind = entryKind(siblings, nameOf(candidate));
    if (kind === 'file' || kind === 'link') {
      const bytes = search.isKnown(candidate) ? undefined : await tree.read(candidate);
      if (bytes || search.isKnown(candidate)) return { kind: 'file', path: candidate, bytes };
      // A tree refuses links that leave it. It has reported everything else that it cannot read.
      if (kind === 'link' && !tree.failed?.(candidate))
        report(sourceOutside({ reference: written.reference, place }, { span: written.span }));
      return undefined;
    }
    if (kind === 'other' || (kind === 'directory' && candidate !== inner)) {
      const found = kind === 'other' ? 'a device or a pipe' : 'a folder';
      report(notAFile({ file: candidate, found }, { span: written.span }));
      return undefined;
    }
  }
  const entries = inner === '' || entryKind(siblings, name) ? await tree.list(inner) : undefined;
  if (entries) return { kind: 'directory', path: inner, entries };
  if (entryKind(siblings, name) === 'link') {
    if (!tree.failed?.(inner))
      report(sourceOutside({ reference: written.reference, place }, { span: written.span }));
    return undefined;
  }
  await reportMissing(search, inner, written);
  return undefined;
}

/** A tree without listings is asked for each file. */
async function probe(search: Search, path: string, written: Written): Promise<FoundSource | undefined> {
  const { tree, isKnown, report } = search;
  const isFile = path.endsWith('.prs') || isMarkdownPath(path);
  const candidates = isFile ? [path] : [`${path}.prs`, `${path}/SKILL.md`];
  for (const candidate of candidates) {
    const bytes = isKnown(candidate) ? undefined : await tree.read(candidate);
    if (bytes || isKnown(candidate)) return { kind: 'file', path: candidate, bytes };
    if (tree.failed?.(candidate)) return undefined;
  }
  const tried = candidates.map(candidate => `\`${candidate}\``).join(' and no ');
  const { reference, span } = written;
  report(sourceNotFound({ reference, tried }, { span, ...adviceIn(search, reference) }));
  return undefined;
}

/** Follows the path to the first missing name, and returns what exists there instead. */
async function reportMissing(search: Search, path: string, written: Written): Promise<void> {
  const { tree, report } = search;
  const { reference, span } = written;
  const advice = adviceIn(search, reference);
  const parts = path.split('/');
  for (let depth = 0; depth < parts.length; depth++) {
    const folder = parts.slice(0, depth).join('/');
    const entries = await tree.list(folder);
    if (!entries) break;
    const isLast = depth === parts.length - 1;
    const part = parts[depth]!;
    const names = entries.map(entry => entry.name);
    if (!isLast && names.includes(part)) continue;
    const lower = new Set([part, `${part}.prs`].map(name => name.toLowerCase()));
    const other = names.find(name => lower.has(name.toLowerCase()));
    if (other !== undefined && other !== part) {
      report(
        sourceCase(
          { reference, found: joinPath(folder, other) },
          {
            span,
            fixes: replaceWordFix(
              span,
              reference,
              exchanged(reference, parts, depth, part.endsWith('.prs') ? other : other.replace(/\.prs$/, '')),
            ),
          },
        ),
      );
      return;
    }
    const words = names.map(name => name.replace(/\.prs$/, ''));
    const close = suggest(part, words);
    const better = close === undefined ? undefined : exchanged(reference, parts, depth, close);
    const tried = isLast ? `\`${joinPath(folder, part)}.prs\`` : `folder \`${joinPath(folder, part)}\``;
    const hint = better === undefined ? advice : { hint: `Did you mean \`${better}\`? ${advice.hint}` };
    report(
      sourceNotFound(
        { reference, tried },
        { span, ...hint, ...(better !== undefined && { fixes: replaceWordFix(span, reference, better) }) },
      ),
    );
    return;
  }
  report(sourceNotFound({ reference, tried: `\`${path}.prs\`` }, { span, ...advice }));
}

/** The advice for a missing source. A commit may be older than the file. */
function adviceIn({ tree, remote }: Search, reference: string): { readonly hint: string } {
  if (!remote || reference.startsWith('.'))
    return {
      hint: 'Check the path. A path that begins with `./` or `../` is relative to the folder of the file that contains it.',
    };
  if (!/@[0-9a-f]{12}$/.test(tree.id))
    return { hint: 'Check the path. It starts at the root of the registry.' };
  return {
    hint: `Check the path. What was read is \`${tree.id}\`; if the file came later, name a newer version or run \`prs update\`.`,
  };
}

/** The reference with another name for one part of its path; what comes before the path, and its version, stay. */
function exchanged(reference: string, parts: readonly string[], depth: number, name: string): string {
  const old = parts.slice(depth).join('/');
  const at = reference.lastIndexOf(old);
  if (at === -1) return reference;
  const fresh = [name, ...parts.slice(depth + 1)].join('/');
  return `${reference.slice(0, at)}${fresh}${reference.slice(at + old.length)}`;
}
