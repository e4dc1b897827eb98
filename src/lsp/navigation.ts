import { posix } from 'node:path';
import {
  type DocumentLink,
  type Location,
  type Range,
  ResponseError,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { sourceOf, type Unit } from '../resolve/program.ts';
import { referencesOf, skillReferencesOf, writtenForm } from '../resolve/written-at.ts';
import type { Span } from '../text/source.ts';
import { type Mention, mentionAt, mentionsOf, nameText, normalizeName } from './names.ts';
import type { ReadProject } from './project.ts';
import { fileStart, toChanges, toLocation, toRange, type UriOf } from './protocol.ts';

/** A place in a unit of a program, and the URIs of its files. */
export interface Located {
  readonly unit: Unit;
  readonly offset: number;
  readonly read: ReadProject;
  readonly uriOf: UriOf;
}

/** The declarations of what a word refers to: an entry or a file. */
export function definitionsAt(place: Located): Location[] {
  const { offset, uriOf } = place;
  const file = linksIn(place).find(({ span }) => span.start <= offset && offset <= span.end);
  if (file) return [{ uri: file.uri, range: fileStart }];
  const all = namesAt(place);
  const declared = all.filter(({ declares }) => declares);
  return (declared.length > 0 ? declared : all).map(({ span }) => toLocation(span, uriOf));
}

/** All places that refer to the same thing. */
export const referencesAt = (place: Located, declarations: boolean): Location[] =>
  namesAt(place)
    .filter(({ declares }) => declarations || !declares)
    .map(({ span }) => toLocation(span, place.uriOf));

/** The places that name the entry at an offset. */
function namesAt({ unit, offset, read }: Located): readonly Mention[] {
  const mention = mentionAt(unit, offset);
  return mention ? mentionsOf(read.loaded.program.units, mention) : [];
}

/** The range of the name that would be renamed; `null` when there is none. */
export function renameableAt({ unit, offset }: Located): Range | null {
  const span = mentionAt(unit, offset)?.span;
  return span && span.end > span.start ? toRange(span) : null;
}

/**
 * The edits in all files that contain the name. Throws a `ResponseError` with the reason when it cannot be
 * renamed.
 */
export function renameAt({ unit, offset, read, uriOf }: Located, newName: string): WorkspaceEdit {
  const mention = mentionAt(unit, offset);
  if (!mention) return refuse('Nothing here has a name that can be changed.');
  const name = normalizeName(mention.block, newName);
  const all = mentionsOf(read.loaded.program.units, mention);
  const namesakes = mentionsOf(read.loaded.program.units, { ...mention, name });
  if (name !== mention.name && namesakes.some(({ declares }) => declares))
    refuse(`\`${name}\` is the name of another entry of @${mention.block}.`);
  const edits = all.map(one => {
    if (one.unit.layer.remote)
      refuse(`\`${mention.name}\` is declared in ${one.unit.layer.reference}, which cannot be changed here.`);
    if (one.span.end === one.span.start)
      refuse(
        `${one.span.source.name} has its name from its path: rename the file, or set \`name\` in its front matter.`,
      );
    const text = nameText(one, name);
    if (text === undefined) return refuse(`\`${newName}\` is not a valid name in ${one.span.source.name}.`);
    return { span: one.span, text };
  });
  return { changes: toChanges(edits, uriOf) };
}

function refuse(reason: string): never {
  // LSP error code `RequestFailed`, whose message is shown to the user.
  throw new ResponseError(-32803, reason);
}

interface FileLink {
  readonly span: Span;
  readonly uri: string;
}

/** References of a source to files: its imports, and files of its skills. */
function linksIn({ unit, read, uriOf }: Located): FileLink[] {
  if (unit.kind !== 'source') return [];
  const { document, references, resources, layer } = unit;
  const byId = new Map(read.loaded.program.units.map(one => [one.id, one]));
  const folder = posix.dirname(document.source.name);
  return document.declarations.flatMap(declaration => {
    const imports = referencesOf(declaration).flatMap(reference => {
      const imported = byId.get(references.get(writtenForm(reference)) ?? '');
      const target = imported?.kind === 'directory' ? byId.get(imported.skills[0] ?? '') : imported;
      const source = target && sourceOf(target);
      return source ? [{ span: reference.span, uri: uriOf(source.name) }] : [];
    });
    const files = [...skillReferencesOf(declaration)].flatMap(({ value, span }) =>
      resources?.has(value) && !layer.remote ? [{ span, uri: uriOf(posix.join(folder, value)) }] : [],
    );
    return [...imports, ...files];
  });
}

/** The references of a file as document links. */
export const documentLinks = (place: Located): DocumentLink[] =>
  linksIn(place).map(({ span, uri }) => ({ range: toRange(span), target: uri }));
