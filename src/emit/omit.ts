import { textOf } from '../kinds/omissions.ts';
import { proseText } from '../kinds/write/prose-text.ts';
import { type Collection, type Item, isComputed } from '../model/model.ts';
import { plain } from '../text/traced.ts';
import { isReadAsWritten } from './pinned.ts';
import type { TargetPlan } from './target-plan.ts';

/** The fields that the template of a section shows of an item. */
const shownInSection: ReadonlySet<string> = new Set(['title', 'description', 'content', 'globs']);

/** Adds the omissions of the fields of an item that a section of the main document does not show. */
export function omitBesideSection(
  item: Item,
  collection: Collection,
  { request, omissions }: TargetPlan,
): void {
  const why = `The section in the main file of ${request.spec.id} shows name, description and content only.`;
  for (const [field, value] of item.fields)
    if (!isComputed(item, field) && !shownInSection.has(field))
      omissions.add(`${item.path}.${field}`, textOf(value), why);
  for (const [field, value] of item.extra ?? []) omissions.add(`${item.path}.${field}`, textOf(value), why);
  for (const [field, value] of item.native ?? [])
    omissions.add(`${item.path}.${field}`, textOf(value), omissions.adviceFor(collection, field, value));
  for (const resource of item.resources)
    omissions.add(`${item.path}/${resource.path}`, resource.path, omissions.adviceFor(collection));
}

/** Omits the own name of a guard that is written as something else. */
export function omitName({ name, fields, path }: Item, { omissions }: TargetPlan): void {
  const own = fields.get('name');
  if (own === undefined || own === name) return;
  const why = 'Where it becomes a skill or a command it has the name of its entry.';
  omissions.add(`${path}.name`, textOf(own), why);
}

/** Omits what is in no document: prose of a target without a main file, fields of documents, and unplaced texts. */
export function omitRest(plan: TargetPlan): [] {
  const { model, omissions, placesOf, document } = plan;
  if (placesOf('instructions').length === 0) omitProse(plan);
  if (placesOf('local').length === 0 && document.local.length > 0)
    omissions.add('local', proseText(document.local), omissions.adviceFor('local'));
  for (const text of document.texts) {
    if (isReadAsWritten(text, model.documents, plan.request.spec)) continue;
    for (const [field, value] of text.fields)
      omissions.add(`${text.path}.${field}`, textOf(value), omissions.adviceFor('documents', field, value));
  }
  for (const { path, text, advice } of model.unplaced) omissions.add(path, text, advice);
  return [];
}

function omitProse({ document: { texts, sections }, omissions, lists }: TargetPlan): void {
  const advice = omissions.adviceFor('instructions');
  for (const { path } of [...texts, ...sections]) omissions.leftOut.set(path, advice);
  for (const { path, text } of texts) omissions.add(path, plain(text), advice);
  for (const { path, title, content } of sections)
    omissions.add(
      path,
      [...(title === undefined ? [] : [plain(title)]), proseText(content)].join('\n'),
      advice,
    );
  for (const listed of lists.values()) for (const { item } of listed) omissions.item(item, 'instructions');
}
