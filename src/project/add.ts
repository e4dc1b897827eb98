import { basename, dirname, join, resolve } from 'node:path';
import { addToMarkdown, alreadyUsed, notUsed, referenceNeedsAlias } from '../generated/diagnostics.ts';
import type { ChangedFile } from '../generated/types/report.ts';
import { readTextAt } from '../host/host.ts';
import { withFiles } from '../host/overlay.ts';
import { relativePath } from '../host/relative-path.ts';
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
import { readTargetNames } from './open/targets.ts';
import { pinSources } from './pin.ts';
import { previewCompile } from './preview-update.ts';
import type { CompileContext } from './session/world.ts';
import { writeSources } from './write/write-sources.ts';

/**
 * A change of the imports in the entry file. Without `locked` and `files`, nothing was written, and the reason was
 * reported.
 */
export interface Changed {
  readonly root: string;
  /** Path of the entry file. */
  readonly entry: string;
  /** The added or removed declaration. */
  readonly line: string;
  /** The Markdown file that was the entry before and is imported by the new entry. */
  readonly imported?: string;
  readonly locked?: Locked;
  /** The changes that the next compile will make. */
  readonly files?: readonly ChangedFile[];
}

type Edit = (document: Document) => { readonly text: string; readonly line: string } | undefined;

/** A source to add, and the tools that get it. */
export interface AddRequest {
  /** A reference, optionally with names of skills after `#`. */
  readonly reference: string;
  /** Ids or labels of targets. By default all targets. */
  readonly targets?: readonly string[] | undefined;
}

/**
 * Adds `@use` to the entry file and locks the source. New executables are reported, not recorded. If the source cannot
 * be read, nothing is written.
 */
export async function addSource(
  { reference: wanted, targets = [] }: AddRequest,
  context: CompileContext,
): Promise<Changed | OpenFailure | undefined> {
  const [written, skills = ''] = wanted.split('#', 2) as [string, string?];
  const ids =
    targets.length > 0 ? readTargetNames(targets, (await knownSpecs(context)).custom, context.report) : [];
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
      const line = `@use ${reference}${clauses}`;
      return { text: addUse(document, line), line };
    },
    true,
  );
}

/** Removes the `@use` or `@inherit` of a reference from the entry file, and unused sources from the lock file. */
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

/**
 * Converts a path relative to the working directory to one relative to the entry. A path that does not exist is
 * unchanged.
 */
function fromEntry(written: string, entry: string, context: CompileContext): string {
  if (!/^\.\.?\//.test(written)) return written;
  const { disk, cwd } = context;
  const path = resolve(cwd, written);
  if (!disk.stat(path) && !disk.stat(`${path}.prs`)) return written;
  const below = relativePath(dirname(join(projectRoot(context).root, entry)), path);
  return below.startsWith('.') ? below : `./${below}`;
}

/**
 * The reference for a written address: `owner/repo` is on GitHub, and a URL loses its protocol. `undefined` for an
 * address that needs an alias.
 */
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
 * Applies an edit to the entry file in memory, locks the result, and writes both files if the source can be read. A
 * Markdown entry has no declarations: with `mayMake`, an entry that imports it is created.
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
  const withText = (path: string, text: string, below = context.disk) =>
    withFiles(below, root, [[path, { content: text }]]);
  let { entry } = loaded.config.input;
  let made: string | undefined;
  if (isMarkdownPath(entry)) {
    made = mayMake && entry === markdownEntryPath ? entryBringing(loaded.config.id, entry) : undefined;
    const opened =
      made === undefined
        ? undefined
        : await openProject({ ...context, disk: withText(entryPath, made), report: () => {} });
    if (made === undefined || opened?.loaded.config.input.entry !== entryPath) {
      report(addToMarkdown({ entry }, { file: entry }));
      return undefined;
    }
    entry = entryPath;
  }
  const text = made ?? readTextAt(context.disk, join(root, entry)) ?? '';
  const changed = edit(parseDocument({ name: entry, text }, () => {}));
  if (!changed) return undefined;
  const about = {
    root,
    entry,
    line: changed.line,
    ...(made !== undefined && { imported: markdownEntryPath }),
  };
  const disk = withText(entry, changed.text);
  const pinned = await pinSources(undefined, { ...context, disk, report }, true);
  if (typeof pinned === 'string' || !pinned.locked || failed()) return about;
  const { locked } = pinned;
  const locking = withText(LOCK_FILE, locked.acceptedText, disk);
  const { files } = await previewCompile({ ...context, disk: locking });
  const lock = locked.rewritten ? [{ path: LOCK_FILE, text: locked.text }] : [];
  if (!(await writeSources(root, [{ path: entry, text: changed.text }, ...lock], { ...context, report })))
    return about;
  return { ...about, locked, files };
}

/** An entry that only imports a Markdown file beside it. */
const entryBringing = (id: string, markdown: string): string =>
  printDocument(
    documentOf([
      block('meta', [field('id', str(id)), field('syntax', str(newestSyntax))]),
      use(`./${basename(markdown)}`),
    ]),
  );
