import type { FrontMatter } from '../text/front-matter.ts';
import { fieldSpelled } from './catalogue.ts';
import { type Draft, type NodeDraft, newBlock, newDraft, object, setField } from './draft.ts';
import { asField, fromData, listFromData, nameSpan, readHead, textNode, withPlainEnds } from './markdown.ts';
import type { DocumentUnit, Step } from './program.ts';
import type { Run } from './run.ts';

/** A document as a draft with one entry of `documents`: its text as it is, and what its front matter says. */
export function documentDraft(unit: DocumentUnit, run: Run): Draft {
  const draft = newDraft();
  const head = readHead(unit, run);
  const fields = new Map<string, NodeDraft>();
  for (const [key, value] of head.fields) {
    if (key === 'name' || value === null) continue;
    const node =
      key === 'targets' || key === 'except'
        ? listFromData(value, key, unit, head, draft)
        : fromData(asField('documents', key, value, key, head), [key], unit, head, draft);
    fields.set(fieldSpelled('documents', key) ?? key, node);
  }
  const below = unit.source.text.slice(head.bodyStart);
  // The empty lines that part a text from its front matter go with that.
  const start = head.bodyStart + (head.bodyStart > 0 ? /^(?:[ \t]*\r?\n)*/.exec(below)![0].length : 0);
  fields.set('content', textNode(withPlainEnds(unit.source.text.slice(start)), unit, start, draft));
  const step: Step = { operation: 'declare', span: nameSpan(unit, head), layer: unit.layer };
  const block = newBlock('documents', draft.owner);
  block.steps.push(step);
  setField(block, nameOf(unit, head, run), object(fields, [step], draft.owner));
  draft.blocks.set('documents', block);
  return draft;
}

/** The name in the front matter, else that of the file; a second file of one name is told by its path. */
function nameOf(unit: DocumentUnit, head: FrontMatter, run: Run): string {
  const own = head.fields.get('name');
  const path = unit.id.replace(/\.[^./]+$/, '');
  const said = typeof own === 'string' && own.trim() !== '' ? own.trim() : path.replace(/^.*\//, '');
  const name = (run.documents.get(said) ?? unit.id) === unit.id ? said : path;
  run.documents.set(name, unit.id);
  return name;
}
