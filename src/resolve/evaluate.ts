import {
  aliasTwice,
  importCycle,
  importTooDeep,
  inheritTwice,
  programTooLarge,
} from '../generated/diagnostics.ts';
import type {
  BlockDeclaration,
  Declaration,
  InheritDeclaration,
  Reference,
  UseDeclaration,
} from '../syntax/ast.ts';
import type { Span } from '../text/source.ts';
import { canonicalBlock } from './catalogue.ts';
import { applyExtend, applyOverride } from './change.ts';
import { addPhase } from './compose.ts';
import { type Draft, newDraft, withEntries } from './draft.ts';
import { reportAgentClashes, takeImport } from './imports.ts';
import { documentDraft, itemDraft, skillDraft } from './markdown.ts';
import { dropReplacedOrigins, mergeBlock, mergeDraft } from './merge.ts';
import { mergeContext } from './merge-context.ts';
import { type Binding, bindParameters, type Caller, parameterArguments } from './parameters.ts';
import { type ProvenanceStep, type SourceUnit, sourceOf, type Unit } from './program.ts';
import { depthLimit, instanceLimit, isFirst, type Run, reportOnce } from './run.ts';
import { serversDraft } from './servers.ts';
import { checkSyntaxVersion, isOrdered } from './syntax-version.ts';
import { declareBlock, type InlineUse, type Scope, stepAt } from './values.ts';
import { writtenForm } from './written-at.ts';

function resolveReference(
  { reference }: UseDeclaration | InheritDeclaration,
  unit: SourceUnit,
  scope: Scope,
): Draft | undefined {
  const target = scope.run.units.get(unit.references.get(writtenForm(reference)) ?? '');
  return target && resolveUnit(target, scope.run, reference.span, { reference, scope });
}

/**
 * Resolves a file with everything that it inherits and imports. Results are cached by file and arguments, and
 * must not be modified.
 */
export function resolveUnit(unit: Unit, run: Run, at: Span, caller?: Caller): Draft | undefined {
  if (!mayEnter(unit, run, at)) return undefined;
  run.reached.add(unit.id);
  const binding = unit.kind === 'source' ? bindParameters(unit, run, caller) : undefined;
  const key = `${unit.id}\n${binding?.key ?? argumentKey(caller)}`;
  const known = run.results.get(key);
  if (known) return known;
  const draft = whileVisiting(unit, run, () => resolveContent(unit, run, at, binding, caller));
  run.results.set(key, draft);
  return draft;
}

/** Runs `action`, during which a reference to the unit is a cycle. */
export function whileVisiting<T>(unit: Unit, run: Run, action: () => T): T {
  run.visits.push(unit);
  const result = action();
  run.visits.pop();
  return result;
}

/** A cache key for the arguments of a Markdown skill as written: equal texts give equal skills. */
const argumentKey = (caller: Caller | undefined): string =>
  parameterArguments(caller?.reference)
    .map(({ span }) => span.source.text.slice(span.start, span.end))
    .join('\n');

function resolveContent(
  unit: Unit,
  run: Run,
  at: Span,
  binding: Binding | undefined,
  caller: Caller | undefined,
): Draft {
  switch (unit.kind) {
    case 'source':
      return applyDocument(unit, newDraft(), run, binding!);
    case 'skill':
      return skillDraft(unit, run, caller);
    case 'item':
      return itemDraft(unit, run);
    case 'document':
      return documentDraft(unit, run);
    case 'servers':
      return serversDraft(unit, run);
    case 'directory': {
      const draft = newDraft();
      for (const id of unit.skills) {
        const skill = run.units.get(id);
        const from = skill && resolveUnit(skill, run, at, caller);
        if (from) mergeDraft(draft, from, undefined, run);
      }
      return draft;
    }
  }
}

const nameOf = (unit: Unit): string => sourceOf(unit)?.name ?? unit.id;

function mayEnter(unit: Unit, run: Run, at: Span): boolean {
  const start = run.visits.findIndex(visit => visit.id === unit.id);
  if (start !== -1) {
    const chain = [...run.visits.slice(start), unit].map(nameOf).join(' → ');
    reportOnce(run, `cycle ${at.source.name} ${at.start}`, importCycle({ chain }, { span: at }));
    return false;
  }
  if (run.visits.length >= depthLimit) {
    reportOnce(run, 'depth', importTooDeep({ limit: depthLimit }, { span: at }));
    return false;
  }
  const limit = run.units.size + instanceLimit;
  if (run.results.size < limit) return true;
  reportOnce(run, 'units', programTooLarge({ limit }, { span: at }));
  return false;
}

