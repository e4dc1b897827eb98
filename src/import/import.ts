import type { Report } from '../diagnostics/diagnostic.ts';
import { conventions } from '../generated/conventions.ts';
import {
  hookLeftInPlace,
  importBroken,
  importEmpty,
  importKeysKept,
  importNothingKnown,
  importReview,
  importUnknownFile,
  looseFrontMatter,
  repeatedFrontMatter,
} from '../generated/diagnostics.ts';
import type { EntriesFile, ItemFiles, Row, ScriptFiles, TargetSpec } from '../generated/types/target.ts';
import { ownTitle } from '../kinds/document/read/layout.ts';
import { type MappedBlock, mapMarkdown } from '../kinds/document/read/map.ts';
import { closingOf, parseMarkdown } from '../kinds/document/read/markdown.ts';
import { type EntriesRead, readEntries, readItemEntry } from '../kinds/entries/read.ts';
import { activationIn } from '../kinds/items/read/activation.ts';
import { guardInSkill } from '../kinds/items/read/guard-skill.ts';
import { sameData } from '../kinds/read/backward.ts';
import { commandsOfScript, type NativeHook, portableHooks, readHook } from '../kinds/read/hooks.ts';
import { asMap, type ImportedItem, itemFromKeys, synonymsFor } from '../kinds/read/items.ts';
import { type DataFormat, parseData } from '../kinds/read/parse-data.ts';
import type { Activation } from '../model/guards.ts';
import type { Data } from '../model/model.ts';
import { allUniversalFiles } from '../spec/universal.ts';
import { takesText } from '../spec/vocabulary.ts';
import { decodeSource } from '../syntax/decode.ts';
import { type FrontMatter, readFrontMatter } from '../text/front-matter.ts';
import { withoutPlainMark } from '../text/plain-mark.ts';
import { lineSpan, type Source } from '../text/source.ts';
import { type ImportedDocument, printImported, toDocument } from './document.ts';
import { baseName, type Recognised, recognise } from './recognise.ts';

/** A file to import: its path is relative to the project and `/`-separated. */
export interface ImportRequest {
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Specs in the order in which they are asked; one alone when the user named the tool. */
  readonly specs: readonly TargetSpec[];
  /** Whether the user named the tool: then a path that it does not know is read as its main document. */
  readonly named?: boolean;
  readonly universalDir?: string;
}

/** Where lines of the file went. */
export interface MappingRow {
  /** Block, with the key below it: `standards.naming`. */
  readonly block: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly confidence: number;
}

