import { phaseWithoutSkill } from '../generated/diagnostics.ts';
import { nestHeadings } from '../text/headings.ts';
import { titleOf } from '../text/title.ts';
import type { InlineUse } from './blocks.ts';
import { noteAddition } from './changes.ts';
import {
  type Draft,
  fieldOf,
  list,
  type NodeDraft,
  type object,
  own,
  ownBlock,
  type ScalarDraft,
  scalar,
  setField,
} from './draft.ts';
import { appendList } from './lists.ts';
import { mergeObject } from './merge.ts';
import { type Merging, merging, stepOf } from './merging.ts';
import { joinResources } from './origins.ts';
import type { Step } from './program.ts';
import { spend } from './run.ts';
import { mayReplace } from './sealed.ts';
import type { Scope } from './values.ts';

/** Fields of a phase that become part of the skill it belongs to; its other fields are about the phase alone. */
const joined = ['allowedTools', 'requires', 'references', 'params', 'inputs', 'outputs'] as const;

/** Blocks whose texts are read with the phase. */
const told = ['context', 'knowledge'] as const;

/**
 * Appends an imported file to a skill as a numbered section: the texts of its context, then its skills. Gives back
 * what is left of the file, which is merged like any import.
 */
export function addPhase(draft: Draft, use: InlineUse, from: Draft, scope: Scope): Draft | undefined {
  const { declaration, skill: name } = use;
  const skills = name === undefined ? undefined : ownBlock(draft, 'skills');
  const parent = skills && fieldOf(skills, name!);
  if (parent?.kind !== 'object') {
    scope.run.report(
      phaseWithoutSkill({ reference: declaration.reference.path }, { span: declaration.span }),
    );
    return undefined;
  }
  if (!mayReplace(parent, name!, 'content', declaration.span, scope)) return undefined;
  const step: Step = { operation: 'append', span: declaration.span, layer: scope.layer };
  const rest: Draft = {
    owner: {},
    shared: false,
    blocks: new Map(from.blocks),
    skills: new Map(),
    found: new Set(),
    parameters: from.parameters,
  };
  const phase = phaseText(
    rest,
    declaration.alias?.name ?? phaseName(from, declaration.reference.path),
    phasesIn(parent) + 1,
  );
  const skill = own(parent, draft.owner);
  setField(skills!, name!, skill);
  const m = merging(scope.run, draft.owner);
  m.path.push('skills', name!);
  appendText(skill, phase, step, m);
  for (const entry of from.blocks.get('skills')?.entries ?? []) {
    if (entry.kind !== 'field' || entry.node.kind !== 'object') continue;
    for (const key of joined) {
      const value = entry.node.fields.get(key);
      if (value && mayReplace(skill, name!, key, declaration.span, scope)) joinField(skill, key, value, m);
    }
    const origin = from.skills.get(entry.key);
    if (!origin) continue;
    const mine = draft.skills.get(name!) ?? { resources: [], extra: new Map() };
    draft.skills.set(name!, { ...mine, resources: joinResources(mine.resources, origin.resources) });
  }
  return rest;
}

function joinField(
  skill: ReturnType<typeof object>,
  key: (typeof joined)[number],
  value: NodeDraft,
  m: Merging,
): void {
  const current = skill.fields.get(key);
  m.path.push(key);
  if (!current) {
    noteAddition(m, skill, stepOf(value, 'merge'));
    skill.fields.set(key, value);
  } else if (current.kind === 'object' && value.kind === 'object') {
    skill.fields.set(key, mergeObject(current, value, 'default', m));
  } else {
    const [base, more] = [current, value].map(node =>
      node.kind === 'list' ? node : list([node], [...node.steps], m.owner),
    );
    skill.fields.set(key, appendList(base!, more!, true, m));
  }
  m.path.pop();
}

/** Takes skills and the texts of context blocks out of the rest of the file and lays them out as one section. */
function phaseText(rest: Draft, name: string, number: number): { text: string; nodes: ScalarDraft[] } {
  const nodes: ScalarDraft[] = [];
  const parts = [`## Phase ${number}: ${/^[a-z][\w-]*$/.test(name) ? titleOf(name) : name}`];
  for (const blockName of told) {
    const block = rest.blocks.get(blockName);
    if (!block?.entries.some(entry => entry.kind === 'text')) continue;
    for (const entry of block.entries) if (entry.kind === 'text') nodes.push(entry.node);
    const left = block.entries.filter(entry => entry.kind !== 'text');
    if (left.length === 0) rest.blocks.delete(blockName);
    else {
      const places = new Map(
        left.flatMap((entry, index) => (entry.kind === 'field' ? [[entry.key, index]] : [])),
      );
      const { texts: _, ...others } = block;
      rest.blocks.set(blockName, { ...others, owner: rest.owner, entries: left, places });
    }
  }
  for (const [blockName, keys] of [
    ['documents', ['content']],
    ['skills', ['description', 'content']],
  ] as const) {
    for (const { node } of rest.blocks.get(blockName)?.entries ?? []) {
      if (node.kind === 'scalar') nodes.push(node);
      if (node.kind !== 'object') continue;
      for (const key of keys) {
        const text = node.fields.get(key);
        if (text?.kind === 'scalar') nodes.push(text);
      }
    }
    rest.blocks.delete(blockName);
  }
  parts.push(...nodes.map(node => nested(node).replace(/^\n+|\s+$/g, '')));
  return { text: parts.filter(part => part.trim() !== '').join('\n\n'), nodes };
}

/** How many phases a skill has already, those of other declarations included. */
function phasesIn(skill: ReturnType<typeof object>): number {
  const content = skill.fields.get('content');
  const text = content?.kind === 'scalar' ? String(content.value ?? '') : '';
  return Math.max(0, ...[...text.matchAll(/^## Phase (\d{1,4}): /gm)].map(match => Number(match[1])));
}

const nested = (node: { readonly value: unknown }): string => nestHeadings(String(node.value ?? ''), 3);

function phaseName(from: Draft, reference: string): string {
  const skill = from.blocks.get('skills')?.entries.find(entry => entry.kind === 'field');
  if (skill?.kind === 'field') return skill.key;
  return reference
    .split('/')
    .at(-1)!
    .replace(/\.(?:prs|md)$/, '');
}

function appendText(
  skill: ReturnType<typeof object>,
  { text, nodes }: ReturnType<typeof phaseText>,
  step: Step,
  m: Merging,
): void {
  if (!spend(m.run, text.length, step.span)) return;
  const content = skill.fields.get('content');
  m.path.push('content');
  noteAddition(m, content ?? skill, step);
  m.path.pop();
  if (content?.kind !== 'scalar') {
    skill.fields.set('content', { ...scalar(text, true, [step], m.owner), parts: nodes });
    return;
  }
  const mine = own(content, m.owner);
  const { literal, ...before } = mine;
  mine.parts = [...(mine.parts ?? [{ ...before, ...(literal && { literal }) }]), ...nodes];
  delete mine.literal;
  mine.value = mine.value === '' || mine.value === null ? text : `${mine.value}\n\n${text}`;
  mine.steps.push(step);
  skill.fields.set('content', mine);
}
