import { conventions } from '../../generated/conventions.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { collections } from '../../model/collections.ts';
import { usedOptions } from '../../spec/expand.ts';
import { type ReportProblem, reportUnknown } from '../../spec/shared-parts.ts';
import { partOf } from '../../spec/spec.ts';
import type { Template } from '../../spec/template.ts';
import { fieldsOf } from '../../spec/vocabulary.ts';
import type { DataPath } from '../../text/yaml.ts';
import { portableEvents } from '../lint.ts';

/** Keys of `omits` besides collections: documents. */
const documents = ['instructions', 'local'];

/** Reports keys of `omits` for things that cannot be omitted, because nobody would see their text. */
export function lintOmits(spec: TargetSpec, fault: ReportProblem): void {
  const known = [...collections, ...documents];
  for (const key of Object.keys(spec.omits ?? {})) {
    const [collection, ...rest] = key.split('.') as [string, ...string[]];
    if (!known.includes(collection)) {
      reportUnknown(fault, ['omits', key], 'capability', collection, known, 'key');
      continue;
    }
    const field = rest.join('.');
    const fields = [...(fieldsOf(collection) ?? []), ...(collection === 'hooks' ? portableEvents() : [])];
    if (rest.length === 0 && Object.values(spec.files).some(file => partOf(file) === collection))
      fault(
        ['omits', key],
        `"${key}" has a place under \`files\`: what is said of all of it would be shown with single parts`,
        `Name the part, such as \`${collection}.${fields[0] ?? 'content'}\`; versions that write it are named by themselves.`,
        'key',
      );
    if (rest.length > 0 && !fields.includes(field))
      reportUnknown(fault, ['omits', key], `part of ${collection}`, field, fields, 'key');
  }
}

/** Reports options that no path, condition or slot uses. */
export function lintUnusedOptions(spec: TargetSpec, fault: ReportProblem): void {
  const used = usedOptions(spec.files);
  for (const name of Object.keys(spec.options ?? {})) {
    if (!used.has(name))
      fault(
        ['options', name],
        `nothing uses the option "${name}"`,
        'Use it in a `when`, a path or a slot, or remove it.',
      );
  }
}

/** The fields of the view for a section template. */
const sectionView = ['title', 'content', 'items', 'name', 'description', 'globs', 'path'];

/**
 * Reports fields in a template of the spec that the view does not have; Handlebars would print nothing for
 * them.
 */
export function lintTemplate(
  spec: TargetSpec,
  place: string,
  path: DataPath,
  template: Template,
  fault: ReportProblem,
): void {
  const file = spec.files[place.slice('body:'.length)];
  const part = file && partOf(file);
  const known = place.startsWith('body:') ? part && fieldsOf(part) : sectionView;
  for (const name of template.uses)
    if (known && !known.includes(name)) reportUnknown(fault, path, 'field', name, known);
}

/** Reports a convention that is not built in. */
export function lintConvention(spec: TargetSpec, fault: ReportProblem): void {
  const known = Object.keys(conventions.conventions);
  if (spec.convention !== undefined && !known.includes(spec.convention))
    reportUnknown(fault, ['convention'], 'convention', spec.convention, known);
}
