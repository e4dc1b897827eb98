import { frontMatterNear, skillNameReplaced } from '../generated/diagnostics.ts';
import { replaceWordFix, replacingIn } from '../text/diagnostics/fixes.ts';
import type { FrontMatter } from '../text/front-matter.ts';
import { suggest } from '../text/similar.ts';
import { fieldOfKey } from './catalogue.ts';
import { type Draft, draftOfEntry, itemsOf, object, scalar } from './draft.ts';
import {
  bodyNode,
  declaredAt,
  fieldNode,
  hasOverlays,
  leadingBlankLength,
  nameSpan,
  readHead,
  textNode,
  withUnixLineEnds,
} from './markdown.ts';
import { mergeContext } from './merge-context.ts';
import { appendList } from './merge-lists.ts';
import { addSkillArguments, type Caller } from './parameters.ts';
import type { DocumentUnit, ItemUnit, Node, SkillUnit } from './program.ts';
import { type Run, reportOnce } from './run.ts';

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
    const hasCommas = key === 'targets' || key === 'except';
    fields.set(field, fieldNode('documents', field, key, unit, head, hasCommas));
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

/** Fields of items that may be a comma-separated string. */
const commaLists: ReadonlySet<string> = new Set(['applyTo', 'targets', 'except', 'into']);

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
    const node = fieldNode(block, field, key, unit, head, commaLists.has(field));
    const known = fields.get(field);
    // `globs` and `paths` in one file, written for two tools, are merged into one list.
    const isBoth = known?.kind === 'list' && node.kind === 'list';
    fields.set(field, isBoth ? appendList(known, node, false, mergeContext(run)) : node);
  }
  const content = bodyNode(unit, head);
  if (content.value !== '') fields.set('content', content);
  return draftOfEntry(block, itemName(unit, head), object(fields, steps));
}

/**
 * Agents are addressed by name. A display name that is not an identifier stays a field, and the file name is
 * used.
 */
const usableAgentName = /^[A-Za-z0-9][\w.-]{0,63}$/;

function itemName({ block, name }: ItemUnit, head: FrontMatter): string {
  // With `into` the entry has its own output file, so it may share the name of another entry.
  const own = head.fields.has('into') ? undefined : head.fields.get('name');
  const given = typeof own === 'object' || own === undefined ? '' : String(own).trim();
  const wanted = given === '' || (block === 'agents' && !usableAgentName.test(given)) ? name : given;
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
  reportOnce(run, `near ${unit.id} ${key}`, () =>
    run.report(frontMatterNear({ key, near }, { span: keySpan, fixes })),
  );
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
  reportOnce(run, `name ${unit.id}`, () =>
    run.report(skillNameReplaced({ name: shown, folder }, { span, rule: 'skill-metadata', fixes })),
  );
  return folder;
}

function withResources(references: Node, { references: files }: SkillUnit): Node {
  const attach = (item: Node): Node => {
    const resource = item.kind === 'scalar' ? files?.get(String(item.value)) : undefined;
    return resource && item.kind === 'scalar' ? { ...item, resource } : item;
  };
  return references.kind === 'list'
    ? { ...references, items: itemsOf(references).map(attach) }
    : attach(references);
}