/** The application of the declarations of a file to a draft. */
interface Application {
  readonly unit: SourceUnit;
  readonly draft: Draft;
  /** The last import with each alias. */
  readonly aliases: Map<string, UseDeclaration>;
}

/** Applies the declarations of a file to a draft, in the order that its syntax version defines. */
export function applyDocument(unit: SourceUnit, draft: Draft, run: Run, binding: Binding): Draft {
  const { document, layer, resources } = unit;
  const { parameters } = binding;
  if (isFirst(run, `syntax ${unit.id}`)) checkSyntaxVersion(document, run.report);
  const to: Application = { unit, draft, aliases: new Map() };
  let inherited: InheritDeclaration | undefined;
  for (const declaration of inOrder(document.declarations, isOrdered(document))) {
    const operation = declaration.kind === 'block' ? 'declare' : declaration.kind;
    const scope: Scope = { run, layer, parameters, operation, resources };
    if (declaration.kind === 'block') applyBlock(declaration, to, scope);
    else if (declaration.kind === 'use') applyUse(declaration, to, scope);
    else if (declaration.kind === 'extend')
      applyPhases(applyExtend(declaration, draft, to.aliases, scope), to, scope);
    else if (declaration.kind === 'override') applyOverride(declaration, draft, to.aliases, scope);
    else if (inherited) reportSecondInherit(declaration, inherited, run);
    else {
      inherited = declaration;
      const from = resolveReference(declaration, unit, scope);
      if (from) mergeDraft(draft, from, stepAt(scope, declaration.span), run);
    }
  }
  for (const parameter of binding.shown) draft.parameters.set(parameter.name, parameter);
  return draft;
}

/** Before 1.5.0 the order of application is inherit, use, blocks, extend, regardless of source order. */
function inOrder(declarations: readonly Declaration[], ordered: boolean): readonly Declaration[] {
  if (ordered) return declarations;
  return (['inherit', 'use', 'block', 'extend', 'override'] as const).flatMap(kind =>
    declarations.filter(declaration => declaration.kind === kind),
  );
}

function reportSecondInherit(declaration: InheritDeclaration, first: InheritDeclaration, run: Run): void {
  const related = [{ message: 'the first one', span: first.span }];
  const { span } = declaration.reference;
  const key = `inherit ${span.source.name} ${span.start}`;
  reportOnce(run, key, inheritTwice({}, { span, related }));
}

/**
 * Records an alias, which refers to one file only. The same file may be imported again with the same alias.
 */
function addAlias(declaration: UseDeclaration, { unit, aliases }: Application, run: Run): void {
  const { alias, reference } = declaration;
  if (!alias) return;
  const { name, span } = alias;
  const first = aliases.get(name);
  const targetOf = (to: Reference) => unit.references.get(writtenForm(to));
  if (first && targetOf(first.reference) !== targetOf(reference)) {
    const related = [{ message: 'the other one', span: first.alias!.span }];
    const key = `alias ${span.source.name} ${span.start}`;
    reportOnce(run, key, aliasTwice({ alias: name }, { span, related }));
  }
  aliases.set(name, declaration);
}

function applyBlock(declaration: BlockDeclaration, to: Application, scope: Scope): void {
  const name = canonicalBlock(declaration.name);
  if (name === 'meta') return;
  const { block, uses } = declareBlock(name, declaration.body, declaration.nameSpan, scope);
  // The fields of `@params` are bound already; only its texts and items remain.
  const unkeyed = name === 'params' ? block.entries.filter(({ kind }) => kind !== 'field') : undefined;
  if (unkeyed?.length === 0) return;
  const m = mergeContext(scope.run, { hiding: new Set() });
  mergeBlock(to.draft, unkeyed ? withEntries(block, unkeyed) : block, m);
  dropReplacedOrigins(to.draft, m.winners);
  applyPhases(uses, to, scope);
}

function applyPhases(uses: readonly InlineUse[], { unit, draft }: Application, scope: Scope): void {
  for (const use of uses) {
    const from = resolveReference(use.declaration, unit, scope);
    const rest = from && addPhase(draft, use, from, scope);
    const step: ProvenanceStep = { operation: 'use', span: use.declaration.span, layer: scope.layer };
    if (rest) mergeDraft(draft, rest, step, scope.run);
  }
}

function applyUse(declaration: UseDeclaration, to: Application, scope: Scope): void {
  const { unit, draft } = to;
  const { run } = scope;
  addAlias(declaration, to, run);
  const resolved = resolveReference(declaration, unit, scope);
  if (!resolved) return;
  const from = takeImport(resolved, declaration, scope);
  reportAgentClashes(draft, from, scope);
  mergeDraft(draft, from, stepAt(scope, declaration.span), run);
}
