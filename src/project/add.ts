import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { addToMarkdown, alreadyUsed, notUsed, referenceNeedsAlias } from '../generated/diagnostics.ts';
import { overlayDisk } from '../host/overlay.ts';
import { addUse, importsOf } from '../migrate/entry.ts';
import type { Document } from '../syntax/ast.ts';
import { block, documentOf, field, str, use } from '../syntax/build.ts';
import { parseDocument } from '../syntax/parse.ts';
import { printDocument } from '../syntax/print.ts';
import { splitReference } from '../syntax/reference.ts';
import { watchErrors } from '../text/diagnostics/report.ts';
import { entryPath, isMarkdownPath, markdownEntryPath } from '../text/places.ts';
import { newestSyntax } from '../text/version.ts';
import { LOCK_FILE, type Locked } from './lock.ts';
import { knownSpecs } from './open/known-specs.ts';
import { type OpenFailure, openProject } from './open/open.ts';
import { projectRoot } from './open/root.ts';
import { targetNamed } from './open/targets.ts';
import { pinSources } from './pin.ts';
import { type ChangedFile, previewCompile } from './preview-update.ts';
import type { CompileContext } from './session/world.ts';
import { writeSources } from './write/write-sources.ts';

/** A change of what the entry file uses; `locked` and `files` are missing after a report, and nothing was written. */
export interface Changed {
  readonly root: string;
  /** The entry file. */
  readonly entry: string;
  /** The declaration that came or went. */
  readonly line: string;
  /** The Markdown file that was the entry before, which it brings in now. */
  readonly imported?: string;
  readonly locked?: Locked;
  /** What a compile would change now. */
  readonly files?: readonly ChangedFile[];
}

type Edit = (document: Document) => { readonly text: string; readonly line: string } | undefined;

/** What is brought in, and for which tools. */
export interface AddRequest {
  /** With names of skills behind `#`. */
  readonly reference: string;
  /** Names of targets as people write them; absent: all. */
  readonly targets?: readonly string[] | undefined;
}

/**
 * Adds `@use` with a reference to the entry file and locks what it leads to. What is newly executable is reported and not
 * recorded. Nothing is written when the source cannot be read.
 */
export async function addSource(
  { reference: wanted, targets = [] }: AddRequest,
  context: CompileContext,
): Promise<Changed | OpenFailure | undefined> {
  const [written, skills = ''] = wanted.split('#', 2) as [string, string?];
  const ids = await idsOf(targets, context);
  if (!ids) return 'wrong-request';
  return changeEntry(
    context,
    document => {
      const reference = fullReference(fromEntry(written, document.source.name, context));
      if (reference === undefined) {
        context.report(referenceNeedsAlias({ reference: written }, {}));
        return undefined;
      }
      const names = skills
        .split(',')
        .map(name => name.trim())
        .filter(Boolean);
      const chosen = names.length > 0 ? ` (includes: [${names.join(', ')}])` : '';
      const clauses = `${chosen}${ids.length > 0 ? ` for ${ids.join(', ')}` : ''}`;
      const { path } = splitReference(reference);
      const same = importsOf(document).find(({ reference: known }) => known.path === path);
      if (same) {
        context.report(alreadyUsed({ reference: path }, { span: same.reference.span }));
        return undefined;
      }
      return { text: addUse(document, reference, { clauses }), line: `@use ${reference}${clauses}` };
    },
    true,
  );
}

/** The ids that names of tools stand for; `undefined` after a report of one that stands for none. */
async function idsOf(names: readonly string[], context: CompileContext): Promise<string[] | undefined> {
  if (names.length === 0) return [];

  const { custom } = await knownSpecs(context);
  const all = names.flatMap(list => list.split(',')).map(name => name.trim());
  const found = all.filter(Boolean).map(name => targetNamed(name, custom, context.report)?.spec.id);
  return found.includes(undefined) ? undefined : [...new Set(found as string[])];
}

