import { frontMatterBroken, frontMatterUnused, skillNameReplaced } from '../generated/diagnostics.ts';
import type { DataPath } from '../text/yaml.ts';
import { fieldSpelled } from './catalogue.ts';
import {
  addEntry,
  type Draft,
  list,
  type NodeDraft,
  newBlock,
  newDraft,
  object,
  scalar,
  setField,
} from './draft.ts';
import { type FrontMatter, readFrontMatter } from './front-matter.ts';
import type { CommandUnit, KnowledgeUnit, SkillUnit, Step } from './program.ts';
import { once, type Run } from './run.ts';

/** A skill in Markdown as a draft with one skill, named by its front matter, else by its folder. */
export function skillDraft(unit: SkillUnit, run: Run): Draft {
  const draft = newDraft();
  const head = readHead(unit, run);
  const name = nameOf(unit, head, run);
  const fields = new Map<string, NodeDraft>();
  const extra = new Map<string, unknown>();
  for (const [key, value] of head.data) {
    if (key === 'name') continue;
    const field = fieldSpelled('skills', key);
    if (field && value !== null) fields.set(field, fromData(value, [key], unit, head, draft));
    else if (!field) extra.set(key, value);
  }
  fields.set('content', bodyNode(unit, head, draft));
  attachReferences(fields.get('references'), unit, run);
  const step: Step = { operation: 'declare', span: nameSpan(unit, head), layer: unit.layer };
  const block = newBlock('skills', draft.owner);
  block.steps.push(step);
  setField(block, name, object(fields, [step], draft.owner));
  draft.blocks.set('skills', block);
  draft.skills.set(name, { resources: unit.resources, extra, source: unit.source });
  return draft;
}

const nameSpan = ({ source }: SkillUnit, head: FrontMatter) =>
  head.data.has('name') ? head.spanOf(['name']) : { source, start: 0, end: head.bodyStart };

/** Names that tools accept as folder names: see the Agent Skills format. */
const usableName = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

function nameOf(unit: SkillUnit, head: FrontMatter, run: Run): string {
  const name = head.data.get('name');
  if (name === undefined || name === null) return unit.folder;
  if (typeof name === 'string' && usableName.test(name)) return name;
  const where = { span: head.spanOf(['name']), rule: 'skill-metadata' };
  once(run, `name ${unit.id}`, () =>
    run.report(skillNameReplaced({ name: String(name), folder: unit.folder }, where)),
  );
  return unit.folder;
}

/** Markdown without the front matter of a skill: a text of `@knowledge`. */
export function knowledgeDraft(unit: KnowledgeUnit, run: Run): Draft {
  const draft = newDraft();
  const head = readHead(unit, run);
  if (head.data.size > 0) {
    const keys = [...head.data.keys()].join(', ');
    const span = { source: unit.source, start: 0, end: head.bodyStart };
    once(run, `unused ${unit.id}`, () =>
      run.report(frontMatterUnused({ file: unit.source.name, keys }, { span })),
    );
  }
  const text = bodyNode(unit, head, draft);
  const block = newBlock('knowledge', draft.owner);
  block.steps.push(...text.steps);
  if (text.value !== '') addEntry(block, { kind: 'text', node: text });
  draft.blocks.set('knowledge', block);
  return draft;
}

/** A command file of the universal directory: front matter and prompt. */
export function commandDraft(unit: CommandUnit, run: Run): Draft {
  const draft = newDraft();
  const head = readHead(unit, run);
  const text = bodyNode(unit, head, draft);
  const fields = new Map<string, NodeDraft>([['prompt', scalar(true, false, [...text.steps], draft.owner)]]);
  for (const [key, value] of head.data) {
    if (key === 'name' || value === null) continue;
    fields.set(fieldSpelled('shortcuts', key) ?? key, fromData(value, [key], unit, head, draft));
  }
  fields.set('content', text);
  const block = newBlock('shortcuts', draft.owner);
  block.steps.push(...text.steps);
  setField(block, `/${unit.name}`, object(fields, [...text.steps], draft.owner));
  draft.blocks.set('shortcuts', block);
  return draft;
}

type MarkdownUnit = SkillUnit | CommandUnit | KnowledgeUnit;

function readHead(unit: MarkdownUnit, run: Run): FrontMatter {
  const head = readFrontMatter(unit.source);
  if (head.problem) {
    const { title, advice, span } = head.problem;
    const holes = { problem: title, advice };
    once(run, `front matter ${unit.id}`, () => run.report(frontMatterBroken(holes, { span })));
  }
  return head;
}

function bodyNode(unit: MarkdownUnit, head: FrontMatter, draft: Draft) {
  const { source } = unit;
  const raw = source.text.slice(head.bodyStart);
  const body = (raw.includes('\r') ? raw.replace(/\r\n/g, '\n') : raw)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  const lead = /^(?:[ \t]*\r?\n)*/.exec(raw)?.[0].length ?? 0;
  const span = {
    source,
    start: Math.min(head.bodyStart + lead, source.text.length),
    end: source.text.length,
  };
  return scalar(body, true, [{ operation: 'declare', span, layer: unit.layer }], draft.owner);
}

/** Data of front matter as a node. Each value knows its own place. */
function fromData(
  value: unknown,
  path: DataPath,
  unit: MarkdownUnit,
  head: FrontMatter,
  draft: Draft,
): NodeDraft {
  const steps: Step[] = [{ operation: 'declare', span: head.spanOf(path), layer: unit.layer }];
  if (Array.isArray(value)) {
    const items = value.map((item, index) => fromData(item, [...path, index], unit, head, draft));
    return list(items, steps, draft.owner);
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).map(
      ([key, inner]) => [key, fromData(inner, [...path, key], unit, head, draft)] as const,
    );
    return object(new Map(fields), steps, draft.owner);
  }
  const known = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  const text = typeof value === 'string' && value.includes('\n');
  return scalar(known ? value : value === null ? null : String(value), text, steps, draft.owner);
}

function attachReferences(references: NodeDraft | undefined, unit: SkillUnit, run: Run): void {
  if (!references || !unit.references) return;
  for (const item of references.kind === 'list' ? references.items : [references]) {
    const resource = item.kind === 'scalar' ? unit.references.get(String(item.value)) : undefined;
    if (resource) run.resources.set(item, resource);
  }
}
