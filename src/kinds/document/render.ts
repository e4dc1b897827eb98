import { sharedSectionRepeats } from '../../generated/diagnostics.ts';
import type { Text } from '../../model/model.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import { groupBy } from '../../text/group.ts';
import { fewNames } from '../../text/names.ts';
import { plainText } from '../../text/traced.ts';
import { isForTarget } from '../audience.ts';
import { byTarget, type DocumentDraft } from '../draft.ts';
import type { NonEmpty, RenderContext } from '../kind.ts';
import type { OutputBase, WholeFile } from '../output.ts';
import { contentOf, firstDifference } from '../write/unite.ts';
import { renderDocument } from './text.ts';

/**
 * Renders a document once for all targets that share it. A file that is itself a source is kept unchanged.
 */
export function renderDocuments(
  wanted: NonEmpty<DocumentDraft>,
  base: OutputBase,
  rendering: RenderContext,
): WholeFile {
  const { model, settings, sourceAt, report } = rendering;
  const file = { kind: 'whole', ...base, executable: false, format: 'markdown' } as const;
  const source = sourceAt(base.path);
  if (source !== undefined) {
    // The plan compares it with the text that tools load.
    const { origin } = model.documents.find(document => document.origin?.file === source) ?? {};
    return { ...file, content: (origin?.text ?? '').replace(/\r\n/g, '\n') };
  }
  const drafts = byTarget(wanted);
  const [first] = drafts;
  const text = unite(drafts, base.path, rendering);
  if (first.file.of === 'instructions') reportRepeatedSections(base.path, drafts, report);
  return {
    ...file,
    ...contentOf(text, settings, `conventions/${first.request.convention}.yaml`),
    ...(first.file.of === 'local' && { private: true }),
  };
}

function unite(
  drafts: NonEmpty<DocumentDraft>,
  path: string,
  { model, settings, layouter, clashes }: RenderContext,
): Text {
  const groups = groupBy(drafts, layoutOf);
  const [one, ...others] = [...groups.values()].map(group => ({
    leader: group[0],
    text: renderDocument(group, model, settings, layouter(group[0].request.convention)),
  }));
  for (const { leader, text } of others) {
    const [left, right] = [plainText(one!.text), plainText(text)];
    if (left !== right) clashes.add(path, one!.leader, leader, firstDifference(left, right));
  }
  return one!.text;
}

/** A key for the options that change the layout; other options of sections only select them. */
function layoutOf({ file, request }: DocumentDraft): string {
  const { of, heading, frontmatter, sections: { list, titles, templates } = {} } = file;
  const options = [...request.options].filter(([name]) => usesOption(frontmatter, name));
  return JSON.stringify([request.convention, of, heading, frontmatter, list, titles, templates, options]);
}

function usesOption(rows: DocumentDraft['file']['frontmatter'], name: string): boolean {
  return (rows ?? []).some(row => row.when?.option === name);
}

function reportRepeatedSections(path: string, drafts: readonly DocumentDraft[], report: Report): void {
  if (drafts.length < 2) return;
  const keys = [...new Set(drafts.flatMap(draft => [...draft.lists.keys()]))];
  for (const key of keys) {
    const needed = drafts.filter(draft => draft.lists.has(key)).map(draft => draft.request.spec.id);
    const listed = drafts.flatMap(draft => draft.lists.get(key) ?? []);
    // Text that does not apply to a tool that reads it is reported elsewhere.
    const others = drafts
      .filter(
        ({ lists, request }) =>
          !lists.has(key) && listed.some(({ item }) => isForTarget(item.audience, request.spec)),
      )
      .map(({ request }) => request);
    const [first] = others;
    if (first)
      report(
        sharedSectionRepeats(
          {
            path,
            sections: key,
            needed: fewNames(needed),
            others: fewNames(others.map(({ spec }) => spec.id)),
          },
          { file: path, span: first.at },
        ),
      );
  }
}
