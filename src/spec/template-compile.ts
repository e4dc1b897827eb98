import type { TemplateSection } from './template.ts';
import { checkTemplate, isEmpty, TemplateProblem, templateHelpers } from './template-check.ts';
import { hasMarks } from './template-marks.ts';
import { belowContent, fieldsIn, labelledField, type Program, type Statement } from './template-tree.ts';

/**
 * What templates are compiled with: texts are not HTML, names are fields or the helpers of templates and nothing else,
 * also not the helpers that Handlebars brings along.
 */
export const compileOptions = {
  noEscape: true,
  knownHelpersOnly: true,
  knownHelpers: {
    ...Object.fromEntries(
      ['helperMissing', 'blockHelperMissing', 'with', 'log', 'lookup'].map(name => [name, false]),
    ),
    ...Object.fromEntries(templateHelpers.map(name => [name, true])),
  } as Record<string, boolean> & CompileOptions['knownHelpers'],
};

/** Templates come from repositories that nobody has to trust. */
const mostTags = 500;

/** A template that was read and checked, with its sections before they are compiled. */
export interface ReadTemplate {
  readonly tree: Program;
  readonly uses: readonly string[];
  readonly sections: readonly TemplateSection<hbs.AST.Program>[];
}

/** Reads a template with the parser of Handlebars. Throws when it is malformed (`templateProblem`). */
export function readTemplate(text: string, { parse }: Pick<typeof Handlebars, 'parse'>): ReadTemplate {
  if (hasMarks(text))
    throw new TemplateProblem('it has the character U+FDD0 or U+FDD1, which no text may have');
  // Handlebars takes seconds for thousands of blocks in each other.
  if (text.split('{{').length > mostTags) throw new TemplateProblem(`it has more than ${mostTags} {{…}}`);
  const parsed = parse(text);
  const tree = checkTemplate(parsed);
  const body = parsed.body.filter(node => !isEmpty(node));
  return { tree, uses: fieldsIn(tree), sections: sectionsOf(parsed, body, tree) };
}

/** Statements that follow each other are one section, but for labelled parts below the content. */
function sectionsOf(
  parsed: hbs.AST.Program,
  body: readonly hbs.AST.Statement[],
  tree: Program,
): TemplateSection<hbs.AST.Program>[] {
  const below = belowContent(tree);
  const sections: { field?: string; body: hbs.AST.Statement[] }[] = [];
  body.forEach((node, at) => {
    const field = at >= below ? labelledField(tree.body[at] as Statement) : undefined;
    const last = sections.at(-1);
    if (field !== undefined) sections.push({ field, body: [node] });
    else if (last && last.field === undefined) last.body.push(node);
    else sections.push({ body: [node] });
  });
  return sections.map(({ body, ...section }) => ({ ...section, code: { ...parsed, body } }));
}
