import { join } from 'node:path';
import { addToMarkdown, alreadyUsed, notUsed, referenceNeedsAlias } from '../generated/diagnostics.ts';
import { overlayDisk } from '../host/overlay.ts';
import type { Compiling } from '../session/world.ts';
import type { Reference, UseDeclaration } from '../syntax/ast.ts';
import { parseDocument } from '../syntax/parse.ts';
import { splitReference } from '../syntax/reference.ts';
import { isMarkdownPath } from '../text/places.ts';
import { LOCK_FILE, type Locked } from './lock.ts';
import { openProject, type Unusable, watchErrors } from './open/open.ts';
import { pinSources } from './pin.ts';
import { type ChangedFile, foresee } from './preview-update.ts';
import { writeSources } from './write/write-sources.ts';

/** A change of what the entry file uses; `locked` and `files` are missing after a report, and nothing was written. */
export interface Changed {
  readonly root: string;
  /** The entry file. */
  readonly entry: string;
  /** The declaration that came or went. */
  readonly line: string;
  readonly locked?: Locked;
  /** What a compile would change now. */
  readonly files?: readonly ChangedFile[];
}

type Edit = (text: string, entry: string) => { readonly text: string; readonly line: string } | undefined;

/**
 * Adds `@use` with a reference to the entry file and locks what it leads to. Skills may be named behind `#`. What is
 * newly executable is told and not recorded. Nothing is written when the source cannot be read.
 */
export function addSource(wanted: string, context: Compiling): Promise<Changed | Unusable | undefined> {
  const [written, skills = ''] = wanted.split('#', 2) as [string, string?];
  return changeEntry(context, (text, entry) => {
    const reference = fullReference(written);
    if (reference === undefined) {
      context.report(referenceNeedsAlias({ reference: written }, {}));
      return undefined;
    }
    const names = skills
      .split(',')
      .map(name => name.trim())
      .filter(Boolean);
    const line = `@use ${reference}${names.length > 0 ? ` (includes: [${names.join(', ')}])` : ''}`;
    const references = referencesIn(text, entry);
    const { path } = splitReference(reference);
    const same = references.find(({ reference: known }) => known.path === path);
    if (same) {
      context.report(alreadyUsed({ reference: path }, { span: same.reference.span }));
      return undefined;
    }
    const after = references.at(-1)?.end ?? metaEnd(text, entry);
    const end = lineEnd(text, after);
    return {
      text: `${text.slice(0, end)}${after === 0 ? '' : '\n'}${line}${after === 0 ? '\n' : ''}${text.slice(end)}`,
      line,
    };
  });
}

/** Removes the `@use` or `@inherit` of a reference from the entry file, and what nobody refers to any more from the lock. */
export function removeSource(wanted: string, context: Compiling): Promise<Changed | Unusable | undefined> {
  return changeEntry(context, (text, entry) => {
    const references = referencesIn(text, entry);
    const path = splitReference(fullReference(wanted) ?? wanted).path;
    const found = references.find(({ reference }) => reference.path === path);
    if (!found) {
      const known = references.map(({ reference }) => `\`${reference.path}\``).join(', ');
      const hint = known === '' ? 'It uses nothing.' : `It uses ${known}.`;
      context.report(notUsed({ reference: wanted, entry }, { file: entry, hint }));
      return undefined;
    }
    const start = text.lastIndexOf('\n', found.start - 1) + 1;
    const isAlone = text.slice(start, found.start).trim() === '';
    const end = lineEnd(text, found.end);
    const rest = isAlone
      ? text.slice(0, start) + text.slice(end + 1)
      : text.slice(0, found.start) + text.slice(found.end);
    return { text: rest, line: text.slice(found.start, found.end) };
  });
}

/** `owner/repo` lies on GitHub; an address is what stands behind its protocol. What Git alone can call needs an alias. */
function fullReference(written: string): string | undefined {
  const address = /^https:\/\/(?:[^@/]*@)?(.+?)\/*$/.exec(written)?.[1];
  if (address !== undefined) return address;
  if (/^[a-z+]+:/i.test(written)) return undefined;
  if (/^[\w-]+\/[\w.-]+(?:[/@].*)?$/.test(written) && !written.startsWith('.'))
    return `github.com/${written}`;
  return written;
}

interface Found {
  readonly reference: Reference;
  readonly start: number;
  readonly end: number;
}

function referencesIn(text: string, entry: string): Found[] {
  const { declarations } = parseDocument({ name: entry, text }, () => {});
  return declarations.flatMap(one =>
    one.kind === 'use' || one.kind === 'inherit'
      ? [{ reference: (one as UseDeclaration).reference, start: one.span.start, end: one.span.end }]
      : [],
  );
}

function metaEnd(text: string, entry: string): number {
  const { declarations } = parseDocument({ name: entry, text }, () => {});
  return declarations.find(one => one.kind === 'block' && one.name === 'meta')?.span.end ?? 0;
}

const lineEnd = (text: string, at: number): number => {
  const end = at === 0 ? 0 : text.indexOf('\n', at);
  return end === -1 ? text.length : end > 0 && text[end - 1] === '\r' ? end - 1 : end;
};

/** Tries an edit of the entry file out, with its lock; only what can be read is written, both files at once. */
async function changeEntry(context: Compiling, edit: Edit): Promise<Changed | Unusable | undefined> {
  const { report, failed } = watchErrors(context.report);
  const project = await openProject({ ...context, report });
  if (!project) return 'no-configuration';
  const { root, loaded } = project;
  const { entry } = loaded.config.input;
  const path = join(root, entry);
  if (isMarkdownPath(entry)) {
    report(addToMarkdown({ entry }, { file: entry }));
    return undefined;
  }
  const bytes = context.disk.readBytes(path);
  const changed = edit(new TextDecoder().decode(bytes ?? new Uint8Array()), entry);
  if (!changed) return undefined;
  const about = { root, entry, line: changed.line };
  const disk = overlayDisk(context.disk);
  const encoder = new TextEncoder();
  disk.writeBytes(path, encoder.encode(changed.text));
  const pinned = await pinSources(undefined, { ...context, disk, report }, { preview: true });
  if (typeof pinned === 'string' || !pinned.locked || failed()) return about;
  const { locked } = pinned;
  const accepted = await pinSources(
    undefined,
    { ...context, disk, report: () => {} },
    { preview: true, accept: true },
  );
  if (typeof accepted !== 'string' && accepted.locked)
    disk.writeBytes(join(root, LOCK_FILE), encoder.encode(accepted.locked.text));
  const { files } = await foresee({ ...context, disk });
  const lock = locked.rewritten ? [{ path: LOCK_FILE, text: locked.text }] : [];
  if (!(await writeSources(root, [{ path: entry, text: changed.text }, ...lock], { ...context, report })))
    return about;
  return { ...about, locked, files };
}
