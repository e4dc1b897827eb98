import { join } from 'node:path';
import { migratedExists } from '../../generated/diagnostics.ts';
import { foreignSources } from '../../generated/foreign.ts';
import type { ForeignSource } from '../../generated/types/foreign.ts';
import { dataFormatOf, parseData } from '../../kinds/read/parse-data.ts';
import {
  type ConversionRequest,
  type ConvertedFile,
  convertForeign,
  isOwnPath,
  isWrittenIn,
} from '../../migrate/foreign/convert.ts';
import type { UnreplacedFile } from '../../migrate/takeover.ts';
import type { Data } from '../../model/model.ts';
import { pathOptions } from '../../spec/item-places.ts';
import { resolveTargetName } from '../../spec/load.ts';
import { isObject } from '../../text/data.ts';
import { findFrontMatter } from '../../text/front-matter.ts';
import { compileGlobs } from '../../text/globs.ts';
import { isMarkdownPath, sharedDir } from '../../text/places.ts';
import { adoptProject } from '../adopt/adopt.ts';
import { toolFolders } from '../adopt/tool-folders.ts';
import { detectProject } from '../init/detect.ts';
import { knownSpecs } from '../open/known-specs.ts';
import { projectRoot } from '../open/root.ts';
import { listAllFiles } from '../project-files.ts';
import type { CompileContext, WithDisk } from '../session/world.ts';
import { withSources, writeSources } from '../write/write-sources.ts';
import { stateOf } from './planned-sources.ts';
import { type CheckedConversion, checkConversion } from './settle-foreign.ts';

export interface ForeignOutcome extends Omit<CheckedConversion, 'stillRead' | 'outputs'> {
  readonly stillRead: readonly (UnreplacedFile & { readonly isOutput: boolean })[];
  /** Files that people wrote next to the sources of the other compiler. They become sources of ours. */
  readonly adopted: readonly string[];
  readonly root: string;
  readonly title: string;
}

/** How to convert. By default, the name is that of the folder and the tools are those of the other compiler. */
export interface ConversionOptions {
  readonly dryRun: boolean;
  readonly name?: string;
  readonly targets?: readonly string[];
  readonly registry?: string;
}

/**
 * The other compiler whose sources a project without a configuration of ours has, if they are not empty, and the tools
 * that it writes for.
 */
export async function foreignSourceOf(
  context: CompileContext,
): Promise<{ readonly source: ForeignSource; readonly targets: readonly string[] } | undefined> {
  const { root, config } = projectRoot(context);
  if (config !== undefined) return undefined;
  const top = (context.disk.list(root) ?? []).map(({ name }) => name);
  for (const source of foreignSources) {
    if (!isWrittenIn(source, top)) continue;
    const request = await conversionOf(source, {}, { ...context, report: () => {} });
    const { hasContent, targets } = await convertForeign(request);
    if (hasContent) return { source, targets };
  }
  return undefined;
}

/**
 * Converts the sources of another compiler. Its outputs are not read, and no existing file is changed. Returns
 * `undefined`, after reporting, when an existing source of ours blocks the conversion.
 */
export async function convertProject(
  source: ForeignSource,
  wanted: ConversionOptions,
  context: CompileContext,
): Promise<ForeignOutcome | undefined> {
  const { report } = context;
  const { root } = projectRoot(context);
  const request = await conversionOf(source, wanted, context);
  const plain = await convertForeign(request);
  const { specs } = await knownSpecs(context);
  const read = new Set(plain.converted);
  const paths = filesBelow(root, context).filter(path => !read.has(path) && !isOwnPath(source, path));
  const { outputs, ...settled } = await checkConversion(plain, request, root, paths, specs, context);
  const marks = (source.texts ?? []).flatMap(({ unlessSays }) => unlessSays ?? []);
  const isOutput = await outputFinder(settled.files, outputs, marks, root, context);
  const isNamed = compileGlobs(source.outputs ?? []);
  const named = paths.filter(path => isNamed(path) && !outputs.has(path));
  const stillRead = await Promise.all(
    withPaths(settled.stillRead, named).map(async file => ({
      ...file,
      isOutput: isNamed(file.path) || (await isOutput(file.path)),
    })),
  );
  const converted = await withHandWritten({ ...settled, stillRead }, root, context);
  const isOfTool = toolFolders(
    specs.filter(({ id }) => settled.targets.includes(id)),
    sharedDir(undefined),
  );
  const listed = [...converted.left, ...converted.stillRead].map(({ path }) => path);
  const handled = new Set([...outputs.keys(), ...converted.adopted, ...listed]);
  const remaining = paths.filter(path => isOfTool(path) && !handled.has(path));
  const taken = converted.files.find(file => stateOf(file, root, context) === 'changed');
  if (taken) {
    report(migratedExists({ path: taken.path }, { file: taken.path }));
    return undefined;
  }
  if (!wanted.dryRun && !(await writeSources(root, converted.files, context))) return undefined;
  const left = [...converted.left, ...remaining.map(path => ({ path, reason: 'nothing replaces it' }))];
  return { ...converted, left, root, title: source.title };
}

