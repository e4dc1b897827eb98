import { join } from 'node:path';
import type { ConfiguredTool } from '../../migrate/config-text.ts';
import { useOf } from '../../migrate/foreign/entry.ts';
import type { UseDeclaration } from '../../syntax/ast.ts';
import { use } from '../../syntax/build.ts';
import { entryPath, markdownEntryPath } from '../../text/places.ts';
import { configPath, entryWith } from '../move-in/planned-sources.ts';
import type { WithDisk, WithReport } from '../session/world.ts';
import type { SourceFile } from '../write/write-sources.ts';
import type { Adoption } from './adoption.ts';

/**
 * The only text of a project as its entry: if every tool gets it at its default path, a text and a configuration are
 * sufficient. `undefined` when several texts, or blocks, must be named.
 */
export function asSingleEntry(adoption: Adoption, root: string, { disk }: WithDisk): Adoption | undefined {
  const [document, ...more] = adoption.documents;
  if (!document || more.length + adoption.references.length > 0) return undefined;
  const isForAll = adoption.targets.every(({ spec }) => document.targets.includes(spec));
  const head = new TextDecoder('utf-8', { ignoreBOM: true }).decode(document.bytes.slice(0, 8));
  const isPlain = !/^(?:\ufeff|---)/.test(head);
  if (!isForAll || !isPlain || disk.lstat(join(root, entryPath)) !== undefined) return undefined;
  const renamed = (path: string) => (path === document.source ? markdownEntryPath : path);
  return {
    ...adoption,
    isOneText: true,
    documents: [{ ...document, source: markdownEntryPath }],
    sources: adoption.sources.map(source => ({ ...source, path: renamed(source.path) })),
    adopted: adoption.adopted.map(one => ({ ...one, source: renamed(one.source) })),
  };
}

/** Sources, entry and configuration. Returns `undefined`, after reporting, when an existing entry cannot be read. */
export function allFiles(
  adoption: Adoption,
  name: string,
  root: string,
  config: string | undefined,
  context: WithDisk & WithReport,
): readonly SourceFile[] | undefined {
  const entry = adoption.isOneText ? [] : entryWith(referencesOf(adoption), name, root, context);
  const configuration = config === undefined ? [] : { path: configPath, text: config };
  return entry && [...adoption.sources, entry, configuration].flat();
}

const referencesOf = ({ documents, targets, references }: Adoption): UseDeclaration[] => [
  ...documents.flatMap(({ source, places, targets: readers }) =>
    places.map(into =>
      use(`./${source.replace(/^\.instr\//, '')}`, {
        into,
        ...(readers.length < targets.length && { targets: readers.map(({ id }) => id) }),
      }),
    ),
  ),
  ...references.map(one => useOf(one)),
];

/** The tools of the configuration, each with its skills and the options for its existing paths. */
export const configuredTools = ({ targets }: Adoption): readonly ConfiguredTool[] =>
  targets.map(({ spec, skills, options = new Map() }) => ({
    id: spec.id,
    options: {
      ...Object.fromEntries(options),
      ...(skills && { includeSkills: skills.length > 0 && skills }),
    },
  }));
