import {
  frontMatterBroken,
  frontMatterNear,
  frontMatterOpen,
  skillNameReplaced,
} from '../generated/diagnostics.ts';
import { isObject } from '../text/data.ts';
import { replaceWordFix, replacingIn } from '../text/diagnostics/fixes.ts';
import { type FrontMatter, noFrontMatter, readFrontMatter } from '../text/front-matter.ts';
import { memoizeByObject } from '../text/memo.ts';
import { suggest } from '../text/similar.ts';
import type { Source, Span } from '../text/source.ts';
import { splitList } from '../text/split-list.ts';
import type { DataPath } from '../text/yaml.ts';
import { fieldOfKey, isTextField } from './catalogue.ts';
import { type Draft, dataNode, draftOfEntry, list, mapScalars, object, scalar } from './draft.ts';
import { mergeContext } from './merge-context.ts';
import { appendList } from './merge-lists.ts';
import { addSkillArguments, type Caller } from './parameters.ts';
import type {
  DocumentUnit,
  ItemUnit,
  MarkdownBlock,
  Node,
  ProvenanceStep,
  ScalarNode,
  SkillUnit,
} from './program.ts';
import { type Run, reportOnce } from './run.ts';

/**
 * Reads the front matter of a source. `---` lines around text other than keys are thematic breaks and belong
 * to the text.
 */
export const readSourceHead = memoizeByObject((source: Source): FrontMatter => {
  const front = readFrontMatter(source);
  const lines = source.text.slice(0, front.bodyStart).split('\n').slice(1, -1);
  return front.problem?.kind === 'syntax' && !isKeyed(lines.slice(0, front.lines - 2))
    ? noFrontMatter(source)
    : front;
});

