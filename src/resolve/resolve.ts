import { localOnly, variableMisplaced } from '../generated/diagnostics.ts';
import { blockFields } from '../syntax/walk.ts';
import type { Report } from '../text/diagnostics/diagnostic.ts';
import type { Span } from '../text/source.ts';
import { hasReference, readableText } from '../text/variables.ts';
import { allowsReferences, findBlock } from './catalogue.ts';
import {
  type Draft,
  fieldIn,
  fieldsOf,
  itemsOf,
  list,
  mapFields,
  mapScalars,
  newDraft,
  setField,
  withField,
} from './draft.ts';
import { applyDocument, resolveUnit, whileVisiting } from './evaluate.ts';
import { joinResources, mergeDraft, noOrigin } from './merge.ts';
import { isNegation, reportNegation } from './merge-lists.ts';
import { bindParameters, fillSkillParameters, noParameters } from './parameters.ts';
import {
  type Entry,
  type Node,
  type Operation,
  type Program,
  type ProvenanceStep,
  type ScalarNode,
  type SkillOrigin,
  type SourceUnit,
  sourceOf,
  type Unit,
} from './program.ts';
import { newRun, type Run, type RunInput } from './run.ts';
import { type Scope, toFieldNode } from './values.ts';

interface ResolveInput extends RunInput {
  /** The entry file; without it the program consists of discovered files only. */
  readonly entryId?: string | undefined;
  readonly includeIds?: readonly string[] | undefined;
  /** Skills and commands that were discovered in their folders. The entry is merged over them. */
  readonly discoveredIds?: readonly string[] | undefined;
  readonly localId?: string | undefined;
  /** The file that `inherit` in the configuration names. */
  readonly inherit?: string | undefined;
}

/** Resolves inheritance, imports, changes and parameters. Always returns a program; problems are reported. */
export function resolveProgram(input: ResolveInput, report: Report): Program {
  const { units } = input;
  const run = newRun(input, report);
  const draft = newDraft();
  discover(draft, input, run);
  const entry = input.entryId === undefined ? undefined : units.get(input.entryId);
  const meta = entry ? enter(entry, draft, input, run) : new Map<string, Node>();
  include(draft, input, run);
  addLocal(draft, input, run);
  fillSkillParameters(draft, run);
  const skills = finishSkills(draft, run);
  if (run.hasReferences) checkReferences(draft, run);
  const blocks = [...draft.blocks].sort(
    ([, a], [, b]) => Number(a.early ?? false) - Number(b.early ?? false),
  );
  return {
    meta,
    blocks: new Map(blocks),
    parameters: [...draft.parameters.values()],
    skills,
    units: [...units.values()],
    changes: run.changes,
  };
}

const startOf = (unit: Unit): Span => ({
  source: sourceOf(unit) ?? { name: unit.id, text: '' },
  start: 0,
  end: 0,
});

/** Merges a file into the program, as if a declaration of `operation` in the file imported it. */
function mergeUnit(draft: Draft, unit: Unit, operation: Operation | undefined, run: Run): void {
  const span = startOf(unit);
  const from = resolveUnit(unit, run, span);
  if (from) mergeDraft(draft, from, operation && { operation, span, layer: unit.layer }, run);
}

function discover(draft: Draft, { discoveredIds = [], units }: ResolveInput, run: Run): void {
  for (const id of discoveredIds) {
    const unit = units.get(id);
    if (unit) mergeUnit(draft, unit, undefined, run);
  }
  for (const block of draft.blocks.values()) {
    block.early = true;
    for (const key of block.places.keys()) draft.found.add(`${block.name}.${key}`);
  }
}

/** Resolves the entry over the discovered files; returns the fields of its `@meta`. */
function enter(entry: Unit, draft: Draft, { inherit, units }: ResolveInput, run: Run): Map<string, Node> {
  run.reached.add(entry.id);
  const parent = inherit === undefined ? undefined : units.get(inherit);
  if (parent && !inheritsItself(entry)) {
    const at = startOf(entry);
    const reference = { path: parent.id, arguments: [], quoted: false, span: at };
    const caller = { reference, scope: scopeOf(entry, run) };
    const from = whileVisiting(entry, run, () => resolveUnit(parent, run, at, caller));
    if (from) mergeDraft(draft, from, { operation: 'inherit', span: at, layer: entry.layer }, run);
  }
  if (entry.kind !== 'source') return enterMarkdown(entry, draft, run);
  const binding = bindParameters(entry, run);
  whileVisiting(entry, run, () => applyDocument(entry, draft, run, binding));
  return metaOf(entry, { ...scopeOf(entry, run), parameters: binding.parameters });
}

const inheritsItself = (entry: Unit): boolean =>
  entry.kind === 'source' && entry.document.declarations.some(({ kind }) => kind === 'inherit');

function enterMarkdown(entry: Unit, draft: Draft, run: Run): Map<string, Node> {
  const from = resolveUnit(entry, run, startOf(entry));
  if (!from) return new Map();
  const [document] = from.blocks.get('documents')?.entries ?? [];
  const fields = document?.node.kind === 'object' ? document.node.fields : new Map<string, Node>();
  mergeDraft(draft, from, undefined, run);
  return new Map([...fields].filter(([key]) => key === 'description' || key === 'tags'));
}

