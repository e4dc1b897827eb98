import { removing, renaming } from '../diagnostics/fixes.ts';
import { negationUnmatched } from '../generated/diagnostics.ts';
import { noteAddition, noteKept, noteReplacement } from './changes.ts';
import { keyOf, type ListDraft, type NodeDraft, own } from './draft.ts';
import { type Merging, stepOf } from './merging.ts';

/**
 * Appends what the list does not hold yet. With `names` the items are names or paths: `./x` is `x`, and `!x` takes
 * `x` away first.
 */
export function appendList(base: ListDraft, incoming: ListDraft, names: boolean, m: Merging): ListDraft {
  const key = names ? nameKey : keyOf;
  let result = names ? removeItems(base, incoming, m) : base;
  result.seen ??= new Set(result.items.map(key));
  const seen = result.seen;
  const fresh = incoming.items.filter(item => !(names && isNegation(item)) && !seen.has(key(item)));
  if (m.bringing) {
    const said = new Set(incoming.items.map(key));
    if (result.items.some(item => !said.has(key(item)))) noteKept(m, result, incoming, 'append');
  }
  if (fresh.length > 0) {
    const step = stepOf(incoming, 'append');
    noteAddition(m, base, step);
    const mine = own(result, m.owner);
    mine.seen = mine === result ? seen : new Set(seen);
    for (const item of fresh) {
      mine.items.push(item);
      mine.seen.add(key(item));
    }
    mine.steps.push(step);
    result = mine;
  }
  return result;
}

/** Takes away what `!x` names; one that names nothing is reported. */
function removeItems(base: ListDraft, incoming: ListDraft, m: Merging): ListDraft {
  const negations = incoming.items.filter(isNegation);
  if (negations.length === 0) return base;
  const wanted = new Map(negations.map(item => [nameKey(item).slice(1), item]));
  const found = new Set<string>();
  const kept = base.items.filter(item => {
    const name = nameKey(item);
    if (!wanted.has(name)) return true;
    found.add(name);
    return false;
  });
  for (const [name, item] of wanted) {
    if (found.has(name)) continue;
    const holes = { entry: name, path: m.path.join('.') };
    const { span } = item.steps[0]!;
    const fixes = [...renaming(span, name, base.items.map(nameKey)), removing(`Remove \`!${name}\``, span)];
    m.run.report(negationUnmatched(holes, { span, fixes }));
  }
  if (found.size === 0) return base;
  const step = stepOf(wanted.get([...found][0]!)!, 'remove');
  noteReplacement(m, base, undefined, step);
  const result = own(base, m.owner);
  result.items = kept;
  delete result.seen;
  result.steps.push(step);
  return result;
}

/** `!name`: take `name` away. */
export const isNegation = (node: NodeDraft): boolean =>
  node.kind === 'scalar' && typeof node.value === 'string' && node.value.startsWith('!');

/** Names and paths by what they mean: `./x` is `x`. */
export function nameKey(node: NodeDraft): string {
  if (node.kind !== 'scalar' || typeof node.value !== 'string') return keyOf(node);
  return normalName(node.value);
}

/** `./a` is `a`, `!./a` is `!a`. */
function normalName(name: string): string {
  const bare = name.startsWith('!') ? name.slice(1) : name;
  return `${name.startsWith('!') ? '!' : ''}${bare.replace(/^(?:\.\/)+/, '')}`;
}
