import { audienceTwice, targetUnknown } from '../generated/diagnostics.ts';
import type { Node, Program } from '../resolve/program.ts';
import { builtinIds, resolveTargetName } from '../spec/load.ts';
import { didYouMean } from '../text/similar.ts';
import type { Context } from './open/context.ts';
import type { Project } from './open/open.ts';

/** Reports tools that nobody knows in `targets` and `except` of entries, and entries that have both. */
export function checkAudiences(program: Program, { custom }: Project, { report }: Context): void {
  for (const block of program.blocks.values()) {
    for (const entry of block.entries) {
      if (entry.kind !== 'field' || entry.node.kind !== 'object') continue;
      const [targets, except] = ['targets', 'except'].map(key => namesIn(entry.node, key));
      if (targets!.length > 0 && except!.length > 0) {
        const related = [{ message: 'and here', span: targets![0]!.span }];
        report(audienceTwice({ entry: `${block.name}.${entry.key}` }, { span: except![0]!.span, related }));
      }
      for (const { name, span } of [...targets!, ...except!]) {
        if (resolveTargetName(name, custom) !== undefined) continue;
        const hint = `${didYouMean(name, [...custom.keys(), ...builtinIds()])}\`prs targets\` lists all.`;
        report(targetUnknown({ name }, { span, hint }));
      }
    }
  }
}

/** The names in a field; `targets` of hooks may be an object with changes for single tools instead. */
function namesIn(node: Node, key: string) {
  const value = node.kind === 'object' ? node.fields.get(key) : undefined;
  const items = value?.kind === 'list' ? value.items : value ? [value] : [];
  return items.flatMap(item =>
    item.kind === 'scalar' && item.value !== null
      ? [{ name: String(item.value), span: item.steps.at(-1)!.span }]
      : [],
  );
}