const scopeOf = ({ layer }: Unit, run: Run): Scope => ({
  run,
  layer,
  parameters: noParameters,
  operation: 'declare',
});

function metaOf({ document }: SourceUnit, scope: Scope): Map<string, Node> {
  const meta = new Map<string, Node>();
  for (const field of document.declarations.flatMap(one => blockFields(one, 'meta'))) {
    const node = field.key === 'params' ? undefined : toFieldNode(field, scope);
    if (node) meta.set(field.key, node);
  }
  return meta;
}

/** Included files that no reference has reached are merged as if the entry imported them. */
function include(draft: Draft, { includeIds = [], localId, units }: ResolveInput, run: Run): void {
  for (const id of includeIds) {
    const unit = units.get(id);
    if (unit && id !== localId && !run.reached.has(id)) mergeUnit(draft, unit, 'use', run);
  }
}

/** The file of private notes may contain only `@local`: anything else would be missing for everyone else. */
function addLocal(draft: Draft, { localId, units }: ResolveInput, run: Run): void {
  const unit = localId === undefined ? undefined : units.get(localId);
  if (unit?.kind !== 'source' || run.reached.has(unit.id)) return;
  run.reached.add(unit.id);
  const kept = unit.document.declarations.filter(declaration => {
    if (declaration.kind === 'block' && (declaration.name === 'local' || declaration.name === 'meta'))
      return true;
    const found = declaration.kind === 'block' ? `@${declaration.name}` : `@${declaration.kind}`;
    run.report(localOnly({ found, file: unit.document.source.name }, { span: declaration.span }));
    return false;
  });
  const local: SourceUnit = { ...unit, document: { ...unit.document, declarations: kept } };
  const step: ProvenanceStep = { operation: 'use', span: startOf(unit), layer: unit.layer };
  mergeDraft(draft, applyDocument(local, newDraft(), run, bindParameters(local, run)), step, run);
}

const negatable = ['references', 'requires'] as const;

/** Removes negations that remain after merging; returns the origin of each skill with its files. */
function finishSkills(draft: Draft, run: Run): ReadonlyMap<string, SkillOrigin> {
  const origins = new Map<string, SkillOrigin>();
  const block = draft.blocks.get('skills');
  for (const [name, declared] of fieldsOf(block)) {
    const skill = negatable.reduce(
      (node, key) => dropNegations(node, key, `skills.${name}.${key}`, run),
      declared,
    );
    setField(block!, name, skill);
    const origin = draft.skills.get(name) ?? noOrigin;
    const files = itemsOf(fieldIn(skill, 'references')).flatMap(item =>
      item.kind === 'scalar' && item.resource ? [item.resource] : [],
    );
    origins.set(name, { ...origin, resources: joinResources(origin.resources, files) });
  }
  return origins;
}

function dropNegations(skill: Node, key: string, path: string, run: Run): Node {
  const value = fieldIn(skill, key);
  if (skill.kind !== 'object' || value?.kind !== 'list' || !value.items.some(isNegation)) return skill;
  for (const item of value.items) if (isNegation(item)) reportNegation(item, path, run);
  const items = value.items.filter(item => !isNegation(item));
  return withField(skill, key, list(items, value.steps));
}

/** Reports `env()` in fields where tools do not expand variables, and replaces it with its source text. */
function checkReferences(draft: Draft, run: Run): void {
  for (const block of draft.blocks.values()) {
    const { name } = block;
    const hasPlaces = findBlock(name)?.entry?.fields.some(({ variables }) => variables) ?? false;
    block.entries = block.entries.map((entry): Entry => {
      if (entry.kind === 'text') return { ...entry, node: withoutReference(entry.node, name, run) };
      const isChecked = hasPlaces && entry.kind === 'field' && entry.node.kind === 'object';
      const node = isChecked ? checkFields(entry.node, name, run) : withoutReferences(entry.node, name, run);
      return { ...entry, node };
    });
  }
}

function checkFields(node: Node, block: string, run: Run, isOverlay = false): Node {
  if (node.kind !== 'object') return withoutReferences(node, block, run);
  return mapFields(node, (value, field) => {
    // Overlays for single tools repeat fields of the entry.
    if (!isOverlay && (field === 'tools' || field === 'targets') && value.kind === 'object')
      return mapFields(value, changes => checkFields(changes, block, run, true));
    return allowsReferences(block, field) ? value : withoutReferences(value, `${block}.${field}`, run);
  });
}

const withoutReferences = (node: Node, place: string, run: Run): Node =>
  mapScalars(node, scalar => withoutReference(scalar, place, run));

function withoutReference(node: ScalarNode, place: string, { report }: Run): ScalarNode {
  if (typeof node.value !== 'string' || !hasReference(node.value)) return node;
  report(variableMisplaced({ place }, { span: node.steps.at(-1)!.span }));
  return { ...node, value: readableText(node.value) };
}
