import { notAFile, sourceCase, sourceNotFound, sourceOutside } from '../../generated/diagnostics.ts';
import type { DirEntry } from '../../host/host.ts';
import { replaceWordFix } from '../../text/diagnostics/fixes.ts';
import { joinPath, nameOf, normalizeInnerPath, parentOf } from '../../text/paths.ts';
import { isMarkdownPath } from '../../text/places.ts';
import { suggest } from '../../text/similar.ts';
import type { Span } from '../../text/source.ts';
import { entryKind } from '../open/project-tree.ts';
import { type GatherContext, idOf, type Place, placeName } from './gathering.ts';

export type FoundSource =
  /** Without bytes: a file that was already read. */
  | { readonly kind: 'file'; readonly path: string; readonly bytes: Uint8Array | undefined }
  | { readonly kind: 'directory'; readonly path: string; readonly entries: readonly DirEntry[] };

export interface Written {
  readonly reference: string;
  readonly span: Span;
}

/**
 * Finds `x.prs`, otherwise `x` when it has an extension, otherwise the folder `x`. Reports a path that is missing,
 * has another case on disk, or leads out of the tree.
 */
export async function findSource(
  path: string,
  written: Written,
  place: Place,
  gathering: GatherContext,
): Promise<FoundSource | undefined> {
  const { tree } = place;
  const { report, units } = gathering;
  const isKnown = (file: string) => units.has(idOf(place, file));
  const outside = () =>
    report(sourceOutside({ reference: written.reference, place: placeName(place) }, { span: written.span }));
  const inner = normalizeInnerPath(path);
  if (inner === undefined) {
    outside();
    return undefined;
  }
  const siblings = inner === '' ? undefined : await tree.list(parentOf(inner));
  if (inner !== '' && !siblings && (await tree.list('')) === undefined)
    return probe(inner, written, place, gathering);
  const name = nameOf(inner);
  const endings = name.endsWith('.prs') || isMarkdownPath(name) ? [`${inner}.prs`, inner] : [`${inner}.prs`];
  for (const candidate of endings) {
    const kind = entryKind(siblings, nameOf(candidate));
    if (kind === 'file' || kind === 'link') {
      const bytes = isKnown(candidate) ? undefined : await tree.read(candidate);
      if (bytes || isKnown(candidate)) return { kind: 'file', path: candidate, bytes };
      // A tree refuses links that leave it. It has reported everything else that it cannot read.
      if (kind === 'link' && !tree.failed?.(candidate)) outside();
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
    if (!tree.failed?.(inner)) outside();
    return undefined;
  }
  await reportMissing(inner, written, place, gathering);
  return undefined;
}

/** A tree without listings is asked for each file. */
async function probe(
  path: string,
  { reference, span }: Written,
  place: Place,
  { units, report }: GatherContext,
): Promise<FoundSource | undefined> {
  const { tree } = place;
  const isFile = path.endsWith('.prs') || isMarkdownPath(path);
  const candidates = isFile ? [path] : [`${path}.prs`, `${path}/SKILL.md`];
  for (const candidate of candidates) {
    const isKnown = units.has(idOf(place, candidate));
    const bytes = isKnown ? undefined : await tree.read(candidate);
    if (bytes || isKnown) return { kind: 'file', path: candidate, bytes };
    if (tree.failed?.(candidate)) return undefined;
  }
  const tried = candidates.map(candidate => `\`${candidate}\``).join(' and no ');
  report(sourceNotFound({ reference, tried }, { span, ...adviceIn(place, reference) }));
  return undefined;
}

/** Follows the path to the first missing name, and returns what exists there instead. */
async function reportMissing(
  path: string,
  { reference, span }: Written,
  place: Place,
  { report }: GatherContext,
): Promise<void> {
  const { tree } = place;
  const advice = adviceIn(place, reference);
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
function adviceIn({ tree, layer }: Place, reference: string): { readonly hint: string } {
  if (!layer.remote || reference.startsWith('.'))
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
