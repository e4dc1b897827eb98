import { replacingIn } from '../diagnostics/fixes.ts';
import { skillNameReplaced } from '../generated/diagnostics.ts';
import type { FrontMatter } from '../text/front-matter.ts';
import { fieldSpelled } from './catalogue.ts';
import { type Draft, type NodeDraft, newBlock, newDraft, object, setField } from './draft.ts';
import { asField, bodyNode, fromData, hasChanges, nameSpan, readHead } from './markdown.ts';
import type { SkillUnit, Step } from './program.ts';
import { once, type Run } from './run.ts';

/** A skill in Markdown as a draft with one skill, named by its front matter, else by its folder. */
export function skillDraft(unit: SkillUnit, run: Run): Draft {
  const draft = newDraft();
  const head = readHead(unit, run);
  const name = nameOf(unit, head, run);
  const fields = new Map<string, NodeDraft>();
  const extra = new Map<string, unknown>();
  for (const [key, value] of head.fields) {
    if (key === 'name') continue;
    // A list of tools is nothing that we know of a skill; what a tool makes of it is up to the tool.
    const field = key === 'tools' && !hasChanges(value) ? undefined : fieldSpelled('skills', key);
    if (field && value !== null)
      fields.set(field, fromData(asField('skills', field, value, key, head), [key], unit, head, draft));
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

/** Names that tools accept as folder names: see the Agent Skills format. */
const usableName = /^(?=.{1,64}$)[a-z0-9]+(?:-[a-z0-9]+)*$/;

function nameOf(unit: SkillUnit, head: FrontMatter, run: Run): string {
  const name = head.fields.get('name');
  if (name === undefined || name === null || head.fields.has('into')) return unit.folder;
  if (typeof name === 'string' && usableName.test(name)) return name;
  const span = head.spanOf(['name']);
  // The text of an object would be its shape in JSON, which is not what stands in the file.
  const said = typeof name === 'object' ? JSON.stringify(name) : String(name);
  const fixes = replacingIn(span, 'Use the name of the folder', said, unit.folder);
  const where = { span, rule: 'skill-metadata', fixes };
  once(run, `name ${unit.id}`, () =>
    run.report(skillNameReplaced({ name: said, folder: unit.folder }, where)),
  );
  return unit.folder;
}

function attachReferences(references: NodeDraft | undefined, unit: SkillUnit, run: Run): void {
  if (!references || !unit.references) return;
  for (const item of references.kind === 'list' ? references.items : [references]) {
    const resource = item.kind === 'scalar' ? unit.references.get(String(item.value)) : undefined;
    if (resource) run.resources.set(item, resource);
  }
}
