import {
  importEmpty,
  importNothingKnown,
  importReview,
  importUnknownFile,
} from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { mainDocument } from '../../kinds/document/plan.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import { readerOf } from '../../kinds/readers.ts';
import { allUniversalFiles } from '../../spec/item-places.ts';
import { decodeSource } from '../../syntax/decode.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { readFrontMatter } from '../../text/front-matter.ts';
import { baseName, fileStem } from '../../text/paths.ts';
import { isDataPath } from '../../text/places.ts';
import type { Source } from '../../text/source.ts';
import { trimBlankLines } from '../../text/traced.ts';
import { printParts } from './document.ts';
import { bundleItems, type Recognised, recognise, recogniseInBundle } from './recognise.ts';

/** A file to import; its path is relative to the project and `/`-separated. */
export interface ImportRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Specs in the order in which they are tried; a single one when the user named the tool. */
  readonly specs: readonly TargetSpec[];
  /** Whether the user named the tool, so that an unknown path is read as its main document. */
  readonly named?: boolean;
  readonly universalDir?: string;
  /**
   * Whether the name of the bundle is kept for a file in a bundle; otherwise it is read like a file
   * elsewhere.
   */
  readonly bundled?: boolean;
  /**
   * Set when a compile must reproduce the order of a main document: returns the block that the same text is
   * already in, if any.
   */
  readonly inPlace?: (text: string) => string | undefined;
}

export interface Imported {
  /** A name for the parts: the id in `@meta`, and the file name. */
  readonly name: string;
  readonly target?: string;
  readonly parts: readonly MappedBlock[];
  /** The text below the front matter of a Markdown file. */
  readonly body?: string;
  /** Where each part is from; `block` contains the key: `standards.naming`. */
  readonly blocks: readonly Pick<MappedBlock, 'block' | 'startLine' | 'endLine' | 'confidence'>[];
  readonly text: string;
  readonly reviews: number;
}

/** Reads an instruction file of any tool. Returns `undefined` after reporting when it cannot be read. */
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
  const isMain = /^(?:[a-z-]*instructions?|project|main)$/i.test(found.name);
  const id = isMain ? 'project' : fileStem(found.name, 'imported');
  const reviews = parts.filter(part => part.review !== undefined).length;
  if (reviews > 0) report(importReview({ count: reviews, total: parts.length, path }, { file: path }));
  return {
    name: id,
    ...(found.spec && { target: found.spec.id }),
    parts,
    ...(isDataPath(path) ? {} : { body: bodyText(source.text) }),
    blocks: parts.map(({ block, key, startLine, endLine, confidence }) => ({
      block: key === undefined ? block : `${block}.${key}`,
      startLine,
      endLine,
      confidence,
    })),
    text: printParts(id, parts),
    reviews,
  };
}

const bodyText = (text: string): string =>
  trimBlankLines(
    text
      .split(/\r\n?|\n/)
      .slice(readFrontMatter(text).lines)
      .join('\n'),
  );

/** Any Markdown text is read as main instructions; a skill is recognised by its file name. */
function generic(path: string, { named, specs }: ImportRequest): Recognised | undefined {
  const name = baseName(path);
  const plain = { name, scope: '', shared: false, ...(named && specs[0] && { spec: specs[0] }) };
  if (/(?:^|\/)SKILL\.md$/.test(path)) {
    const file = allUniversalFiles().find(({ of }) => of === 'skills');
    return { ...plain, ...(file && { file }) };
  }
  if (/\.(?:md|mdc|markdown|mdx|txt)$/i.test(path) || !/\.[a-z0-9]+$/i.test(path.split('/').at(-1)!.slice(1)))
    return plain;
  return named && !isDataPath(path) ? plain : undefined;
}

/** Reads a file by the kind of its entry; a file that no spec describes is read as a main document. */
async function readParts(
  source: Source,
  { file = mainDocument(source.name), ...found }: Recognised,
  { specs, inPlace }: ImportRequest,
  report: Report,
): Promise<readonly MappedBlock[] | undefined> {
  const reader = readerOf(file);
  if (reader) return reader(source, file, { ...found, specs, report, ...(inPlace && { inPlace }) });
  report(importNothingKnown({ path: source.name }, { file: source.name }));
  return undefined;
}