/** Adds files of which no spec says that a tool reads them. */
const withPaths = (files: readonly UnreplacedFile[], paths: readonly string[]): UnreplacedFile[] => [
  ...files,
  ...paths.filter(path => files.every(file => file.path !== path)).map(path => ({ path, tools: [] })),
];

/**
 * A test whether a file is an output of the other compiler: a text that contains one of the converted texts or marks,
 * or data of which one planned output repeats every key, string and number.
 */
async function outputFinder(
  files: readonly ConvertedFile[],
  outputs: ReadonlyMap<string, Uint8Array>,
  marks: readonly string[],
  root: string,
  { disk }: WithDisk,
): Promise<(path: string) => Promise<boolean>> {
  const textOf = (text: string) => text.slice(findFrontMatter(text)?.bodyStart ?? 0).trim();
  const bodies = files.flatMap(({ path, text }) => {
    const body = isMarkdownPath(path) && typeof text === 'string' ? textOf(text) : '';
    return body === '' ? [] : [body];
  });
  const decoder = new TextDecoder();
  const planned: ReadonlySet<string>[] = [];
  for (const [path, content] of outputs) {
    const strings = await stringsOf(path, decoder.decode(content));
    if (strings) planned.push(strings);
  }
  return async path => {
    const text = decoder.decode(disk.readBytes(join(root, path))).replaceAll('\r\n', '\n');
    if ([...marks, ...bodies].some(part => text.includes(part))) return true;
    const strings = await stringsOf(path, text);
    return (
      strings !== undefined &&
      strings.size > 0 &&
      planned.some(one => [...strings].every(part => one.has(part)))
    );
  };
}

/** Keys, strings and numbers of a data file; `undefined` for other files and for data with a syntax error. */
async function stringsOf(path: string, text: string): Promise<ReadonlySet<string> | undefined> {
  const format = dataFormatOf(path);
  if (format === undefined) return undefined;
  const parsed = await parseData(text, format);
  if ('problem' in parsed) return undefined;
  const found = new Set<string>();
  const collect = (data: Data): void => {
    if (typeof data === 'string' || typeof data === 'number') found.add(String(data));
    else if (Array.isArray(data)) data.forEach(collect);
    else if (isObject(data))
      for (const [key, value] of Object.entries(data)) {
        found.add(key);
        collect(value);
      }
  };
  collect(parsed.data);
  return found;
}

/** The conversion, together with the files that people wrote next to the sources, which are adopted unchanged. */
async function withHandWritten(
  converted: Omit<ForeignOutcome, 'root' | 'title' | 'adopted'>,
  root: string,
  context: CompileContext,
): Promise<Omit<ForeignOutcome, 'root' | 'title'>> {
  const files = converted.stillRead.flatMap(({ path, isOutput }) => (isOutput ? [] : [path]));
  if (files.length === 0 || converted.errors.length > 0) return { ...converted, adopted: [] };
  const disk = withSources(converted.files, root, context.disk);
  const outcome = await adoptProject(
    { dryRun: true, files, conflictsStay: true },
    { ...context, disk, report: () => {} },
  );
  if (!outcome) return { ...converted, adopted: [] };
  const adopted = outcome.adoption.adopted.map(({ path }) => path);
  const changed = new Map(outcome.files.map(file => [file.path, file]));
  const kept = converted.files.filter(({ path }) => !changed.has(path));
  return {
    ...converted,
    adopted,
    files: [...kept, ...changed.values()],
    stillRead: converted.stillRead.filter(({ path }) => !adopted.includes(path)),
  };
}

async function conversionOf(
  source: ForeignSource,
  { name, targets, registry }: Omit<ConversionOptions, 'dryRun'>,
  context: CompileContext,
): Promise<ConversionRequest> {
  const { disk, report } = context;
  const { root } = projectRoot(context);
  const { custom, specs } = await knownSpecs(context, report);
  const paths = filesBelow(root, context);
  const optionsOf = (id: string) => {
    const spec = specs.find(one => one.id === id);
    return spec ? pathOptions(spec, path => paths.includes(path)) : new Map<string, string>();
  };
  return {
    source,
    name: name ?? (await detectProject(disk, root)).name,
    optionsOf,
    files: {
      paths,
      bytesOf: path => disk.readBytes(join(root, path)),
      isExecutable: path => disk.stat(join(root, path))?.executable === true,
    },
    resolve: one => resolveTargetName(one, custom),
    targets,
    registry,
  };
}

/** Files of the project including ignored ones, because many projects do not commit generated files. */
const filesBelow = (root: string, { disk }: WithDisk): string[] =>
  listAllFiles(root, disk).flatMap(({ path }) => (path.startsWith('.instr/') ? [] : [path]));
