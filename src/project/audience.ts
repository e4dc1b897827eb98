import { audienceTwice, overlayTwice, targetUnknown } from '../generated/diagnostics.ts';
import { anyTool } from '../model/make-item.ts';
import { entryFieldsOf, itemsHaveTargets, listsWithTargets } from '../resolve/catalogue.ts';
import type { Node, Program, ResolvedBlock, SkillOrigin } from '../resolve/program.ts';
import { overlaysIn } from '../resolve/sealed.ts';
import { resolveTargetName, targetNames } from '../spec/load.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import { unknownNameAt } from '../text/diagnostics/fixes.ts';
import type { Span } from '../text/source.ts';
import { splitList } from '../text/split-list.ts';
import type { Project } from './open/open.ts';
import type { WithReport } from './session/world.ts';

/** Reports unknown tools in `targets` and `except` of entries, and entries that have both fields. */
export function checkAudiences(program: Program, project: Project, { report }: WithReport): void {
  const { custom } = project;
  for (const block of program.blocks.values()) {
    if (!takesAudience(block.name)) continue;
    for (const { key, path, fields } of audienceBearers(block)) {
      const [targets, except] = [fields.get('targets'), fields.get('except')];
      // A file of another author may use these keys for something else, so this is only a warning.
      const doubt =
        block.name === 'skills' && isForeign(program.skills.get(key)) && ({ severity: 'warning' } as const);
      if (targets && except && targets.kind !== 'object') {
        const related = [{ message: 'and here', span: lastSpan(targets) }];
        report(audienceTwice({ entry: path }, { ...doubt, span: lastSpan(except), related }));
      }
      checkOverlayNames(path, block.name, fields, project, report);
      const others = namesIn(targets).filter(({ name }) => name !== anyTool);
      for (const { name, span } of [...others, ...namesIn(except)]) {
        if (resolveTargetName(name, custom) !== undefined) continue;
        const where = unknownNameAt(span, name, targetNames(custom), '`prs targets` lists all.');
        report(targetUnknown({ name }, { ...doubt, ...where }));
      }
    }
  }
}

/** Whether a skill comes from a file outside `.instr/`. */
const isForeign = (origin: SkillOrigin | undefined): boolean =>
  origin?.source !== undefined && !origin.source.name.startsWith('.instr/');

/** Reports two names of the same tool among the overlays of an entry. */
function checkOverlayNames(
  entry: string,
  block: string,
  fields: ReadonlyMap<string, Node>,
  { custom }: Project,
  report: Report,
): void {
  const known = new Map<string, { readonly name: string; readonly node: Node }>();
  for (const [, overlays] of overlaysIn(block, { fields })) {
    for (const [name, node] of overlays.fields) {
      const target = resolveTargetName(name, custom);
      if (target === undefined) continue;
      const first = known.get(target);
      if (!first) {
        known.set(target, { name, node });
        continue;
      }
      const related = [{ message: `\`${first.name}\` is here`, span: lastSpan(first.node) }];
      const holes = { entry, target, first: first.name, second: name };
      report(overlayTwice(holes, { span: lastSpan(node), related }));
    }
  }
}

/** Whether entries of a block accept `targets`. In prose blocks it is an ordinary topic. */
const takesAudience = (block: string): boolean =>
  listsWithTargets(block).size > 0 ||
  itemsHaveTargets(block) ||
  (entryFieldsOf(block)?.some(({ name }) => name === 'targets') ?? false);

/** The entries of a block with their fields, and the block itself if it has such fields. */
function audienceBearers({ name, entries }: ResolvedBlock) {
  const own = new Map<string, Node>();
  let loose = 0;
  const below = entries.flatMap(entry => {
    if (entry.kind === 'item' && itemsHaveTargets(name)) {
      const path = `${name}[${loose++}]`;
      return entry.node.kind === 'object' ? [{ key: '', path, fields: entry.node.fields }] : [];
    }
    if (entry.kind !== 'field') return [];
    if (entry.node.kind === 'object')
      return [{ key: entry.key, path: `${name}.${entry.key}`, fields: entry.node.fields }];
    if (listsWithTargets(name).has(entry.key) && entry.node.kind === 'list')
      return entry.node.items.flatMap((item, index) =>
        item.kind === 'object'
          ? [{ key: entry.key, path: `${name}.${entry.key}[${index}]`, fields: item.fields }]
          : [],
      );
    own.set(entry.key, entry.node);
    return [];
  });
  return [{ key: '', path: name, fields: own as ReadonlyMap<string, Node> }, ...below];
}

const lastSpan = (node: Node): Span => node.steps.at(-1)!.span;

/** The names in a field with spans. `targets` of hooks may be an object with overlays, which has none. */
function namesIn(value: Node | undefined): { name: string; span: Span }[] {
  const items = value?.kind === 'list' ? value.items : value ? [value] : [];
  return items.flatMap(item =>
    item.kind === 'scalar' && item.value !== null
      ? splitList(String(item.value)).map(name => ({ name, span: lastSpan(item) }))
      : [],
  );
}
