import type { Document, StringValue, TypeExpression } from '../syntax/ast.ts';
import type { Layer } from '../text/layer.ts';
import type { Source, Span } from '../text/source.ts';

/** One file that takes part in the program, loaded before resolving starts. */
export type Unit = SourceUnit | SkillUnit | ItemUnit | DocumentUnit | ServersUnit | DirectoryUnit;

interface UnitBase {
  /** Unique within a program: project-relative path, or registry id + path. */
  readonly id: string;
  readonly layer: Layer;
}

/** A `.prs` file. `references` maps the written form of each reference in it to the id of its unit. */
export interface SourceUnit extends UnitBase {
  readonly kind: 'source';
  readonly document: Document;
  readonly references: ReadonlyMap<string, string>;
  /** Files that `references` of skills in it name, by what is written there. */
  readonly resources?: ReadonlyMap<string, Resource>;
}

/** A Markdown file with `name`/`description` front matter, or a directory with `SKILL.md`. */
export interface SkillUnit extends UnitBase {
  readonly kind: 'skill';
  readonly source: Source;
  /** The folder name for `SKILL.md`, else the file name without extension. */
  readonly folder: string;
  readonly resources: readonly Resource[];
  /** Files that `references` in its front matter names, by what is written there. */
  readonly references?: ReadonlyMap<string, Resource>;
}

/** Blocks whose entries a Markdown file can be, one each. */
export type MarkdownBlock = 'shortcuts' | 'agents' | 'guards' | 'checks';

/** A Markdown file that is one entry of a block: a command, an agent, a rule or a check. */
export interface ItemUnit extends UnitBase {
  readonly kind: 'item';
  readonly block: MarkdownBlock;
  readonly source: Source;
  /** The name from its path, for front matter without a name. */
  readonly name: string;
}

/** Any other Markdown file: it reaches the main file as it is. */
export interface DocumentUnit extends UnitBase {
  readonly kind: 'document';
  readonly source: Source;
}

/** A file with `mcpServers`, written as JSON or YAML. */
export interface ServersUnit extends UnitBase {
  readonly kind: 'servers';
  readonly source: Source;
  /** The file has other keys, too, which other programs read. */
  readonly isPart?: boolean;
}

/** A directory of skills: the ids of the skill units in it, sorted. */
export interface DirectoryUnit extends UnitBase {
  readonly kind: 'directory';
  readonly skills: readonly string[];
}

/** A file that travels with a skill. `path` is relative to the skill, `/`-separated, never leaving it. */
export interface Resource {
  readonly path: string;
  /** Reads the content on demand: a dry run of a thousand skills must not hold all their bytes. */
  readonly read: () => Uint8Array;
  readonly size: number;
  readonly executable: boolean;
  /** The file of the project that it is a copy of. */
  readonly file?: string;
}

/** What a declaration did to a value. */
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

/** One declaration that shaped a value. */
export interface ProvenanceStep {
  readonly operation: Operation;
  readonly span: Span;
  readonly layer: Layer;
}

/** The written form of a string: between quotes, as Markdown below front matter, or as YAML in front matter. */
export type Literal =
  | StringValue
  | {
      readonly kind: 'string';
      readonly quote: 'markdown' | 'yaml';
      readonly value: string;
      readonly span: Span;
    };

/** A resolved value, with every declaration that shaped it, the oldest first. Keys of objects are any strings. */
export type Node = ScalarNode | ListNode | ObjectNode;

/** A line of another text. */
export interface LineOf {
  readonly node: ScalarNode;
  readonly line: number;
}

/** A scalar value with its history. */
export interface ScalarNode {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
  /** The written form of a number, where the value has another one (`1.10`). */
  readonly raw?: string;
  /** Written as multi-line text; one-line strings are laid out differently in lists and tables. */
  readonly text: boolean;
  /** How a string was written; absent for what was put together from `parts`. */
  readonly literal?: Literal;
  /** The texts it was put together from, in order. */
  readonly parts?: readonly ScalarNode[];
  /** The file that an item of `references` names. */
  readonly resource?: Resource;
  /** Where each line came from, for a text in which lines were put between others. */
  readonly lines?: readonly (LineOf | undefined)[];
  readonly steps: readonly ProvenanceStep[];
}

/** A list value with its history. */
export interface ListNode {
  readonly kind: 'list';
  readonly items: readonly Node[];
  readonly steps: readonly ProvenanceStep[];
}

/** An object value with its history. */
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

/** A block after all declarations that shaped it. */
export interface ResolvedBlock {
  readonly name: string;
  readonly entries: readonly Entry[];
  /** `@header`: section key (empty for the block's own section) to title. */
  readonly headers: ReadonlyMap<string, ScalarNode>;
  readonly steps: readonly ProvenanceStep[];
}

/** A declared parameter of the entry file with its value. */
export interface Parameter {
  readonly name: string;
  readonly type: TypeExpression | undefined;
  readonly value: ScalarNode | undefined;
  readonly optional: boolean;
  /** Whether a template used it. Unused ones become a section of the output. */
  readonly used: boolean;
  readonly span: Span;
}

/** Facts about a skill that are no values of its block entry: files, and where `into` puts it. */
export interface SkillOrigin {
  readonly resources: readonly Resource[];
  /** From `into "…"` or `skillTargets`: a directory below the target's skill directory. */
  readonly into?: string;
  /** The written reference of the `@use` that imported it, for `skillTargets`. */
  readonly reference?: string;
  /** Front matter keys that the block catalogue does not know, as written. */
  readonly extra: ReadonlyMap<string, unknown>;
  /** The Markdown file, when it came from one. */
  readonly source?: Source;
}

/** All blocks of a project after merging, with the files that they come from. */
export interface Program {
  /** Id from `@meta`, and its other fields. */
  readonly meta: ReadonlyMap<string, Node>;
  /** Blocks in the order of their first appearance; aliases such as `commands` are already canonical. */
  readonly blocks: ReadonlyMap<string, ResolvedBlock>;
  readonly parameters: readonly Parameter[];
  readonly skills: ReadonlyMap<string, SkillOrigin>;
  /** Everything that was read, for the watcher, the lock and the rules. */
  readonly units: readonly Unit[];
  /** Every change of a value by a later declaration, for policies. */
  readonly changes: readonly Change[];
}

/** `path` (`skills.review.content`) was declared by `base` and changed by `step`. */
export interface Change {
  readonly path: readonly string[];
  readonly base: ProvenanceStep;
  /** Other sources that shaped the value before it was changed, the oldest step of each. */
  readonly others?: readonly ProvenanceStep[];
  readonly step: ProvenanceStep;
  /**
   * For imported files: `brought` is a change of an earlier value by the imported file, `kept` an earlier value that
   * remains next to an imported one. Absent for a declaration in the file itself.
   */
  readonly meeting?: 'brought' | 'kept';
}
