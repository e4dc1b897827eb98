import { renaming } from '../diagnostics/fixes.ts';
import { audienceTwice, targetUnknown } from '../generated/diagnostics.ts';
import { entryFieldsOf } from '../resolve/catalogue.ts';
import type { Node, Program, ResolvedBlock } from '../resolve/program.ts';
import type { WithReport } from '../session/world.ts';
import { resolveTargetName, targetNames } from '../spec/load.ts';
import { didYouMean } from '../text/similar.ts';
import type { Span } from '../text/source.ts';
import { splitList } from '../text/split-list.ts';
import type { Project } from './open/open.ts';

/** Reports tools that nobody knows in `targets` and `except` of entries, and entries that have both. */
export function checkAudiences(program: Program, { custom }: Project, { report }: WithReport): void {
  for (const block of program.blocks.values()) {
    if (!takesAudience(block.name)) continue;
    for (const { path, fields } of audienceBearers(block)) {
      const [targets, except] = [fields.get('targets'), fields.get('except')];
      if (targets && except && targets.kind !== 'object') {
        const related = [{ message: 'and here', span: placeOf(targets) }];
        report(audienceTwice({ entry: path }, { span: placeOf(except), related }));
      }
      for (const { name, span } of [targets, except].flatMap(namesIn)) {
        if (resolveTargetName(name, custom) !== undefined) continue;
        const known = targetNames(custom);
        const hint = `${didYouMean(name, known)}\`prs targets\` lists all.`;
        report(targetUnknown({ name }, { span, hint, fixes: renaming(span, name, known) }));
      }
    }
  }
}

/** Whether the entries of a block may say for whom they are; in prose `targets` is a topic like any other. */
const takesAudience = (block: string): boolean =>
  entryFieldsOf(block)?.some(({ name }) => name === 'targets') ?? false;

/** What may say for whom it is: each entry, and the text of a block that has such a field itself. */
function audienceBearers({ name, entries }: ResolvedBlock) {
  const own = new Map<string, Node>();
  const below = entries.flatMap(entry => {
    if (entry.kind !== 'field') return [];
    if (entry.node.kind === 'object') return [{ path: `${name}.${entry.key}`, fields: entry.node.fields }];
    own.set(entry.key, entry.node);
    return [];
  });
  return [{ path: name, fields: own as ReadonlyMap<string, Node> }, ...below];
}

const placeOf = (node: Node): Span => node.steps.at(-1)!.span;

/** The names in a field; `targets` of hooks may be an object with changes for single tools instead. */
function namesIn(value: Node | undefined): { name: string; span: Span }[] {
  const items = value?.kind === 'list' ? value.items : value ? [value] : [];
  return items.flatMap(item =>
    item.kind === 'scalar' && item.value !== null
      ? splitList(String(item.value)).map(name => ({ name, span: placeOf(item) }))
      : [],
  );
}
