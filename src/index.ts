/**
 * The compiler as a library: values in, values out. Nothing here reads or writes a disk, asks the network or looks at
 * the clock; the files of a project come in as an object, and what `prs compile` would write goes out as a list.
 */

import type { File, Omission, Target } from './generated/types/report.ts';
import type { MemoryFile } from './host/memory.ts';
import type { PlanEntry } from './plan/plan.ts';
import { compileProject } from './project/compile.ts';
import { listTargets } from './project/open/targets.ts';
import { givenWorld } from './project/session/given.ts';
import type { CompileContext } from './project/session/world.ts';
import { validateProject } from './project/validate.ts';
import type { Document } from './syntax/ast.ts';
import { decodeSource } from './syntax/decode.ts';
import { parseDocument } from './syntax/parse.ts';
import { printDocument } from './syntax/print.ts';
import { decodeText } from './text/bytes.ts';
import type { Diagnostic as Finding } from './text/diagnostics/diagnostic.ts';
import { type JsonDiagnostic, renderJson } from './text/diagnostics/render-json.ts';
import { compareCode } from './text/order.ts';

export type * from './syntax/ast.ts';
export type { JsonDiagnostic as Diagnostic, MemoryFile, Omission, Target };

/** A project as values. */
export interface ProjectInput {
  /**
   * The files of the project by path (`/`-separated, relative to its root): `instr.yaml`, `.instr/project.prs`, and
   * whatever else they name. Outputs that are there already, with `.instr/manifest.json`, may be among them: then the
   * result says what changes, and shared settings files keep what is the user's.
   */
  readonly files: Readonly<Record<string, string | Uint8Array | MemoryFile>>;
  /** Variables that `${NAME}` in sources may see. None when absent. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The files of a project, and what of it is compiled. */
export interface CompileInput extends ProjectInput {
  /** Ids or labels of targets; all that are enabled when absent. */
  readonly targets?: readonly string[];
  /** Name of a build profile; the ordinary compile when absent. */
  readonly build?: string;
  /** Take over files that this compiler did not write, or that were edited since. */
  readonly force?: boolean;
}

/** A file that a compile plans. */
export interface CompiledFile {
  /** `/`-separated, relative to the root of the project, inside it. */
  readonly path: string;
  /** Ids of the targets that asked for it. */
  readonly targets: readonly string[];
  /** What the file is, compared with the files that were given. */
  readonly state: File['state'];
  /** Text, or bytes where they are no UTF-8. Absent when the file goes, or stays out of our hands. */
  readonly content?: string | Uint8Array;
  readonly executable: boolean;
  /** Holds private notes: must not be committed. */
  readonly private: boolean;
  /** Why it is in conflict, drifted or kept. */
  readonly reason?: string;
}

/** What compiling a project gave. */
export interface CompileResult {
  /** No error was found: the files are what `prs compile` would write. */
  readonly ok: boolean;
  /** Sorted by path. */
  readonly files: readonly CompiledFile[];
  /** Texts that a target has no place for. */
  readonly omissions: readonly Omission[];
  readonly diagnostics: readonly JsonDiagnostic[];
}

/** The findings about a project. */
export interface ValidateResult {
  readonly ok: boolean;
  readonly diagnostics: readonly JsonDiagnostic[];
}

/** The syntax tree of a source, and what is wrong with it. */
export interface ParseResult {
  /** What could be understood; broken declarations are left out. */
  readonly document: Document;
  readonly diagnostics: readonly JsonDiagnostic[];
}

/**
 * Compiles a project. Everything that is wrong is in `diagnostics`; nothing is thrown because of what the files say.
 * Registries that need the network are out of reach and reported; `registry.path` works for files that were given.
 */
export async function compile(input: CompileInput): Promise<CompileResult> {
  const { targets, build, force } = input;
  const { context, found } = contextFor(input);
  const compiled = await compileProject(
    {
      mode: 'plan',
      ...(targets && { targets }),
      ...(build !== undefined && { builds: [build] }),
      ...(force !== undefined && { force }),
    },
    context,
  );
  const made = typeof compiled === 'string' ? undefined : compiled;
  return {
    ok: isFine(found),
    files: made?.entries.map(fileOf) ?? [],
    omissions: made?.omissions.map(omission => ({ ...omission, ...made.locate(omission) })) ?? [],
    diagnostics: renderJson(found),
  };
}

/** Runs every phase of a compile and reports what it finds, rules and policies included. */
export async function validate(input: ProjectInput): Promise<ValidateResult> {
  const { context, found } = contextFor(input);
  await validateProject({ files: [] }, context);
  return { ok: isFine(found), diagnostics: renderJson(found) };
}

/** Parses one source file. `name` is what findings call it. */
export function parse(source: string | Uint8Array, name = 'source.prs'): ParseResult {
  const found: Finding[] = [];
  const report = (finding: Finding) => void found.push(finding);
  const bytes = typeof source === 'string' ? new TextEncoder().encode(source) : source;
  const decoded = decodeSource(name, bytes, report);
  const document = decoded
    ? parseDocument(decoded, report)
    : { source: { name, text: '' }, declarations: [] };
  return { document, diagnostics: renderJson(found) };
}

/** Prints a document in the one layout of the language, comments included. Parsing the text gives an equal document. */
export function print(document: Document): string {
  return printDocument(document);
}

/** The supported tools in the order of their labels. */
export function targets(): readonly Target[] {
  return listTargets(new Map());
}

const isFine = (found: readonly Finding[]) => found.every(({ severity }) => severity !== 'error');

function fileOf({
  path,
  targets: ids,
  state,
  content,
  mode,
  private: isPrivate,
  reason,
}: PlanEntry): CompiledFile {
  return {
    path,
    targets: ids,
    state,
    ...(content && { content: textOf(content) }),
    executable: (mode & 0o111) !== 0,
    private: isPrivate === true,
    ...(reason !== undefined && { reason }),
  };
}

const textOf = (bytes: Uint8Array): string | Uint8Array => decodeText(bytes) ?? bytes;

/** Where the files seem to lie; the name is never shown and leads nowhere on a real disk. */
const root = '/.instr-project';

function contextFor({ files, environment = {} }: ProjectInput): {
  context: CompileContext;
  found: Finding[];
} {
  const found: Finding[] = [];
  const entries = Object.entries(files)
    .map(([path, file]): [string, MemoryFile] => [
      path.replace(/^\.\//, ''),
      typeof file === 'string' || file instanceof Uint8Array ? { content: file } : file,
    ])
    .sort(([a], [b]) => compareCode(a, b));
  const context: CompileContext = {
    ...givenWorld(root, entries, finding => void found.push(finding)),
    environment,
  };
  return { context, found };
}
