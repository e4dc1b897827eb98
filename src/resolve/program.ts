import type { Document, StringValue, TypeExpression } from '../syntax/ast.ts';
import type { Layer } from '../text/layer.ts';
import type { Source, Span } from '../text/source.ts';

/** A file of the program. All units are loaded before resolving starts. */
export type Unit = SourceUnit | SkillUnit | ItemUnit | DocumentUnit | ServersUnit | DirectoryUnit;

/** The text of a unit; `undefined` for a directory. */
export const sourceOf = (unit: Unit): Source | undefined =>
  unit.kind === 'directory' ? undefined : unit.kind === 'source' ? unit.document.source : unit.source;

interface UnitBase {
  /** Unique within a program: a project-relative path, or a registry id with a path. */
  readonly id: string;
  readonly layer: Layer;
}

/** A `.prs` file. `references` maps each reference as written to the id of its unit. */
export interface SourceUnit extends UnitBase {
  readonly kind: 'source';
  readonly document: Document;
  readonly references: ReadonlyMap<string, string>;
  /** Files that `references` of its skills name, by the name as written. */
  readonly resources?: ReadonlyMap<string, Resource>;
}

/** A Markdown file with `name`/`description` front matter, or a directory with `SKILL.md`. */
export interface SkillUnit extends UnitBase {
  readonly kind: 'skill';
  readonly source: Source;
  /** The folder name for `SKILL.md`, else the file name without extension. */
  readonly folder: string;
  readonly resources: readonly Resource[];
  /** Files that `references` in its front matter names, by the name as written. */
  readonly references?: ReadonlyMap<string, Resource>;
}

/** The blocks that an entry in a Markdown file can belong to. */
export type MarkdownBlock = 'shortcuts' | 'agents' | 'guards' | 'checks';

/** A Markdown file with one entry of a block: a command, agent, rule or check. */
export interface ItemUnit extends UnitBase {
  readonly kind: 'item';
  readonly block: MarkdownBlock;
  readonly source: Source;
  /** The name from its path, used when the front matter has none. */
  readonly name: string;
}

/** Any other Markdown file. Its text is copied to the main file unchanged. */
export interface DocumentUnit extends UnitBase {
  readonly kind: 'document';
  readonly source: Source;
}

/** A JSON or YAML file with `mcpServers`. */
export interface ServersUnit extends UnitBase {
  readonly kind: 'servers';
  readonly source: Source;
  /** Whether the file has other keys, too, which other programs read. */
  readonly isPart?: boolean;
}

/** A directory of skills, as the sorted ids of its skill units. */
export interface DirectoryUnit extends UnitBase {
  readonly kind: 'directory';
  readonly skills: readonly string[];
}

/** A file that belongs to a skill. `path` is relative to the skill, `/`-separated, and never leaves it. */
export interface Resource {
  readonly path: string;
  /**
   * Reads the content on demand, so that a dry run of a thousand skills does not keep all bytes in memory.
   */
  readonly read: () => Uint8Array;
  readonly size: number;
  readonly executable: boolean;
  /** The project file that it is a copy of. */
  readonly file?: string;
}

/** How a declaration changed a value. */
export type Operation =
  | 'declare'
  | 'inherit'
  | 'use'
  | 'merge'
  | 'append'
  | 'extend'
  | 'replace'
  | 'override'
  | 'remove'
  | 'parameter';

/** One declaration that contributed to a value. */
export interface ProvenanceStep {
  readonly operation: Operation;
  readonly span: Span;
  readonly layer: Layer;
}

/** The notation of a string: quoted, Markdown below front matter, or YAML in front matter. */
export type Literal =
  | StringValue
  | {
      readonly kind: 'string';
      readonly quote: 'markdown' | 'yaml';
      readonly value: string;
      readonly span: Span;
    };

/**
 * A resolved value with its provenance: every declaration that contributed to it, the oldest first. Keys of
 * objects are arbitrary strings.
 */
export type Node = ScalarNode | ListNode | ObjectNode;

/** A line of another text. */
export interface LineOf {
  readonly node: ScalarNode;
  readonly line: number;
}

/** A scalar value with its provenance. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The source text of a number when it differs from the printed value (`1.10`). */
  readonly raw?: string;
  /**
   * Whether it was written as multi-line text; one-line strings are laid out differently in lists and tables.
   */
  readonly text: boolean;
  /** The notation of a string; absent when it was concatenated from `parts`. */
  readonly literal?: Literal;
  /** The texts it was concatenated from, in order. */
  readonly parts?: readonly ScalarNode[];
  /** The file that an item of `references` names. */
  readonly resource?: Resource;
  /** The origin of each line, for a text with inserted lines. */
  readonly lines?: readonly (LineOf | undefined)[];
  readonly steps: readonly ProvenanceStep[];
}

/** A list value with its provenance. */
export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly Node[];
  readonly steps: readonly ProvenanceStep[];
}

/** An object value with its provenance. */
export interface ObjectNode {
  readonly kind: 'object';
  readonly fields: ReadonlyMap<string, Node>;
  readonly steps: readonly ProvenanceStep[];
}

/** An entry of a block. A field keeps the position at which it was first set. */
export type Entry =
  | { readonly kind: 'field'; readonly key: string; readonly node: Node }
  | { readonly kind: 'text'; readonly node: ScalarNode }
  | { readonly kind: 'item'; readonly node: Node };

/** A block after all declarations were applied. */
export interface ResolvedBlock {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Titles of `@header` by section key; the key is empty for the block's own section. */
  readonly headers: ReadonlyMap<string, ScalarNode>;
  readonly steps: readonly ProvenanceStep[];
}

/** A declared parameter of the entry file with its value. */
export interface Parameter {
  readonly name: string;
  readonly type: TypeExpression | undefined;
  readonly value: ScalarNode | undefined;
  readonly optional: boolean;
  /** Whether a template uses it. Unused ones become a section of the output. */
  readonly used: boolean;
  readonly span: Span;
}

/** Facts about a skill besides the values of its entry: its files, and the folder that `into` names. */
export interface SkillOrigin {
  readonly resources: readonly Resource[];
  /** From `into "…"` or `skillTargets`: a folder below the skill folder of the target. */
  readonly into?: string;
  /** Front matter keys that are not in the block catalogue, as written. */
  readonly extra: ReadonlyMap<string, unknown>;
  /** The Markdown file that it came from, if any. */
  readonly source?: Source;
}

/** All blocks of a project after merging, with the files that they come from. */
export interface Program {
  /** The fields of `@meta`, including the id. */
  readonly meta: ReadonlyMap<string, Node>;
  /** Blocks in the order of their first appearance; aliases such as `commands` are resolved. */
  readonly blocks: ReadonlyMap<string, ResolvedBlock>;
  readonly parameters: readonly Parameter[];
  readonly skills: ReadonlyMap<string, SkillOrigin>;
  /** All files that were read, for the watcher, the lock file and the rules. */
  readonly units: readonly Unit[];
  /** Every change of a value by a later declaration, for policies. */
  readonly changes: readonly Change[];
}

/** The value at `path` (`skills.review.content`) was declared by `base` and changed by `step`. */
export interface Change {
  readonly path: readonly string[];
  readonly base: ProvenanceStep;
  /** Other sources that contributed to the value before the change, with the oldest step of each. */
  readonly others?: readonly ProvenanceStep[];
  readonly step: ProvenanceStep;
  /**
   * For imported files. `brought`: the imported file changes an earlier value. `kept`: an earlier value
   * remains next to an imported one. Absent for a declaration in the file itself.
   */
  readonly meeting?: 'brought' | 'kept';
}
