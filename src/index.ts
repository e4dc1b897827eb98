/**
 * The compiler as a library: values in, values out. It uses neither disk nor network nor clock. The files of
 * a project are passed as an object, and the result lists what `prs compile` would write.
 */

import type { Diagnostic, File, Omission, Target } from './generated/types/report.ts';
import type { MemoryFile } from './host/overlay.ts';
import type { PlanEntry } from './plan/plan.ts';
import { compileProject } from './project/compile.ts';
import { listTargets } from './project/open/targets.ts';
import { virtualContext } from './project/session/given.ts';
import type { CompileContext } from './project/session/world.ts';
import { validateProject } from './project/validate.ts';
import type { Document } from './syntax/ast.ts';
import { decodeSource } from './syntax/decode.ts';
import { parseDocument } from './syntax/parse.ts';
import { printDocument } from './syntax/print.ts';
import { decodeText } from './text/bytes.ts';
import type { Diagnostic as Finding } from './text/diagnostics/diagnostic.ts';
import { renderJson } from './text/diagnostics/render-json.ts';
import { compareCodeUnits } from './text/order.ts';

export type * from './syntax/ast.ts';
export type { Diagnostic, MemoryFile, Omission, Target };

/** A project as values. */
export interface ProjectInput {
  /**
   * The files of the project by path (`/`-separated, relative to its root): `instr.yaml`,
   * `.instr/project.prs`, and all files that they refer to. Existing outputs, with `.instr/manifest.json`,
   * may be included: then the result says what changes, and the user's values in shared settings files are
   * kept.
   */
  readonly files: Readonly<Record<string, string | Uint8Array | MemoryFile>>;
  /** Environment variables that `${NAME}` in sources may read. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The files of a project, and what to compile. */
export interface CompileInput extends ProjectInput {
  /** Ids or labels of targets; default: all enabled ones. */
  readonly targets?: readonly string[];
  /** Name of a build profile; default: the normal compile. */
  readonly build?: string;
  /** Whether to overwrite files that this compiler did not write, or that were edited since. */
  readonly force?: boolean;
}

/** A file in the plan of a compile. */
export interface CompiledFile {
  /** `/`-separated, relative to the root of the project, inside it. */
  readonly path: string;
  /** Ids of the targets that it is for. */
  readonly targets: readonly string[];
  /** The state of the file, compared with the given files. */
  readonly state: File['state'];
  /** Text, or bytes when it is not valid UTF-8. Absent when the file would be deleted or not touched. */
  readonly content?: string | Uint8Array;
  readonly executable: boolean;
  /** Whether it contains private notes and must not be committed. */
  readonly private: boolean;
  /** Why it is in conflict, drifted or kept. */
  readonly reason?: string;
}

/** The result of compiling a project. */
export interface CompileResult {
  /** Whether there were no errors, so that the files are what `prs compile` would write. */
  readonly ok: boolean;
  /** Sorted by path. */
  readonly files: readonly CompiledFile[];
  /** Texts that a target has no place for. */
  readonly omissions: readonly Omission[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The result of validating a project. */
export interface ValidateResult {
  readonly ok: boolean;
  readonly diagnostics: readonly Diagnostic[];
}

/** The syntax tree of a source, and its syntax errors. */
export interface ParseResult {
  /** The valid declarations; invalid ones are left out. */
  readonly document: Document;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Compiles a project. Problems are in `diagnostics`; the content of files never causes an exception.
 * Registries that need the network are not available and are reported; `registry.path` works for given files.
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

/** Runs all phases of a compile, including rules and policies, and returns the findings. */
export async function validate(input: ProjectInput): Promise<ValidateResult> {
  const { context, found } = contextFor(input);
  await validateProject({ files: [] }, context);
  return { ok: isFine(found), diagnostics: renderJson(found) };
}

/** Parses one source file. `name` is its name in findings. */
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

/**
 * Prints the valid declarations of a document in the canonical layout, with comments. Parsing the text gives an equal
 * document.
 */
export function print(document: Document): string {
  return printDocument(document);
}

/** The supported tools, ordered by label. */
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

/** The root of the virtual disk; it is never shown and does not exist on a real disk. */
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
    .sort(([a], [b]) => compareCodeUnits(a, b));
  const context: CompileContext = {
    ...virtualContext(root, entries, finding => void found.push(finding)),
    environment,
  };
  return { context, found };
}
