import { trees } from '../generated/template-trees.ts';
import type { Program } from './template-tree.ts';

/** The syntax tree of a built-in template, by the name that `builtinTemplate` has for it. */
export const templateTree = (key: string): Program | undefined =>
  Object.hasOwn(trees, key) ? (JSON.parse(trees[key]!) as Program) : undefined;
