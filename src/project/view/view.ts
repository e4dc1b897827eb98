import { resolve } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Placed } from '../../emit/placed.ts';
import { viewPathOutside } from '../../generated/diagnostics.ts';
import type { Limit, TargetSpec } from '../../generated/types/target.ts';
import { type Loaded, type LoadedPart, sizeOf } from '../../spec/loading/limits.ts';
import { loadTexts } from '../../spec/loading/load.ts';
import { compareCode } from '../../text/order.ts';
import { compileProject } from '../compile.ts';
import { knownSpecs } from '../open/known-specs.ts';
import type { Unusable } from '../open/open.ts';
import { pathBelow, projectRoot } from '../open/root.ts';
import { targetNamed } from '../open/targets.ts';
import type { Compiling, InDirectory, WithReport } from '../session/world.ts';
import { projectTexts } from './texts.ts';

/** Which tool is looked through, and where it works. */
export interface ViewRequest {
  /** The tool: an id, a label, or another name of it. */
  readonly as: string;
  /** Folder in which the session begins, from the working directory. */
  readonly at: string;
  /** Files that the tool has read so far, from the working directory. */
  readonly files: readonly string[];
}

/** A run of lines of one file, as the tool is given it. */
export interface ViewPart extends LoadedPart {
  /** 1-based, the last one included. */
  readonly startLine: number;
  readonly endLine: number;
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
}

/** What is listed to the tool, and loaded when it asks for it or works on matching files. */
export interface OnDemand {
  readonly kind: string;
  readonly name: string;
  readonly path: string;
}

/** What a tool is given. */
export interface View {
  readonly root: string;
  readonly spec: TargetSpec;
  readonly version: string;
  readonly parts: readonly ViewPart[];
  readonly onDemand: readonly OnDemand[];
  readonly limit?: Limit;
  readonly cut?: { readonly path: string; readonly line: number };
}

/**
 * The very text that a tool is given in a folder of the project, in its order: what compile would write, beside what
 * else is there. Nothing is written.
 */
export async function viewProject(request: ViewRequest, context: Compiling): Promise<View | Unusable> {
  const { custom } = await knownSpecs(context, context.report);
  const named = targetNamed(request.as, custom, context.report);
  if (!named) return 'wrong-request';
  const { spec } = named;
  const { root } = projectRoot(context);
  const folder = pathInProject(request.at, root, context);
  const files = request.files.map(file => pathInProject(file, root, context));
  if (folder === undefined || files.includes(undefined)) return 'wrong-request';
  // What other tools are told of is not asked for here.
  const report = (found: Diagnostic) => {
    if (found.target === undefined || found.target === spec.id) context.report(found);
  };
  const compiled = await compileProject({ mode: 'plan', force: true }, { ...context, report });
  if (typeof compiled === 'string') return compiled;
  const placed = compiled.placed.filter(({ target }) => target === spec.id);
  const wanted = compiled.requests.find(other => other.spec.id === spec.id);
  const version = wanted?.version ?? spec.defaultVersion;
  const texts = projectTexts(compiled.root, compiled.entries, context.disk);
  const always = placed.filter(item => item.always && item.name !== undefined).map(({ path }) => path);
  const situation = {
    at: folder,
    read: files as readonly string[],
    always: [...new Set(always)].sort(compareCode),
    ...(wanted && { options: wanted.options }),
  };
  const loaded = loadTexts(spec, texts, situation);
  return { root: compiled.root, spec, version, ...describe(loaded), onDemand: waiting(placed) };
}

/** A path as people name it, from where they are, relative to the project; `''` is its root. */
function pathInProject(
  path: string,
  root: string,
  { cwd, report }: InDirectory & WithReport,
): string | undefined {
  const absolute = resolve(cwd, path);
  if (absolute === resolve(root)) return '';
  const below = pathBelow(root, absolute);
  if (below === undefined) report(viewPathOutside({ path }));
  return below;
}

function describe({ parts, limit, cut }: Loaded): Pick<View, 'parts' | 'limit' | 'cut'> {
  return {
    parts: parts.map(({ from = 1, ...part }) => ({
      ...part,
      startLine: from,
      endLine: from - 1 + Math.max(1, part.text.split('\n').length - (part.text.endsWith('\n') ? 1 : 0)),
      bytes: sizeOf(part.text, 'bytes'),
      tokens: sizeOf(part.text, 'tokens'),
    })),
    ...(limit && { limit }),
    ...(cut && { cut: { path: cut.path, line: cut.line } }),
  };
}

/** Items with files of their own that are not part of every session. */
function waiting(placed: readonly Placed[]): OnDemand[] {
  return placed
    .flatMap(({ of, name, path, always }) => (name === undefined || always ? [] : [{ kind: of, name, path }]))
    .sort((a, b) => compareCode(a.kind, b.kind) || compareCode(a.path, b.path));
}
