import { phaseWithoutSkill } from '../generated/diagnostics.ts';
import { nestHeadings } from '../text/headings.ts';
import { titleOf } from '../text/title.ts';
import {
  copyDraft,
  type Draft,
  fieldIn,
  fieldOf,
  fieldsOf,
  itemsOf,
  list,
  scalar,
  setField,
  withEntries,
  withField,
} from './draft.ts';
import { concatenate, joinResources, mergeObject, noOrigin, textPartsOf } from './merge.ts';
import { type MergeContext, mergeContext, noteAddition, stepOf, withPath } from './merge-context.ts';
import { appendList } from './merge-lists.ts';
import type { Node, ObjectNode, ProvenanceStep, ScalarNode } from './program.ts';
import { spendBudget } from './run.ts';
import { mayReplace } from './sealed.ts';
import { type InlineUse, type Scope, stepAt } from './values.ts';

const joinedFields = ['allowedTools', 'requires', 'references', 'params', 'inputs', 'outputs'] as const;

const joinedBlocks = ['context', 'knowledge'] as const;

/**
 * Appends an imported file to a skill as a numbered section: the texts of its context, then its skills.
 * Returns the rest of the file, which is merged like any import; `undefined` when there is nothing to append.
 */
export function addPhase(draft: Draft, use: InlineUse, from: Draft, scope: Scope): Draft | undefined {
  const { declaration, skill: name } = use;
  const { reference, alias, span } = declaration;
  const block = draft.blocks.get('skills');
  const parent = name === undefined ? undefined : fieldOf(block, name);
  if (name === undefined || parent?.kind !== 'object') {
    scope.run.report(phaseWithoutSkill({ reference: reference.path }, { span }));
    return undefined;
  }
  if (!mayReplace(parent, name, 'content', span, scope)) return undefined;
  const rest = copyDraft({ ...from, skills: new Map(), found: new Set() });
  const nodes = takeTexts(rest);
  const text = phaseText(nodes, alias?.name ?? phaseName(from, reference.path), phasesIn(parent) + 1);
  const m = mergeContext(scope.run);
  m.path.push('skills', name);
  let skill = appendText(parent, text, nodes, { ...stepAt(scope, span), operation: 'append' }, m);
  for (const [phase, node] of fieldsOf(from.blocks.get('skills'))) {
    if (node.kind !== 'object') continue;
    for (const key of joinedFields) {
      const value = node.fields.get(key);
      if (value && mayReplace(skill, name, key, span, scope))
        skill = withField(
          skill,
          key,
          withPath(m, [key], () => joinField(skill, skill.fields.get(key), value, m)),
        );
    }
    const origin = from.skills.get(phase);
    if (!origin) continue;
    const mine = draft.skills.get(name) ?? noOrigin;
    draft.skills.set(name, { ...mine, resources: joinResources(mine.resources, origin.resources) });
  }
  setField(block!, name, skill);
  return rest;
}

function joinField(skill: Node, current: Node | undefined, value: Node, m: MergeContext): Node {
  if (!current) {
    noteAddition(m, skill, stepOf(value, 'merge'));
    return value;
  }
  if (current.kind === 'object' && value.kind === 'object') return mergeObject(current, value, 'default', m);
  const asList = (node: Node) => list(itemsOf(node), node.steps);
  return appendList(asList(current), asList(value), true, m);
}

/** Removes the skills, documents and texts of context blocks from a draft, and returns their texts. */
function takeTexts(rest: Draft): ScalarNode[] {
  const nodes: Node[] = [];
  for (const name of joinedBlocks) {
    const block = rest.blocks.get(name);
    if (!block?.entries.some(({ kind }) => kind === 'text')) continue;
    for (const { kind, node } of block.entries) if (kind === 'text') nodes.push(node);
    const left = block.entries.filter(({ kind }) => kind !== 'text');
    if (left.length > 0) rest.blocks.set(name, withEntries(block, left));
    else rest.blocks.delete(name);
  }
  for (const [name, keys] of [
    ['documents', ['content']],
    ['skills', ['description', 'content']],
  ] as const) {
    for (const { node } of rest.blocks.get(name)?.entries ?? [])
      nodes.push(...(node.kind === 'object' ? keys.flatMap(key => node.fields.get(key) ?? []) : [node]));
    rest.blocks.delete(name);
  }
  return nodes.filter(node => node.kind === 'scalar');
}

function phaseText(nodes: readonly ScalarNode[], name: string, number: number): string {
  const heading = `## Phase ${number}: ${/^[a-z][\w-]*$/.test(name) ? titleOf(name) : name}`;
  const texts = nodes.map(({ value }) => nestHeadings(String(value ?? ''), 3).replace(/^\n+|\s+$/g, ''));
  return [heading, ...texts.filter(text => text.trim() !== '')].join('\n\n');
}

function phasesIn(skill: Node): number {
  const content = fieldIn(skill, 'content');
  const text = content?.kind === 'scalar' ? String(content.value ?? '') : '';
  return Math.max(0, ...[...text.matchAll(/^## Phase (\d{1,4}): /gm)].map(match => Number(match[1])));
}

const phaseName = (from: Draft, reference: string): string =>
  from.blocks.get('skills')?.places.keys().next().value ??
  reference
    .split('/')
    .at(-1)!
    .replace(/\.(?:prs|md)$/, '');

function appendText(
  skill: ObjectNode,
  text: string,
  nodes: readonly ScalarNode[],
  step: ProvenanceStep,
  m: MergeContext,
): ObjectNode {
  if (!spendBudget(m.run, text.length, step.span)) return skill;
  const content = skill.fields.get('content');
  withPath(m, ['content'], () => noteAddition(m, content ?? skill, step));
  if (content?.kind !== 'scalar')
    return withField(skill, 'content', { ...scalar(text, true, [step]), parts: nodes });
  const value = content.value === '' || content.value === null ? text : `${content.value}\n\n${text}`;
  return withField(skill, 'content', concatenate(content, value, [...textPartsOf(content), ...nodes], step));
}
