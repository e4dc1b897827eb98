import type { ConfiguredTool } from '../../migrate/config-text.ts';
import { useOf } from '../../migrate/foreign/entry.ts';
import { block, documentOf, field, str, use } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { newestSyntax } from '../../text/version.ts';
import type { Adoption } from './adoption.ts';

/** The tools of the configuration: each with the skills that it has, and options by which it writes where its files are. */
export const configuredTools = ({ targets }: Adoption): readonly ConfiguredTool[] =>
  targets.map(({ spec, skills, options = new Map() }) => ({
    id: spec.id,
    options: {
      ...Object.fromEntries(options),
      ...(skills && { includeSkills: skills.length > 0 && skills }),
    },
  }));

/** The references of the entry: each document with its places and the tools that read it there, then blocks. */
export function entryUses({ documents, targets, brought }: Adoption): ReturnType<typeof use>[] {
  return [...documentUses({ documents, targets }), ...brought.map(one => useOf(one))];
}

function documentUses({
  documents,
  targets,
}: Pick<Adoption, 'documents' | 'targets'>): ReturnType<typeof use>[] {
  return documents.flatMap(({ source, places, targets: readers }) =>
    places.map(into =>
      use(`./${source.replace(/^\.instr\//, '')}`, {
        into,
        ...(readers.length < targets.length && { targets: readers.map(({ id }) => id) }),
      }),
    ),
  );
}

/** An entry that says nothing but where each text stands. */
export function entryText(name: string, adoption: Adoption): string {
  const meta = block('meta', [field('id', str(name)), field('syntax', str(newestSyntax))]);
  return printDocument(documentOf([meta, ...entryUses(adoption)]));
}