/** Removes the `@use` or `@inherit` of a reference from the entry file, and what nobody refers to any more from the lock. */
export function removeSource(
  wanted: string,
  context: CompileContext,
): Promise<Changed | OpenFailure | undefined> {
  return changeEntry(context, document => {
    const references = importsOf(document);
    const { text, name: entry } = document.source;
    const path = splitReference(fullReference(fromEntry(wanted, entry, context)) ?? wanted).path;
    const found = references.find(({ reference }) => reference.path === path);
    if (!found) {
      const known = references.map(({ reference }) => `\`${reference.path}\``).join(', ');
      const hint = known === '' ? 'It uses nothing.' : `It uses ${known}.`;
      context.report(notUsed({ reference: wanted, entry }, { file: entry, hint }));
      return undefined;
    }
    const { start: from, end: to } = found.span;
    const start = text.lastIndexOf('\n', from - 1) + 1;
    const isAlone = text.slice(start, from).trim() === '';
    const newline = text.indexOf('\n', to);
    const rest = isAlone
      ? text.slice(0, start) + (newline === -1 ? '' : text.slice(newline + 1))
      : text.slice(0, from) + text.slice(to);
    return { text: rest, line: text.slice(from, to) };
  });
}

/** A path is named from where the user is, and written from the folder of the entry; what is not there stays as it is. */
function fromEntry(written: string, entry: string, context: CompileContext): string {
  if (!/^\.\.?\//.test(written)) return written;
  const { disk, cwd } = context;
  const path = resolve(cwd, written);
  if (!disk.stat(path) && !disk.stat(`${path}.prs`)) return written;
  const below = relative(dirname(join(projectRoot(context).root, entry)), path)
    .split(sep)
    .join('/');
  return below.startsWith('.') ? below : `./${below}`;
}

/** `owner/repo` lies on GitHub; an address is the part after its protocol. What Git alone can call needs an alias. */
function fullReference(written: string): string | undefined {
  const address = /^https:\/\/(?:[^@/]*@)?(.+?)\/*$/.exec(written)?.[1];
  if (address !== undefined) return address;
  if (written.startsWith('npm:')) return written;
  if (/^[a-z+]+:/i.test(written)) return undefined;
  if (/^[\w-]+\/[\w.-]+(?:[/@].*)?$/.test(written) && !written.startsWith('.'))
    return `github.com/${written}`;
  return written;
}

/**
 * Tries an edit of the entry file out, with its lock; only what can be read is written, both files at once. Markdown
 * has no declarations: where it is the entry by its place alone, `mayMake` has an entry made that brings it in.
 */
async function changeEntry(
  context: CompileContext,
  edit: Edit,
  mayMake = false,
): Promise<Changed | OpenFailure | undefined> {
  const { report, failed } = watchErrors(context.report);
  const project = await openProject({ ...context, report });
  if (!project) return 'no-configuration';
  const { root, loaded } = project;
  const disk = overlayDisk(context.disk);
  const encoder = new TextEncoder();
  let { entry } = loaded.config.input;
  let made: string | undefined;
  if (isMarkdownPath(entry)) {
    made = mayMake && entry === markdownEntryPath ? entryBringing(loaded.config.id, entry) : undefined;
    if (made !== undefined) disk.writeBytes(join(root, entryPath), encoder.encode(made));
    const opened = made === undefined ? undefined : await openProject({ ...context, disk, report: () => {} });
    if (made === undefined || opened?.loaded.config.input.entry !== entryPath) {
      report(addToMarkdown({ entry }, { file: entry }));
      return undefined;
    }
    entry = entryPath;
  }
  const path = join(root, entry);
  const bytes = context.disk.readBytes(path);
  const text = made ?? new TextDecoder().decode(bytes ?? new Uint8Array());
  const changed = edit(parseDocument({ name: entry, text }, () => {}));
  if (!changed) return undefined;
  const about = {
    root,
    entry,
    line: changed.line,
    ...(made !== undefined && { imported: markdownEntryPath }),
  };
  disk.writeBytes(path, encoder.encode(changed.text));
  const pinned = await pinSources(undefined, { ...context, disk, report }, { preview: true });
  if (typeof pinned === 'string' || !pinned.locked || failed()) return about;
  const { locked } = pinned;
  disk.writeBytes(join(root, LOCK_FILE), encoder.encode(locked.acceptedText));
  const { files } = await previewCompile({ ...context, disk });
  const lock = locked.rewritten ? [{ path: LOCK_FILE, text: locked.text }] : [];
  if (!(await writeSources(root, [{ path: entry, text: changed.text }, ...lock], { ...context, report })))
    return about;
  return { ...about, locked, files };
}

/** An entry that says nothing itself and brings a Markdown file beside it in. */
const entryBringing = (id: string, markdown: string): string =>
  printDocument(
    documentOf([
      block('meta', [field('id', str(id)), field('syntax', str(newestSyntax))]),
      use(`./${basename(markdown)}`),
    ]),
  );
