import { conventions } from '../../generated/conventions.ts';
import type { DocumentFile, Sections } from '../../generated/types/target.ts';
import type { DataPath } from '../../text/yaml.ts';
import { fieldsAt, type Lint, type Linter, lintRows, lintWhen, unknown } from '../lint/lint.ts';

/** Checks entries of the kind `document`. */
export const linter: Linter<DocumentFile> = {
  placeholders: [],
  shares: 'nothing',
  lint: (file, at, lint) => {
    lintRows(lint, [...at, 'frontmatter'], file.frontmatter ?? [], fieldsAt(file));
    if (file.sections) lintSections(lint, [...at, 'sections'], file.sections);
  },
};

/** Sections, lists and templates that the catalogue does not have. */
function lintSections(lint: Lint, at: DataPath, sections: Sections): void {
  const { lists, sections: known } = conventions.catalogue;
  const keys = Object.keys(known);
  if (sections.list !== undefined && !Object.hasOwn(lists, sections.list))
    unknown(lint, [...at, 'list'], 'section list', sections.list, Object.keys(lists));
  for (const part of ['titles', 'templates'] as const) {
    for (const key of Object.keys(sections[part] ?? {}))
      if (!keys.includes(key)) unknown(lint, [...at, part, key], 'section', key, keys);
  }
  for (const [index, entry] of (sections.replace ?? []).entries()) {
    for (const part of ['section', 'with'] as const)
      if (!keys.includes(entry[part]))
        unknown(lint, [...at, 'replace', index, part], 'section', entry[part], keys);
    lintWhen(lint, [...at, 'replace', index, 'when'], entry.when);
  }
}