/** Whether lines look like YAML, valid or not: keys, items, comments and indented lines. */
const isKeyed = (lines: readonly string[]): boolean =>
  lines.every(line => /^(?:\s*$|\s*#|\s+\S|-\s|[\w"'-]+[ \t]*:)/.test(line));

/** The kind of a Markdown file by the keys of its front matter; a document when it has none of them. */
export function markdownKind(source: Source): MarkdownBlock | 'skill' | 'document' {
  const { fields } = readSourceHead(source);
  const keys = [...fields.keys()];
  const has = (block: string, field: string) => keys.some(key => fieldOfKey(block, key) === field);
  if (has('guards', 'applyTo') || has('guards', 'activation')) return 'guards';
  if (has('shortcuts', 'prompt')) return 'shortcuts';
  if (!keys.includes('name') && !keys.includes('description')) return 'document';
  const isAgent = keys.some(key =>
    key === 'tools' ? !hasOverlays(fields.get(key)) : fieldOfKey('agents', key) && !fieldOfKey('skills', key),
  );
  return isAgent ? 'agents' : 'skill';
}

type MarkdownUnit = SkillUnit | ItemUnit | DocumentUnit;

/** Whether a value of `tools` contains overlays for single tools; otherwise it is a list of tools. */
const hasOverlays = (value: unknown): boolean => isObject(value) && Object.values(value).some(isObject);

/** Reads the front matter of a unit; its first problem is reported, once. */
function readHead(unit: MarkdownUnit, run: Run): FrontMatter {
  const head = readSourceHead(unit.source);
  if (head.problem && !head.isClear) {
    const { title, advice, span } = head.problem;
    const holes = { problem: title, advice };
    reportOnce(run, `front matter ${unit.id}`, frontMatterBroken(holes, { span }));
  }
  const open = /^\ufeff?---[ \t]*\r?\n(?=[A-Za-z_$][\w.$-]*[ \t]*:)/.exec(unit.source.text);
  if (open && head.lines === 0) {
    const span = { source: unit.source, start: open[0].indexOf('-'), end: open[0].trimEnd().length };
    reportOnce(run, `front matter ${unit.id}`, frontMatterOpen({}, { span }));
  }
  return head;
}

/** The span of the name of a unit: in its front matter, else the start of the file. */
const nameSpan = ({ source }: MarkdownUnit, head: FrontMatter): Span =>
  head.fields.has('name') ? head.spanOf(['name']) : { source, start: 0, end: head.bodyStart };

/** The text below the front matter, without blank lines at either end. */
function bodyNode(unit: MarkdownUnit, head: FrontMatter): ScalarNode {
  const raw = unit.source.text.slice(head.bodyStart);
  const text = withUnixLineEnds(raw)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return textNode(text, unit, head.bodyStart + leadingBlankLength(raw));
}

/** The length of the blank lines at the start of a text. */
const leadingBlankLength = (text: string): number => /^(?:[ \t]*\r?\n)*/.exec(text)![0].length;

/** The node of a text that extends from `start` to the end of its file. */
function textNode(value: string, unit: MarkdownUnit, start: number): ScalarNode {
  const span = { source: unit.source, start, end: unit.source.text.length };
  return scalar(value, true, [declaredAt(span, unit)], {
    literal: { kind: 'string', quote: 'markdown', value, span },
  });
}

const declaredAt = (span: Span, { layer }: MarkdownUnit): ProvenanceStep => ({
  operation: 'declare',
  span,
  layer,
});

/** Converts CRLF to LF. */
const withUnixLineEnds = (text: string): string => text.replace(/\r\n/g, '\n');

/** Fields that may be a comma-separated string. */
const commaLists: ReadonlySet<string> = new Set(['applyTo', 'targets', 'except', 'into']);

/** The node of a front matter key that refers to `field`. */
function fieldNode(block: string, field: string, key: string, unit: MarkdownUnit, head: FrontMatter): Node {
  const value = head.fields.get(key);
  const stepsAt = (path: DataPath) => [declaredAt(head.spanOf(path), unit)];
  if (commaLists.has(field) && typeof value === 'string') {
    const steps = stepsAt([key]);
    const names = splitList(value).map(part => part.replace(/^(["'])(.*)\1$/, '$2'));
    return list(
      names.map(name => scalar(name, false, steps)),
      steps,
    );
  }
  const { source, start, end } = head.spanOf([key]);
  const written = source.text.slice(start, end).trim();
  // `argument-hint: [issue]` is a list in YAML, but means a text in a field that accepts only text.
  const isText = typeof value === 'object' && isTextField(block, field) && /^[[{][^\n]*$/.test(written);
  return dataNode(isText ? written : value, [key], {
    stepsAt,
    scalarAt: (one, at, steps) => {
      if (typeof one === 'string')
        return scalar(one, one.includes('\n'), steps, {
          literal: { kind: 'string', quote: 'yaml', value: one, span: head.spanOf(at) },
        });
      const isKnown = typeof one === 'number' || typeof one === 'boolean' || one === null;
      return scalar(isKnown ? one : String(one), false, steps);
    },
  });
}

/**
 * Converts a document to a draft with one entry of `documents`: its unchanged text and the fields of its
 * front matter.
 */
export function documentDraft(unit: DocumentUnit, run: Run): Draft {
  const head = readHead(unit, run);
  const fields = new Map<string, Node>();
  for (const [key, value] of head.fields) {
    if (key === 'name' || value === null) continue;
    const field = fieldOfKey('documents', key) ?? key;
    fields.set(field, fieldNode('documents', field, key, unit, head));
  }
  // Blank lines after the front matter do not belong to the text.
  const { text } = unit.source;
  const start = head.bodyStart && head.bodyStart + leadingBlankLength(text.slice(head.bodyStart));
  fields.set('content', textNode(withUnixLineEnds(text.slice(start)), unit, start));
  const steps = [declaredAt(nameSpan(unit, head), unit)];
  return draftOfEntry('documents', documentName(unit, head, run), object(fields, steps));
}

/** The name in the front matter, else the file name. If the name is taken, the path is used instead. */
function documentName(unit: DocumentUnit, head: FrontMatter, run: Run): string {
  const own = head.fields.get('name');
  const path = unit.id.replace(/\.[^./]+$/, '');
  const wanted = typeof own === 'string' && own.trim() !== '' ? own.trim() : path.replace(/^.*\//, '');
  const name = (run.documents.get(wanted) ?? unit.id) === unit.id ? wanted : path;
  run.documents.set(name, unit.id);
  return name;
}

/** Converts a command, agent, rule or check to a draft with one entry. */
export function itemDraft(unit: ItemUnit, run: Run): Draft {
  const { block } = unit;
  const head = readHead(unit, run);
  const steps = [declaredAt(nameSpan(unit, head), unit)];
  const fields = new Map<string, Node>();
  if (block === 'shortcuts') fields.set('prompt', scalar(true, false, steps));
  for (const [key, value] of head.fields) {
    if (value === null || (key === 'name' && typeof value === 'object')) continue;
    const spelled = fieldOfKey(block, key);
    if (spelled === undefined) checkSpelling(key, unit, head, run);
    const field = spelled ?? key;
    const node = fieldNode(block, field, key, unit, head);
    const known = fields.get(field);
    // `globs` and `paths` in one file, written for two tools, are merged into one list.
    const isBoth = known?.kind === 'list' && node.kind === 'list';
    fields.set(field, isBoth ? appendList(known, node, false, mergeContext(run)) : node);
  }
  const content = bodyNode(unit, head);
  if (content.value !== '') fields.set('content', content);
  return draftOfEntry(block, itemName(unit, head), object(fields, steps));
}

/** Whether tools can address an agent by this name. */
export const isAgentName = (name: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(name);

/** The name of an item. A display name by which an agent cannot be addressed stays a field. */
function itemName({ block, name }: ItemUnit, head: FrontMatter): string {
  // With `into` the entry has its own output file, so it may share the name of another entry.
  const own = head.fields.has('into') ? undefined : head.fields.get('name');
  const given = typeof own === 'object' || own === undefined ? '' : String(own).trim();
  const wanted = given === '' || (block === 'agents' && !isAgentName(given)) ? name : given;
  return block === 'shortcuts' ? `/${wanted.replace(/^\/+/, '')}` : wanted;
}

/**
 * Keys whose misspellings are reported. Other keys are skipped, because agents of some tools have keys with
 * similar names.
 */
const checkedKeys: Readonly<Record<string, readonly string[]>> = {
  guards: ['applyTo', 'globs', 'paths', 'activation', 'targets', 'except', 'description', 'placement'],
  shortcuts: ['targets', 'except', 'description'],
  agents: ['except', 'description'],
  checks: ['applyTo', 'globs', 'paths', 'targets', 'except', 'description', 'severity'],
};

function checkSpelling(key: string, unit: ItemUnit, head: FrontMatter, run: Run): void {
  const own = checkedKeys[unit.block] ?? [];
  const near = own.includes(key) ? undefined : suggest(key, own);
  if (near === undefined) return;
  const span = head.spanOf([key]);
  // The key precedes its value, on the same line or above it.
  const start = unit.source.text.lastIndexOf(key, span.start);
  const keySpan = start === -1 ? span : { ...span, start, end: start + key.length };
  const fixes = start === -1 ? [] : replaceWordFix(keySpan, key, near);
  reportOnce(run, `near ${unit.id} ${key}`, frontMatterNear({ key, near }, { span: keySpan, fixes }));
}

/**
 * Converts a Markdown skill to a draft with one skill, with the arguments of the reference that imports it.
 */
export function skillDraft(unit: SkillUnit, run: Run, caller: Caller | undefined): Draft {
  const head = readHead(unit, run);
  const name = skillName(unit, head, run);
  const fields = new Map<string, Node>();
  const extra = new Map<string, unknown>();
  for (const [key, value] of head.fields) {
    if (key === 'name') continue;
    // `tools` as a plain list is not portable; only overlays are read.
    const field = key === 'tools' && !hasOverlays(value) ? undefined : fieldOfKey('skills', key);
    if (!field) extra.set(key, value);
    else if (value !== null) {
      const node = fieldNode('skills', field, key, unit, head);
      fields.set(field, field === 'references' ? withResources(node, unit) : node);
    }
  }
  fields.set('content', bodyNode(unit, head));
  addSkillArguments(fields, unit, run, caller);
  const draft = draftOfEntry('skills', name, object(fields, [declaredAt(nameSpan(unit, head), unit)]));
  draft.skills.set(name, { resources: unit.resources, extra, source: unit.source });
  return draft;
}

const usableSkillName = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

function skillName(unit: SkillUnit, head: FrontMatter, run: Run): string {
  const { folder } = unit;
  const name = head.fields.get('name');
  if (name === undefined || name === null || head.fields.has('into')) return folder;
  if (typeof name === 'string' && usableSkillName.test(name)) return name;
  const span = head.spanOf(['name']);
  const shown = typeof name === 'object' ? JSON.stringify(name) : String(name);
  const fixes = replacingIn(span, 'Use the name of the folder', shown, folder);
  const where = { span, rule: 'skill-metadata', fixes };
  reportOnce(run, `name ${unit.id}`, skillNameReplaced({ name: shown, folder }, where));
  return folder;
}

const withResources = (references: Node, { references: files }: SkillUnit): Node =>
  mapScalars(references, item => {
    const resource = files?.get(String(item.value));
    return resource ? { ...item, resource } : item;
  });
