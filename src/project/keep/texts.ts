import { useOf } from '../../migrate/foreign/entry.ts';
import { lenientText } from '../../migrate/lenient.ts';
import { block, documentOf, field, str, use } from '../../syntax/build.ts';
import { printDocument } from '../../syntax/print.ts';
import { newestSyntax } from '../../text/version.ts';
import { registryText } from '../init/init-texts.ts';
import type { Keeping, KeptTarget } from './keeping.ts';

const quote = (text: string) => JSON.stringify(text);

/** The configuration: the tools in use, each text once, and no skill of ours among those that are there. */
export function keepingConfig(
  {
    name,
    registry,
    discovers,
  }: { readonly name: string; readonly registry: string | undefined; readonly discovers: boolean },
  { targets }: Keeping,
  lenient: ReadonlySet<string>,
): string {
  return [
    '# What is compiled, and for which assistants. `prs targets` lists them.',
    `id: ${quote(name)}`,
    `syntax: ${quote(newestSyntax)}`,
    'targets:',
    ...targets.map(targetLine),
    'output:',
    '  # One main file for all tools that read it.',
    '  layout: once',
    '# The skill that teaches this language; `true` adds it to the skills of every tool.',
    'includeInstrSkill: false',
    ...(discovers
      ? []
      : [
          '# Commands and skills of `.agents` are those of the tools that read them there.',
          'universalDir: false',
        ]),
    ...(registry === undefined ? [] : registryText(registry)),
    ...lenientText(lenient),
    '',
  ].join('\n');
}

function targetLine({ spec, skills, options }: KeptTarget): string {
  const fields = [
    ...[...(options ?? [])].map(([name, value]) => `${name}: ${value}`),
    ...(skills === undefined
      ? []
      : [`includeSkills: ${skills.length === 0 ? 'false' : `[${skills.map(quote).join(', ')}]`}`]),
  ];
  return fields.length === 0 ? `  - ${spec.id}` : `  - ${spec.id}: { ${fields.join(', ')} }`;
}

/** The references of the entry: each document with its places and the tools that read it there, then blocks. */
export function keepingUses({ documents, targets, brought }: Keeping): ReturnType<typeof use>[] {
  return [...documentUses({ documents, targets }), ...brought.map(one => useOf(one))];
}

function documentUses({
  documents,
  targets,
}: Pick<Keeping, 'documents' | 'targets'>): ReturnType<typeof use>[] {
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
export function keepingEntry(name: string, keeping: Keeping): string {
  const meta = block('meta', [field('id', str(name)), field('syntax', str(newestSyntax))]);
  return printDocument(documentOf([meta, ...keepingUses(keeping)]));
}
