import type { Resource, Step } from '../resolve/program.ts';

/**
 * The portable model: everything a target spec may refer to, and nothing else.
 * Field names are the words that specs use in `from:`.
 * Texts keep the wording of the source. Steps say which declarations a text came from.
 */
export interface Model {
  readonly meta: { readonly id: string; readonly description?: string; readonly tags: readonly string[] };
  /** Prose blocks in source order, one per block that renders as a section of its own. */
  readonly sections: readonly Section[];
  readonly guards: readonly Guard[];
  readonly commands: readonly Command[];
  readonly skills: readonly Skill[];
  readonly agents: readonly Agent[];
  readonly workflows: readonly Workflow[];
  readonly hooks: readonly Hook[];
  readonly mcpServers: readonly McpServer[];
  readonly plugins: readonly Plugin[];
  /** Private notes; empty when there is no `@local`. */
  readonly local: readonly Prose[];
}

/** A named part of the main document. `key` finds its title and template in `conventions/sections.yaml`. */
export interface Section {
  readonly key: string;
  /** From `@header`; otherwise the convention decides. */
  readonly title?: string;
  readonly content: readonly Prose[];
}

/** Laid-out text: what section templates and conventions render. Leaves carry the text of the user, unchanged. */
export type Prose =
  | { readonly kind: 'text'; readonly text: Leaf }
  | { readonly kind: 'list'; readonly items: readonly Item[] }
  | { readonly kind: 'group'; readonly key: string; readonly title: string; readonly content: readonly Prose[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: Leaf };

/** A list item: optional label (`format`), text, and what is nested below it. */
export interface Item {
  readonly label?: string;
  readonly text?: Leaf;
  readonly items?: readonly Item[];
}

/** A text of the user and the declarations it came from. */
export interface Leaf {
  readonly value: string;
  readonly path: string;
  readonly steps: readonly Step[];
}

export interface Named {
  readonly name: string;
  /** Path of the entry in the program, such as `skills.review`, for omissions. */
  readonly path: string;
  readonly description?: Leaf;
}
