import { join } from 'node:path';
import { importEmpty } from '../../generated/diagnostics.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { importFile } from '../../import/import.ts';
import { recognise } from '../../import/recognise.ts';
import type { MappedBlock } from '../../kinds/document/read/map.ts';
import type { ImportedFile } from '../../migrate/migration.ts';
import { blockOfText } from '../../migrate/pieces.ts';
import type { Compiling, WithReport } from '../../session/world.ts';
import { compareCode } from '../../text/order.ts';
import { sharedDir } from '../../text/places.ts';
import { type Known, knownSpecs } from '../open/known-specs.ts';
import { projectRoot } from '../open/root.ts';
import { findInstructionFiles } from './instruction-files.ts';

/** The instruction files of a project. */
export interface ReadFiles extends Known {
  readonly root: string;
  readonly config?: string;
  readonly found: readonly ImportedFile[];
  /** Paths of links to files that were read under another name. */
  readonly links: readonly string[];
  /** What folders have for themselves, unread. */
  readonly inner: readonly string[];
}

/** Reads all instruction files of the project; what cannot be read is reported and left out. */
export async function readAll(
  options: { readonly files: readonly string[] },
  context: Compiling,
): Promise<ReadFiles> {
  const place = projectRoot(context);
  const { specs, custom, universalDir } = await knownSpecs(context);
  const found: ImportedFile[] = [];
  const wanted = { specs, universalDir: sharedDir(universalDir), only: options.files };
  const { files, links, inner } = findInstructionFiles(place.root, wanted, context);
  // Shallow files speak first: they are about the whole project.
  const depths = new Map(files.map(path => [path, depthOf(path, wanted)]));
  const known: MappedBlock[] = [];
  for (const path of [...files].sort((a, b) => depths.get(a)! - depths.get(b)! || compareCode(a, b))) {
    const bytes = context.disk.readBytes(join(place.root, path));
    if (!bytes) continue;
    // A settings file without anything of ours in it is no finding when a whole project is read.
    const imported = await importFile(
      { path, bytes, specs, universalDir: wanted.universalDir, inPlace: text => blockOfText(text, known) },
      isStructured(path) ? quietly(context) : withoutEmpty(context),
    );
    if (!imported) continue;
    found.push({ path, imported, text: new TextDecoder().decode(bytes) });
    known.push(...imported.parts);
  }
  return { ...place, specs, custom, found, links, inner, universalDir };
}

function depthOf(
  path: string,
  { specs, universalDir }: { readonly specs: readonly TargetSpec[]; readonly universalDir: string },
): number {
  const scope = recognise(path, specs, universalDir)?.scope ?? '';
  return scope === '' ? 0 : scope.split('/').length;
}

/** Whether a file is data by its ending. */
export const isStructured = (path: string): boolean => /\.(?:json|jsonc|toml|ya?ml)$/i.test(path);

const quietly =
  ({ report }: WithReport): WithReport['report'] =>
  diagnostic => {
    if (diagnostic.severity !== 'error') report(diagnostic);
  };

/** A file without a text says nothing to anybody. */
const withoutEmpty =
  ({ report }: WithReport): WithReport['report'] =>
  diagnostic => {
    if (diagnostic.code !== emptyCode) report(diagnostic);
  };

const emptyCode = importEmpty({ path: '' }, {}).code;