export interface Imported {
  /** What the parts are called in the project: an id for `@meta`, a file name. */
  readonly name: string;
  /** Id of the target that the file belongs to, when one was recognised. */
  readonly target?: string;
  /** Whether other tools read the same file. */
  readonly shared: boolean;
  /** Directory below the root that the file speaks for; empty for all of the project. */
  readonly scope: string;
  readonly parts: readonly MappedBlock[];
  /** The text below the front matter, when the file is Markdown. */
  readonly body?: string;
  readonly blocks: readonly MappingRow[];
  readonly document: ImportedDocument;
  /** The `.prs` text. */
  readonly text: string;
  /** Parts that a person should look at. */
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
  const found = recognise(path, request.specs, request.universalDir) ?? generic(path, request);
  if (!found) {
    report(importUnknownFile({ path }, { file: path }));
    return undefined;
  }
  const parts = await readParts(source, found, request.specs, report);
  if (!parts) return undefined;
  const name = /^(?:[a-z-]*instructions?|project|main)$/i.test(found.name) ? 'project' : found.name;
  const document = toDocument(idOf(name), parts);
  const reviews = parts.filter(part => part.review !== undefined).length;
  if (reviews > 0) report(importReview({ count: reviews, total: parts.length, path }, { file: path }));
  return {
    name: idOf(name),
    ...(found.spec && { target: found.spec.id }),
    shared: found.shared,
    scope: found.scope,
    parts,
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
  if (/(?:^|\/)SKILL\.md$/i.test(path)) return { ...plain, place: 'skills', file: skillFile() };
  if (/\.(?:md|mdc|markdown|mdx|txt)$/i.test(path) || !/\.[a-z0-9]+$/i.test(path.split('/').at(-1)!.slice(1)))
    return plain;
  return named && !/\.(?:json|jsonc|toml|ya?ml)$/i.test(path) ? plain : undefined;
}

const skillFile = (): ItemFiles => allUniversalFiles().find(({ of }) => of === 'skills')!;

async function readParts(
  source: Source,
  found: Recognised,
  specs: readonly TargetSpec[],
  report: Report,
): Promise<MappedBlock[] | undefined> {
  const { file } = found;
  if (file?.kind === 'entries')
    return readStructured(source, file.format, report, data => readPlaces(data, file, found.spec));
  if (file?.kind === 'scripts') return readScript(source, found.name, file, report);
  if (file?.kind === 'items' && file.format !== undefined && file.format !== 'markdown') {
    return readStructured(source, file.format, report, data => {
      if (file.entry !== undefined) return readItemEntry(data, file, found.name);
      const rows = file.frontmatter ?? [];
      const item = itemFromKeys(
        file.of,
        found.name,
        asMap(data),
        undefined,
        rows,
        synonymsFor(file.of, specs),
      );
      return { items: [item], unreadable: [] };
    });
  }
  return readMarkdown(source, found, specs, report);
}

/** A structured file can have several places for entries: all that its tool has in it are read. */
function readPlaces(data: Data, file: EntriesFile, spec: TargetSpec | undefined): EntriesRead {
  const all = Object.values(spec?.files ?? {}).filter(
    (other): other is EntriesFile => other.kind === 'entries' && other.path === file.path,
  );
  const reads = (all.length > 0 ? all : [file]).map(place => readEntries(data, place));
  return {
    items: reads.flatMap(({ items }) => items),
    unreadable: reads.flatMap(({ unreadable }) => unreadable),
  };
}

async function readStructured(
  source: Source,
  format: DataFormat,
  report: Report,
  read: (data: Data) => EntriesRead,
): Promise<MappedBlock[] | undefined> {
  const parsed = await parseData(source.text, format);
  if ('problem' in parsed) {
    const span = parsed.line === undefined ? undefined : lineSpan(source, parsed.line);
    report(
      importBroken(
        { path: source.name, format: format.toUpperCase(), problem: parsed.problem },
        { span, file: source.name },
      ),
    );
    return undefined;
  }
  return partsOf(read(parsed.data), source, report);
}

/** Entries as parts; `undefined` after a report when there are none. */
function partsOf(
  { items, unreadable }: EntriesRead,
  source: Source,
  report: Report,
): MappedBlock[] | undefined {
  for (const reason of unreadable)
    report(hookLeftInPlace({ path: source.name, reason }, { file: source.name }));
  if (items.length === 0) {
    if (unreadable.length === 0) report(importNothingKnown({ path: source.name }, { file: source.name }));
    return undefined;
  }
  for (const item of items) reportKept(item, source, report);
  const last = source.text.trimEnd().split('\n').length;
  return items.map(item => partOf(item, 1, last));
}

/** A script that holds nothing but the commands of an event; any other one is a program and stays one. */
function readScript(
  source: Source,
  event: string,
  { hooks: facts }: ScriptFiles,
  report: Report,
): MappedBlock[] | undefined {
  const commands = commandsOfScript(source.text);
  if (!commands) {
    report(importNothingKnown({ path: source.name }, { file: source.name }));
    return undefined;
  }
  const hooks: NativeHook[] = [];
  const unreadable: string[] = [];
  for (const command of commands) {
    const fields = new Map<string, Data>([['shell', command]]);
    const read = readHook({ fields, unknown: new Map() }, event, facts);
    if ('unreadable' in read) unreadable.push(read.unreadable);
    else hooks.push(read);
  }
  const items = portableHooks(hooks, facts).map(hook => ({ block: 'hooks', ...hook }));
  return partsOf({ items, unreadable }, source, report);
}

async function readMarkdown(
  source: Source,
  found: Recognised,
  specs: readonly TargetSpec[],
  report: Report,
): Promise<MappedBlock[]> {
  const front = readFrontMatter(source.text);
  for (const key of front.loose)
    report(looseFrontMatter({ key }, { span: lineSpan(source, front.lineOf.get(key)!) }));
  for (const key of new Set(front.repeated))
    report(repeatedFrontMatter({ key }, { span: lineSpan(source, front.lineOf.get(key)!) }));
  const lines = source.text.split(/\r\n?|\n/);
  const body = withoutPlainMark(lines.slice(front.lines).join('\n'));
  const markdown = await parseMarkdown(body);
  const item = asItem(found, front, trimLines(body) + closingOf(markdown), specs);
  if (item) {
    reportKept(item, source, report);
    return [partOf(item, 1, source.text.trimEnd().split(/\r\n?|\n/).length)];
  }
  if (found.file?.kind === 'document' && found.file.of === 'local') {
    return [
      {
        block: 'local',
        content: { kind: 'text', text: withoutOwnTitle(trimLines(body)) + closingOf(markdown) },
        startLine: front.lines + 1,
        endLine: lines.length,
        confidence: 1,
      },
    ];
  }
  if (found.scope !== '') {
    const fields = nestedRule(found.scope, source.name, trimLines(body) + closingOf(markdown));
    return [partOf(fields, 1, lines.length)];
  }
  return withFrontMatter(mapMarkdown(markdown, front.lines, headingsOf(specs, source.name)), front, found);
}

/** The main document of a nested package speaks for the files of that package only. */
const nestedRule = (scope: string, path: string, content: string): ImportedItem => ({
  block: 'guards',
  key:
    scope
      .replace(/[^\p{L}\p{N}]+/gu, '-')
      .replace(/^-|-$/g, '')
      .toLowerCase() || 'package',
  fields: new Map<string, Data>([
    ['applyTo', [`${scope}/**`]],
    ['description', `Instructions of ${path}`],
    ['content', content],
  ]),
  unknown: new Map(),
});

/** Private notes are one section; its heading is written again. */
const withoutOwnTitle = (notes: string): string =>
  notes.startsWith(`## ${ownTitle('local')}\n`) ? trimLines(notes.slice(notes.indexOf('\n'))) : notes;

/** What may stand above a main document without saying anything: the common heading, one of a tool, the name of the file. */
const headingsOf = (specs: readonly TargetSpec[], path: string): ReadonlySet<string> =>
  new Set([
    conventions.catalogue.heading,
    path.replace(/^.*\//, ''),
    ...specs.flatMap(spec =>
      Object.values(spec.files).flatMap(file =>
        file.kind === 'document' && file.heading !== undefined ? [file.heading] : [],
      ),
    ),
  ]);

/** The whole file as one entry of a block, when the tool or its front matter says that it is one. */
function asItem(
  found: Recognised,
  front: FrontMatter,
  body: string,
  specs: readonly TargetSpec[],
): ImportedItem | undefined {
  const collection = found.file?.kind === 'items' ? found.file.of : undefined;
  const placed = found.file?.kind === 'items' ? found.file : undefined;
  const rows = placed?.frontmatter ?? [];
  const read = (of: ItemFiles['of'], own: readonly Row[] = rows) =>
    itemFromKeys(of, found.name, textsAsWritten(of, front, own), body, own, synonymsFor(of, specs), placed);
  if (collection === undefined || collection === 'guards' || collection === 'topics') {
    const keyed = read('guards');
    const activation = placed?.of === 'guards' ? activationIn(placed, rows, front.fields) : undefined;
    const guard = withActivation(keyed, activation);
    if (guard.fields.has('applyTo') || activation !== undefined) return guard;
    if (collection === undefined || collection === 'topics') return undefined;
    // A rule without globs that a tool loads when its description fits is what others call a skill.
    const always = isAlways(found, front);
    return !always && typeof guard.fields.get('description') === 'string'
      ? { ...guard, block: 'skills' }
      : undefined;
  }
  const whole = read(collection);
  return collection === 'skills' ? (guardInSkill(whole) ?? whole) : whole;
}

/** Says when a rule is read where its globs do not say it. */
function withActivation(guard: ImportedItem, activation: Activation | undefined): ImportedItem {
  const fields = new Map([...guard.fields].filter(([name]) => name !== 'activation'));
  const content = fields.get('content');
  if (
    activation === 'description' ||
    activation === 'manual' ||
    (activation && fields.has('applyTo') && activation !== 'scoped')
  )
    fields.set('activation', activation);
  if (content !== undefined && fields.delete('content')) fields.set('content', content);
  return { ...guard, fields };
}

/** `argument-hint: [issue]` is a text with brackets to those who write it, and a list to YAML. */
function textsAsWritten(
  of: ItemFiles['of'],
  front: FrontMatter,
  rows: readonly Row[],
): FrontMatter['fields'] {
  const fields = new Map(front.fields);
  for (const [key, text] of front.written) {
    const field = rows.find(row => row.key === key)?.from ?? key;
    if (takesText(of, field)) fields.set(key, text);
  }
  return fields;
}

/** Whether the front matter says what that of the tool's always-loaded document says. */
function isAlways({ spec }: Recognised, front: FrontMatter): boolean {
  return Object.values(spec?.files ?? {}).some(
    file =>
      (file.kind === 'document' &&
        (file.frontmatter ?? []).some(
          row =>
            row.from === undefined &&
            front.fields.has(row.key) &&
            sameData(row.value, front.fields.get(row.key)) &&
            typeof row.value !== 'string',
        )) ||
      (file.kind === 'document' &&
        (file.frontmatter ?? []).some(
          row =>
            row.from === undefined &&
            typeof row.value === 'string' &&
            !/\s/.test(row.value) &&
            front.fields.get(row.key) === row.value,
        )),
  );
}

/** Front matter of a main document that its tool's own rows do not explain stays in sight as a comment. */
function withFrontMatter(parts: MappedBlock[], front: FrontMatter, { spec }: Recognised): MappedBlock[] {
  const rows = Object.values(spec?.files ?? {}).flatMap(file =>
    file.kind === 'document'
      ? (file.frontmatter ?? [])
      : file.kind === 'items' && file.of === 'guards'
        ? (file.frontmatter ?? [])
        : [],
  );
  const kept = [...front.fields].filter(
    ([key, value]) =>
      value !== null &&
      value !== '' &&
      !rows.some(
        row =>
          row.key === key &&
          row.from === undefined &&
          (sameData(row.value, value) || typeof value === 'boolean'),
      ),
  );
  const [first, ...rest] = parts;
  if (kept.length === 0 || !first) return parts;
  const lines = kept.map(
    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const review = [
    ...(first.review === undefined ? [] : [first.review]),
    'The front matter of the file also said:',
    ...lines,
  ].join('\n');
  return [{ ...first, review }, ...rest];
}

/** Blank lines at both ends go; the first line keeps its indentation. */
const trimLines = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '').trimEnd();

const partOf = (item: ImportedItem, startLine: number, endLine: number): MappedBlock => ({
  block: item.block,
  key: item.key,
  content: { kind: 'fields', fields: contentLast(new Map([...item.fields, ...item.unknown])) },
  startLine,
  endLine,
  confidence: 1,
});

function contentLast(fields: Map<string, Data>): Map<string, Data> {
  const content = fields.get('content');
  if (content === undefined) return fields;
  fields.delete('content');
  return fields.set('content', content);
}

function reportKept({ unknown, block, key }: ImportedItem, source: Source, report: Report): void {
  if (unknown.size === 0) return;
  report(
    importKeysKept({ keys: [...unknown.keys()].join(', '), entry: `${block}.${key}` }, { file: source.name }),
  );
}
