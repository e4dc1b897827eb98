/** Compiles a project of test/projects in memory and returns what every target would write. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emitInSteps } from '../../src/emit/emit.ts';
import { readRequest } from '../../src/emit/request.ts';
import { conventions } from '../../src/generated/conventions.ts';
import type { TargetConfig } from '../../src/generated/types/config.ts';
import { nodeDisk } from '../../src/host/disk.ts';
import type { Json, Omission, OutputFile, SharedFile } from '../../src/kinds/output.ts';
import type { EmitSettings, TargetRequest } from '../../src/kinds/request.ts';
import { buildModel } from '../../src/model/build.ts';
import type { Model } from '../../src/model/model.ts';
import { canonical } from '../../src/plan/canonical.ts';
import { collectOutputs, contentReader } from '../../src/plan/collect.ts';
import { loadFormat } from '../../src/plan/load-format.ts';
import { editShared } from '../../src/plan/shared-keys.ts';
import { projectRegistries } from '../../src/project/gather/registries.ts';
import { openProject } from '../../src/project/open/open.ts';
import { loadProgram } from '../../src/project/program.ts';
import type { CompileContext } from '../../src/project/session/world.ts';
import type { Program, SourceUnit } from '../../src/resolve/program.ts';
import { resolveProgram } from '../../src/resolve/resolve.ts';
import { builtinIds, builtinSpec } from '../../src/spec/load.ts';
import type { LoadedSpec } from '../../src/spec/spec.ts';
import { parseDocument } from '../../src/syntax/parse.ts';
import type { Diagnostic, Report } from '../../src/text/diagnostics/diagnostic.ts';
import { renderText } from '../../src/text/diagnostics/render-text.ts';
import { runToEnd } from '../../src/text/pieces.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** A file as it would be on disk. */
export interface TreeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  readonly format: OutputFile['format' & keyof OutputFile];
  readonly targets: readonly string[];
}

export interface Compiled {
  /** Sorted by path. */
  readonly files: readonly TreeFile[];
  readonly omissions: readonly Omission[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface Opened {
  readonly program: Program;
  readonly model: Model;
  /** Diagnostics of reading and resolving. */
  readonly diagnostics: readonly Diagnostic[];
}

interface Target {
  readonly loaded: LoadedSpec;
  readonly config?: TargetConfig;
}

/** Reads and resolves the project in the directory `at`. */
export async function openModel(at: string): Promise<Opened> {
  const diagnostics: Diagnostic[] = [];
  const report: Report = diagnostic => diagnostics.push(diagnostic);
  const context = {
    disk: nodeDisk,
    clock: () => new Date(0),
    cwd: at,
    environment: {},
    report,
    progress: () => {},
  } as CompileContext;
  const project = await openProject(context);
  if (!project) throw new Error(renderText(diagnostics));
  const registries = projectRegistries(project, { frozen: false }, context);
  const { program } = await loadProgram(project, project.loaded.config.input.entry, registries, context);
  const { guardRequiresDepth } = project.loaded.config.validation;
  return { program, model: buildModel(program, { guardRequiresDepth }, report), diagnostics };
}

/** Resolves one source text that references no other file. Throws on an error. */
export function resolveText(text: string): Opened {
  const diagnostics: Diagnostic[] = [];
  const report: Report = diagnostic => diagnostics.push(diagnostic);
  const document = parseDocument({ name: 'project.prs', text }, report);
  const layer = { reference: '@project', remote: false };
  const unit: SourceUnit = { kind: 'source', id: 'project.prs', layer, document, references: new Map() };
  const input = { units: new Map([[unit.id, unit]]), entryId: unit.id, env: () => undefined };
  const program = resolveProgram(input, report);
  const model = buildModel(program, { guardRequiresDepth: 3 }, report);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(renderText(errors));
  return { program, model, diagnostics };
}

let kitchenSink: Promise<Opened> | undefined;

/** The kitchen-sink project, read once per process. */
export function openKitchenSink(): Promise<Opened> {
  kitchenSink ??= openModel(join(root, 'test/projects/kitchen-sink'));
  return kitchenSink;
}

/** All built-in targets and versions, in order. */
export function allVersions(only: readonly string[] = []): { loaded: LoadedSpec; id: string; version: string }[] {
  return [...builtinIds()].sort().flatMap(id => {
    const loaded = builtinSpec(id)!;
    if (only.length > 0 && !only.includes(id)) return [];
    return Object.keys(loaded.spec.versions).map(version => ({ loaded, id, version }));
  });
}

/** A target with settings, as the configuration would request it. */
export function requestFor(
  loaded: LoadedSpec,
  config: TargetConfig,
  report: Report,
  build?: string,
): TargetRequest | undefined {
  const known = Object.keys(conventions.conventions);
  const context = {
    conventions: known,
    spanOf: () => undefined,
    ...(build !== undefined && { build }),
  };
  return readRequest(loaded, config, [], context, report);
}

/**
 * Emits targets of a model and returns the file tree. Shared files start empty. The bundled skill is left out unless
 * the settings include it.
 */
export async function compileModel(
  model: Model,
  targets: readonly Target[],
  settings: Partial<EmitSettings> = {},
): Promise<Compiled> {
  const diagnostics: Diagnostic[] = [];
  const report: Report = diagnostic => diagnostics.push(diagnostic);
  const requests = targets.flatMap(({ loaded, config = {} }) => requestFor(loaded, config, report, settings.build) ?? []);
  const { files, omissions } = runToEnd(
    emitInSteps(
      model,
      requests,
      { conventions, customConventions: new Map(), baseDir: '', universalDir: '.agents', ...settings },
      report,
    ),
  );
  const contentOf = contentReader();
  const { outputs } = collectOutputs(files, { ...places, contentOf }, report);
  const tree: TreeFile[] = [];
  for (const output of outputs.values()) {
    const { path, targets: ids, format } = output;
    const bytes = output.kind === 'whole' ? contentOf(output) : new TextEncoder().encode(await sharedText(output));
    const executable = output.kind === 'whole' && output.executable;
    tree.push({ path, bytes, executable, format, targets: ids } as TreeFile);
  }
  tree.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files: tree, omissions, diagnostics };
}

/** A disk without links, sources and generated files. */
const places = { followLinks: (path: string) => ({ path, end: path }), isSource: () => false, owned: new Map(), present: () => undefined };

const hash = (value: Json) => createHash('sha256').update(canonical(value)).digest('hex');

export async function sharedText(file: SharedFile): Promise<string> {
  const format = await loadFormat(file.format);
  const start = format.parse('');
  if ('problem' in start) throw new Error(`${file.path}: ${start.problem}`);
  return editShared(format, undefined, start.value, file.edits, {}, hash).text;
}

export const textOf = ({ bytes }: Pick<TreeFile, 'bytes'>): string => new TextDecoder().decode(bytes);
