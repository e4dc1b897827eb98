import {
  importEmpty,
  importNothingKnown,
  importReview,
  importUnknownFile,
} from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { mainDocument } from '../../kinds/document/plan.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import { trimLines } from '../../kinds/document/read/markdown.ts';
import { readerOf } from '../../kinds/readers.ts';
import { allUniversalFiles } from '../../spec/item-places.ts';
import { decodeSource } from '../../syntax/decode.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { baseName } from '../../text/paths.ts';
import type { Source } from '../../text/source.ts';
import { bundleItems, recogniseInBundle } from './bundles.ts';
import { type ImportedDocument, printImported, toDocument } from './document.ts';
import { type Recognised, recognise } from './recognise.ts';

/** A file to import: its path is relative to the project and `/`-separated. */
export interface ImportRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Specs in the order in which they are asked; one alone when the user named the tool. */
  readonly specs: readonly TargetSpec[];
  /** Whether the user named the tool: then a path that it does not know is read as its main document. */
  readonly named?: boolean;
  readonly universalDir?: string;
  /** Whether a file of a bundle says so, with the name of the bundle; else it is what it is anywhere. */
  readonly bundled?: boolean;
  /** A main document is to come out of a compile in its order; the block that the same text has already, if any. */
  readonly inPlace?: (text: string) => string | undefined;
}

export interface MappingRow {
  /** Block, with the key below it: `standards.naming`. */
  readonly block: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly confidence: number;
}

export interface Imported {
  /** A name for the parts in the project: the id in `@meta`, and the file name. */
  readonly name: string;
  readonly target?: string;
  /** Directory below the root that the file applies to; empty for the whole project. */
  readonly scope: string;
  readonly parts: readonly MappedBlock[];
  /** The lines down to the heading above all parts, when the order of the file is kept. */
  readonly title?: string;
  /** The text below the front matter, when the file is Markdown. */
  readonly body?: string;
  readonly blocks: readonly MappingRow[];
  readonly document: ImportedDocument;
  readonly text: string;
  readonly reviews: number;
}

/** Reads any instruction file of any tool. Reports what cannot be read, and gives `undefined` then. */
export async function importFile(request: ImportRequest, report: Report): Promise<Imported | undefined> {
  const { path } = request;
  const source = decodeSource(path, request.bytes, report);
  if (!source) return undefined;
  if (source.text.trim() === '') {
    report(importEmpty({ path }, { file: path }));
    return undefined;
  }
  const bundled = request.bundled ? recogniseInBundle(path, request.specs) : undefined;
  const found = bundled ?? recognise(path, request.specs, request.universalDir) ?? generic(path, request);
  if (!found) {
    report(importUnknownFile({ path }, { file: path }));
    return undefined;
  }
  const read = await readParts(source, found, request, report);
  if (!read) return undefined;
  const parts = bundled ? [...read, ...bundleItems(read, bundled)] : read;
  const name = /^(?:[a-z-]*instructions?|project|main)$/i.test(found.name) ? 'project' : found.name;
  const document = toDocument(idOf(name), parts);
  const reviews = parts.filter(part => part.review !== undefined).length;
  if (reviews > 0) report(importReview({ count: reviews, total: parts.length, path }, { file: path }));
  return {
    name: idOf(name),
    ...(found.spec && { target: found.spec.id }),
    scope: found.scope,
    parts,
    ...(parts[0]?.below !== undefined && { title: parts[0].below }),
    ...(/\.(?:json|jsonc|toml|ya?ml)$/i.test(path) ? {} : { body: bodyText(source.text) }),
    blocks: parts.map(({ block, key, startLine, endLine, confidence }) => ({
      block: key === undefined ? block : `${block}.${key}`,
      startLine,
      endLine,
      confidence,
    })),
    document,
    text: printImported(document),
    reviews,
  };
}

const bodyText = (text: string): string =>
  trimLines(
    text
      .split(/\r\n?|\n/)
      .slice(readFrontMatter(text).lines)
      .join('\n'),
  );

const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[-.]+|[-.]+$/g, '') || 'imported';

/** Any text that Markdown could be is taken as main instructions; a skill is known by its file name. */
function generic(path: string, { named, specs }: ImportRequest): Recognised | undefined {
  const name = baseName(path);
  const plain = { name, scope: '', shared: false, ...(named && specs[0] && { spec: specs[0] }) };
  if (/(?:^|\/)SKILL\.md$/.test(path)) {
    const file = allUniversalFiles().find(({ of }) => of === 'skills');
    return { ...plain, place: 'skills', ...(file && { file }) };
  }
  if (/\.(?:md|mdc|markdown|mdx|txt)$/i.test(path) || !/\.[a-z0-9]+$/i.test(path.split('/').at(-1)!.slice(1)))
    return plain;
  return named && !/\.(?:json|jsonc|toml|ya?ml)$/i.test(path) ? plain : undefined;
}

/**
 * Reads a file by the kind of the entry whose place it lies in; a file that no spec describes is read as a main
 * document.
 */
async function readParts(
  source: Source,
  { file = mainDocument(source.name), ...found }: Recognised,
  { specs, inPlace }: ImportRequest,
  report: Report,
): Promise<readonly MappedBlock[] | undefined> {
  const reader = readerOf(file);
  if (reader) return reader.read(source, file, { ...found, specs, report, ...(inPlace && { inPlace }) });
  report(importNothingKnown({ path: source.name }, { file: source.name }));
  return undefined;
}
