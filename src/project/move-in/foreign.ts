import { join } from 'node:path';
import { migratedExists } from '../../generated/diagnostics.ts';
import { foreignSources } from '../../generated/foreign.ts';
import type { ForeignSource } from '../../generated/types/foreign.ts';
import { registryText } from '../../migrate/config-text.ts';
import {
  type Converted,
  type ConvertedFile,
  convertForeign,
  isWrittenIn,
} from '../../migrate/foreign/convert.ts';
import type { Compiling, WithDisk } from '../../session/world.ts';
import { resolveTargetName } from '../../spec/load.ts';
import { detectProject } from '../init/detect.ts';
import { knownSpecs } from '../open/known-specs.ts';
import { projectRoot } from '../open/root.ts';
import { writeSources } from '../write/write-sources.ts';
import { type Settled, settleConverted } from './settle-foreign.ts';

/** What became of the sources of another compiler. */
export interface ForeignOutcome extends Settled {
  readonly root: string;
  /** The product whose sources were read. */
  readonly title: string;
}

/** How to convert: absent, the name is that of the folder and the tools those of the other compiler. */
export interface Wanted {
  readonly dryRun: boolean;
  readonly name?: string;
  readonly targets?: readonly string[];
  readonly registry?: string;
}

/** The sources of another compiler that a project is written in, if it is and has no configuration of ours. */
export function foreignSourceOf(context: Compiling): ForeignSource | undefined {
  const { root, config } = projectRoot(context);
  if (config !== undefined) return undefined;
  const top = (context.disk.list(root) ?? []).map(({ name }) => name);
  return foreignSources.find(source => isWrittenIn(source, top));
}

/**
 * Converts the sources of another compiler into ours. What it generated is no input, and nothing that is there is
 * changed. `undefined` after reporting when a source of ours is in the way.
 */
export async function convertProject(
  source: ForeignSource,
  wanted: Wanted,
  context: Compiling,
): Promise<ForeignOutcome | undefined> {
  const { disk, report } = context;
  const { root } = projectRoot(context);
  const plain = await planConversion(source, wanted, context);
  const { specs } = await knownSpecs(context);
  const isSource = (path: string) => source.detect.some(one => `/${path}/`.includes(`/${one}/`));
  const read = new Set(plain.taken);
  const paths = filesBelow(root, context).filter(path => !read.has(path) && !isSource(path));
  const converted = await settleConverted(plain, { root, paths, specs }, context);
  const differs = (file: ConvertedFile) => {
    const present = disk.readBytes(join(root, file.path));
    const made = typeof file.text === 'string' ? new TextEncoder().encode(file.text) : file.text;
    return present !== undefined && Buffer.compare(present, made) !== 0;
  };
  const taken = converted.files.find(differs);
  if (taken) {
    report(migratedExists({ path: taken.path }, { file: taken.path }));
    return undefined;
  }
  if (!wanted.dryRun && !(await writeSources(root, converted.files, context))) return undefined;
  return { ...converted, root, title: source.title };
}

/** What a conversion would write, before it is tried out. */
export async function planConversion(
  source: ForeignSource,
  { name, targets, registry }: Omit<Wanted, 'dryRun'>,
  context: Compiling,
): Promise<Converted> {
  const { disk, report } = context;
  const { root } = projectRoot(context);
  const { custom } = await knownSpecs(context, report);
  const files = {
    paths: filesBelow(root, context),
    bytesOf: (path: string) => disk.readBytes(join(root, path)),
    isExecutable: (path: string) => disk.stat(join(root, path))?.executable === true,
  };
  const id = name ?? (await detectProject(disk, root)).name;
  const converted = await convertForeign(source, id, files, one => resolveTargetName(one, custom), targets);
  if (registry === undefined) return converted;
  const added = ['', ...registryText(registry), ''].join('\n');
  return {
    ...converted,
    files: converted.files.map(file =>
      file.path === 'instr.yaml' ? { ...file, text: `${String(file.text).trimEnd()}${added}` } : file,
    ),
  };
}

/** Folders of programs; nothing in them belongs to the project. */
const closed = new Set(['node_modules', '.git', '.hg', '.svn', '.venv', '__pycache__', '.instr']);

const most = 100_000;

function filesBelow(root: string, { disk }: WithDisk): string[] {
  const found: string[] = [];
  for (let level = ['']; level.length > 0; ) {
    const next: string[] = [];
    for (const folder of level) {
      for (const { name, kind } of disk.list(join(root, folder)) ?? []) {
        const path = folder === '' ? name : `${folder}/${name}`;
        const real = kind === 'link' ? disk.stat(join(root, path))?.kind : kind;
        if (kind === 'directory' && !closed.has(name)) next.push(path);
        else if (real === 'file' && found.length < most) found.push(path);
      }
    }
    level = next;
  }
  return found.sort();
}
