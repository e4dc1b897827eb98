import { strings } from './data.ts';
import type { Data, Item, Unplaced } from './model.ts';

/**
 * Gives each guard that applies to files its own content and, once each, that of the guards it requires, down to
 * `depth`. Guards without globs exist only to be required; one that nothing requires, and one without any
 * content, has no place in any target.
 */
export function composeGuards(guards: readonly Item[], depth: number, unplaced: Unplaced[]): Item[] {
  const byName = new Map(guards.map(guard => [guard.name, guard]));
  const reached = new Set<string>();
  const composed: Item[] = [];
  for (const guard of guards) {
    if (globsOf(guard).length === 0) continue;
    const chain = requiredBy(guard, byName, depth);
    for (const required of chain) reached.add(required.name);
    const content = chain.flatMap(item => strings(item.fields.get('content'))).join('\n\n');
    if (content.trim() === '') {
      unplaced.push({
        path: `${guard.path}.globs`,
        text: globsOf(guard).join(', '),
        advice: 'A guard is written where it has content: give it a text, or remove its globs.',
      });
      continue;
    }
    const globs = globsOf(guard);
    composed.push({
      ...guard,
      fields: new Map<string, Data>([...guard.fields, ['globs', globs], ['content', content]]),
    });
  }
  for (const guard of guards) {
    if (globsOf(guard).length === 0) addUnplaced(guard, reached.has(guard.name), unplaced);
  }
  return composed;
}

/** The patterns of a guard; one text holds several with commas between them, as rule files of tools write them. */
export function globsOf({ fields }: Pick<Item, 'fields'>): string[] {
  const globs = fields.get('globs');
  if (typeof globs !== 'string') return strings(globs);
  // A comma within braces is part of a pattern: `*.{ts,tsx}`.
  const parts = globs.match(/(?:[^,{}]|\{[^{}]*\}|[{}])+/g) ?? [];
  return parts.map(part => part.trim()).filter(part => part !== '');
}

/** What stands in no file of a guard without globs: all of it when nothing requires it, else all but its content. */
function addUnplaced(guard: Item, required: boolean, unplaced: Unplaced[]): void {
  for (const [field, value] of guard.fields) {
    if (guard.computed.has(field) || (required && field === 'content')) continue;
    const advice = required
      ? 'Only the content of a required guard is written; put what the tool must know into it.'
      : 'No guard requires it: give it `applyTo`, or name it in the `requires` of another guard.';
    for (const text of strings(value)) unplaced.push({ path: `${guard.path}.${field}`, text, advice });
  }
}

/** The guard itself, then what it requires, breadth first, each once. */
function requiredBy(guard: Item, byName: ReadonlyMap<string, Item>, depth: number): Item[] {
  const chain = [guard];
  const seen = new Set([guard.name]);
  let level: Item[] = [guard];
  for (let step = 0; step < depth && level.length > 0; step++) {
    const next: Item[] = [];
    for (const item of level) {
      for (const name of strings(item.fields.get('requires'))) {
        const required = byName.get(name);
        if (!required || seen.has(name)) continue;
        seen.add(name);
        next.push(required);
      }
    }
    chain.push(...next);
    level = next;
  }
  return chain;
}
