import { programTooLarge } from '../../generated/diagnostics.ts';
import type { Disk } from '../../host/host.ts';
import type { Registries, Tree } from '../../registry/tree.ts';
import type { SourceUnit, Unit } from '../../resolve/program.ts';
import { unitLimit } from '../../resolve/run.ts';
import type { Document } from '../../syntax/ast.ts';
import type { Report } from '../../text/diagnostics/diagnostic.ts';
import type { Layer } from '../../text/layer.ts';
import type { Source, Span } from '../../text/source.ts';
import type { ProjectTree } from '../open/project-tree.ts';

export interface GatherOptions {
  readonly disk: Disk;
  readonly root: string;
  readonly entry: string;
  /** Where the configuration names it. */
  readonly entrySpan?: Span | undefined;
  /**
   * Main files that the tools of the project read, one of which can be the entry; only used when there is no entry.
   */
  readonly mainFiles?: () => readonly string[];
  /** Further files, relative to the project, in order. */
  readonly include?: readonly string[];
  /** `inherit` of the configuration; a relative path starts at the project. */
  readonly inherit?: { readonly reference: string; readonly span: Span } | undefined;
  /** Where skills and commands are discovered besides `.instr`; absent: nowhere. */
  readonly universalDir?: string | undefined;
  readonly registries?: Registries | undefined;
  readonly parse?: (source: Source, report: Report) => Document;
  /** A list of MCP servers of one user, in addition to that of the project. */
  readonly servers?: Source | undefined;
  /** Whether this compiler wrote a file, which is then no source. `isDirect`: the path contains no links. */
  readonly isGenerated?: (path: string, read: () => Uint8Array, isDirect: boolean) => boolean;
}

export const projectLayer: Layer = { reference: '@project', remote: false };

/** The tree that a file lies in, and the layer of what is found there. */
export interface Place {
  readonly tree: Tree;
  readonly layer: Layer;
}

export interface GatherContext {
  readonly options: GatherOptions;
  readonly tree: ProjectTree;
  readonly report: Report;
  readonly isGenerated: (path: string, read: () => Uint8Array) => boolean;
  readonly units: Map<string, Unit>;
  /** Sources whose references have not been followed yet. */
  readonly queue: { readonly unit: SourceUnit; readonly place: Place; readonly path: string }[];
  count: number;
}

/** The files of the project itself. */
export const projectPlace = ({ tree }: GatherContext): Place => ({ tree, layer: projectLayer });

/** The name of a place in findings. */
export const placeName = ({ layer }: Place): string => (layer.remote ? 'its registry' : 'the project');

/** The id of a file: its path, with the id of its tree as a prefix when it is outside the project. */
export const idOf = ({ tree }: Place, path: string): string => (tree.id === '' ? path : `${tree.id}:${path}`);

/** Counts a file that is about to be added; reports when the limit is exceeded. */
export function hasRoom(gathering: GatherContext, span: Span | undefined): boolean {
  gathering.count++;
  if (gathering.count === unitLimit + 1) gathering.report(programTooLarge({ limit: unitLimit }, { span }));
  return gathering.count <= unitLimit;
}
