import { exchanging } from '../diagnostics/fixes.ts';
import { frontMatterNear } from '../generated/diagnostics.ts';
import type { FrontMatter } from '../text/front-matter.ts';
import { suggest } from '../text/similar.ts';
import { fieldSpelled } from './catalogue.ts';
import { type Draft, type NodeDraft, newBlock, newDraft, object, scalar, setField } from './draft.ts';
import { appendList } from './lists.ts';
import { asField, bodyNode, fromData, listFromData, nameSpan, readHead } from './markdown.ts';
import { merging } from './merging.ts';
import type { ItemUnit, Step } from './program.ts';
import { once, type Run } from './run.ts';

/** Fields whose value may be one string with commas. */
const commaLists: ReadonlySet<string> = new Set(['applyTo', 'targets', 'except', 'into']);

/** A command, an agent, a rule or a check in Markdown as a draft with one entry, named by its front matter, else by its path. */
export function itemDraft(unit: ItemUnit, run: Run): Draft {
  const draft = newDraft();
  const head = readHead(unit, run);
  const { block: blockName } = unit;
  const step: Step = { operation: 'declare', span: nameSpan(unit, head), layer: unit.layer };
  const fields = new Map<string, NodeDraft>();
  if (blockName === 'shortcuts') fields.set('prompt', scalar(true, false, [step], draft.owner));
  for (const [key, value] of head.fields) {
    if (value === null || (key === 'name' && typeof value === 'object')) continue;
    const field = fieldSpelled(blockName, key) ?? key;
    if (fieldSpelled(blockName, key) === undefined) checkNear(key, unit, head, run);
    const node = commaLists.has(field)
      ? listFromData(value, key, unit, head, draft)
      : fromData(asField(blockName, field, value, key, head), [key], unit, head, draft);
    fields.set(field, together(fields.get(field), node, run, draft));
  }
  const content = bodyNode(unit, head, draft);
  if (content.value !== '') fields.set('content', content);
  const block = newBlock(blockName, draft.owner);
  block.steps.push(step);
  setField(block, nameOf(unit, head), object(fields, [step], draft.owner));
  draft.blocks.set(blockName, block);
  return draft;
}

/** Agents are addressed by their name: one that is for people to read stays a field, and the file names the agent. */
const usableName = /^[A-Za-z0-9][\w.-]{0,63}$/;

/** Keys whose misspellings are reported. Other keys are not: agents of some tools have similar ones. */
const nearable: Readonly<Record<string, readonly string[]>> = {
  guards: ['applyTo', 'globs', 'paths', 'activation', 'targets', 'except', 'description', 'placement'],
  shortcuts: ['targets', 'except', 'description'],
  agents: ['except', 'description'],
  checks: ['applyTo', 'globs', 'paths', 'targets', 'except', 'description', 'severity'],
};

function checkNear(key: string, unit: ItemUnit, head: FrontMatter, run: Run): void {
  const own = nearable[unit.block] ?? [];
  const near = own.includes(key) ? undefined : suggest(key, own);
  if (near === undefined) return;
  const span = head.spanOf([key]);
  // The key stands in front of its value, or on a line above it.
  const line = { ...span, start: unit.source.text.lastIndexOf(key, span.start) };
  const fixes = line.start === -1 ? [] : exchanging({ ...line, end: line.start + key.length }, key, near);
  once(run, `near ${unit.id} ${key}`, () => run.report(frontMatterNear({ key, near }, { span, fixes })));
}

function nameOf({ block, name }: ItemUnit, head: FrontMatter): string {
  // An item that is written as it stands may have the name of another entry, because its file tells it apart.
  const own = head.fields.has('into') ? undefined : head.fields.get('name');
  const given = typeof own === 'object' || own === undefined ? '' : String(own).trim();
  const said = given === '' || (block === 'agents' && !usableName.test(given)) ? name : given;
  return block === 'shortcuts' ? `/${said.replace(/^\/+/, '')}` : said;
}

/** `globs` and `paths` of one file, written for two tools, are one list. */
function together(known: NodeDraft | undefined, node: NodeDraft, run: Run, draft: Draft): NodeDraft {
  return known?.kind === 'list' && node.kind === 'list'
    ? appendList(known, node, false, merging(run, draft.owner))
    : node;
}
