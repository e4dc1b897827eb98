import { catalogue } from '../../generated/blocks.ts';
import { entryTargetUnknown, nameUnknown, overlayIdle, sealUnknown } from '../../generated/diagnostics.ts';
import { findBlock } from '../../resolve/catalogue.ts';
import type { Node, ObjectNode } from '../../resolve/program.ts';
import { appliesToWholeEntry, isExcluded, overlaysIn } from '../../resolve/sealed.ts';
import { unknownNameAt } from '../../text/diagnostics/fixes.ts';
import { suggest } from '../../text/similar.ts';
import { fieldOf, firstSpan, lastSpan, namedEntries, objectEntries, scalarsOf } from '../nodes.ts';
import type { Rule, RuleContext } from '../rule.ts';

/** References that separate rules check. */
const elsewhere: ReadonlySet<string> = new Set(['skills.requires', 'guards.requires', 'agents.skills']);

/** The word for an entry of a block in messages. */
const words: Readonly<Record<string, string>> = {
  skills: 'skill',
  agents: 'agent',
  shortcuts: 'command',
  hooks: 'hook',
  mcpServers: 'server',
};

/** Reports references to unknown names. */
export const knownNames: Rule = {
  name: 'known-names',
  severity: 'warning',
  help: 'What an entry names exists: parts of plugins, tools under `targets`, sealed fields; agents and servers where a near name is declared.',
  check: context => {
    for (const { name: block, entry } of catalogue.blocks) {
      for (const { name: field, refers } of entry?.fields ?? []) {
        if (refers && !elsewhere.has(`${block}.${field}`)) checkReferences(block, field, refers, context);
      }
    }
    for (const { name: block } of catalogue.blocks)
      for (const { name, node } of objectEntries(context.program, block))
        for (const [field, overlays] of overlaysIn(block, node)) {
          checkTargets(overlays, field, context);
          checkOverlays(block, `${block}.${name}.${field}`, overlays, context);
        }
    for (const { name, node } of objectEntries(context.program, 'skills')) checkSeal(name, node, context);
  },
};

/**
 * A plugin contains only what the sources declare; references elsewhere may name built-in items of a tool or
 * a user.
 */
function checkReferences(block: string, field: string, to: string, { program, report }: RuleContext): void {
  const known = namedEntries(program, to).map(({ name }) => name);
  const names = new Set(known.flatMap(name => [name, name.replace(/^\//, '')]));
  for (const { name: owner, node } of objectEntries(program, block)) {
    for (const item of scalarsOf(fieldOf(node, field))) {
      const name = String(item.value);
      if (item.value === null || names.has(name) || names.has(name.replace(/^\//, ''))) continue;
      if (block !== 'plugins' && suggest(name, known) === undefined) continue;
      const holes = { owner: `\`${block}.${owner}\``, what: words[to] ?? 'entry', name };
      const advice = `Declare it in \`@${to}\`, or remove the name.`;
      report(nameUnknown(holes, unknownNameAt(lastSpan(item), name, known, advice)));
    }
  }
}

/** The keys of overlays are ids of tools. */
function checkTargets(targets: ObjectNode, place: string, { options, report }: RuleContext): void {
  const { names, isTarget } = options.targets;
  for (const [name, node] of targets.fields) {
    if (isTarget(name)) continue;
    const where = unknownNameAt(firstSpan(node), name, names, '`prs targets` lists the tools.');
    report(entryTargetUnknown({ name, place }, where));
  }
}

/** Reports overlays that change nothing for their tool. */
function checkOverlays(block: string, place: string, overlays: ObjectNode, { report }: RuleContext): void {
  for (const [tool, changes] of overlays.fields) {
    if (changes.kind !== 'object') {
      if (!isExcluded(changes))
        report(overlayIdle({ place: `${place}.${tool}` }, { span: firstSpan(changes) }));
      continue;
    }
    for (const [field, value] of changes.fields) {
      if (!appliesToWholeEntry(block, field, value)) continue;
      const hint = `Move \`${field}\` to the entry itself: it says for which tools the whole entry is.`;
      const nested = 'Give each tool a member of its own in the entry itself.';
      const holes = { place: `${place}.${tool}.${field}` };
      report(overlayIdle(holes, { span: firstSpan(value), hint: field === 'tools' ? nested : hint }));
    }
  }
}

function checkSeal(skill: string, node: Node, { report }: RuleContext): void {
  const fields = findBlock('skills')?.entry?.fields.map(({ name }) => name) ?? [];
  for (const item of scalarsOf(fieldOf(node, 'sealed'))) {
    if (typeof item.value !== 'string' || fields.includes(item.value)) continue;
    const advice = 'Name fields such as `content`, or write `sealed: true`.';
    const where = unknownNameAt(lastSpan(item), item.value, fields, advice);
    report(sealUnknown({ skill, field: item.value }, where));
  }
}
