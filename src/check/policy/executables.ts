import { type Block, catalogue, type Field } from '../../generated/blocks.ts';
import { executableNotAllowed } from '../../generated/diagnostics.ts';
import type { ExecutableSourcesPolicy } from '../../generated/types/config.ts';
import { findBlock } from '../../resolve/catalogue.ts';
import { printNodePath } from '../../resolve/path.ts';
import type { Node, Program, Resource, Unit } from '../../resolve/program.ts';
import { toBase64 } from '../../text/bytes.ts';
import { groupBy } from '../../text/group.ts';
import type { Layer } from '../../text/layer.ts';
import { compareCodeUnits } from '../../text/order.ts';
import type { Span } from '../../text/source.ts';
import { resourcesOf } from '../documents.ts';
import { findingOf, type PolicyCheck } from './kind.ts';
import { longestCover } from './names.ts';

/** Reports executable content from registries that are not allowed to provide it. */
export const checkExecutableSources: PolicyCheck<ExecutableSourcesPolicy> = context => {
  const { policy, program, report, namesOf } = context;
  const allowed = policy.allowed.map(prefix => `\`${prefix}\``).join(', ') || 'the project itself';
  for (const { name, word, layers, span } of executablesOf(program)) {
    for (const { reference } of layers) {
      if (longestCover(policy.allowed, namesOf(reference)) !== undefined) continue;
      const holes = { name, word, reference, policy: policy.name, allowed };
      report(executableNotAllowed(holes, findingOf(context, span)));
    }
  }
};

/** Content from a registry that runs, or may run, on the machine of a user of the project. */
export interface Executable {
  /** Its name: `hooks.lint`, `skills.release.allowedTools`, `skills.release/run.sh`. */
  readonly name: string;
  /** What it is, in a word for people. */
  readonly word: string;
  /** The registries that contributed to it, without duplicates. */
  readonly layers: readonly Layer[];
  /** The span in the first of them. */
  readonly span: Span;
  /** What it runs or permits, as far as registries define it; equal texts are equivalent. */
  readonly content: () => string;
}

/** A value that comes from a registry. */
interface Leaf {
  readonly path: readonly string[];
  readonly value: unknown;
  readonly layers: readonly Layer[];
  readonly span: Span;
}

/** All executable content that registries contribute to a program, sorted by name. */
export function executablesOf(program: Program): Executable[] {
  const units = program.units.filter(({ layer }) => layer.remote);
  if (units.length === 0) return [];
  const found: Executable[] = units.flatMap(filesOf);
  for (const [name, { entries }] of program.blocks) {
    const block = findBlock(name);
    if (!block || block.prose) continue;
    for (const entry of entries) {
      if (entry.kind === 'field' && !block.entry) found.push(...inList(block, entry.key, entry.node));
      else if (entry.kind === 'field') found.push(...inEntry(block, entry.key, entry.node));
    }
  }
  for (const [skill, { extra, source }] of program.skills) {
    const unit = source && units.find(one => one.kind === 'skill' && one.source === source);
    if (unit) found.push(...inFrontMatter(skill, extra, unit.layer, { source: source!, start: 0, end: 0 }));
  }
  return found.sort((a, b) => compareCodeUnits(a.name, b.name));
}

/** The items of a list that permits something. */
function inList(block: Block, key: string, node: Node): Executable[] {
  if (!block.fields?.some(field => field.name === key && field.executable)) return [];
  const items = node.kind === 'list' ? node.items : [node];
  return items.flatMap(item => {
    const leaves = leavesOf(item, []);
    const text = leaves[0] && String(leaves[0].value);
    return text === undefined ? [] : [executable([block.name, key, text], 'permission', leaves)];
  });
}

function inEntry(block: Block, key: string, node: Node): Executable[] {
  const leaves = leavesOf(node, []);
  if (leaves.length === 0) return [];
  if (block.entry!.executable) return [executable([block.name, key], block.name, leaves)];
  const groups = groupBy(leaves, ({ path }) => permissionIn(block, path));
  const fields = [...groups].flatMap(([field, group]) =>
    field === undefined ? [] : [executable([block.name, key, ...field.split('\n')], 'permission', group)],
  );
  const commands = leaves.flatMap(leaf => {
    const commands = typeof leaf.value === 'string' ? shellCommands(leaf.value) : [];
    return commands.length > 0 ? [{ ...leaf, value: commands }] : [];
  });
  return commands.length === 0
    ? fields
    : [...fields, executable([block.name, key], 'shell command', commands)];
}

/**
 * The field by which a value permits something: by its name, or for a single tool, where unknown fields
 * belong to the tool.
 */
function permissionIn(block: Block, [field, tool, ...inner]: readonly string[]): string | undefined {
  if (field === undefined) return undefined;
  const known = fieldByKey(block, field);
  const isForTools =
    known?.members === 'entry' && tool !== undefined && inner.length > 0 && !/^\d/.test(tool);
  if (!isForTools) return known?.executable ? field : undefined;
  const changed = fieldByKey(block, inner[0]!);
  return !changed || changed.executable ? [field, tool, inner[0]!].join('\n') : undefined;
}

const fieldByKey = (block: Block, key: string): Field | undefined =>
  block.entry!.fields.find(({ name, keys }) => name === key || keys?.some(word => word === key));

/**
 * Front matter keys that are passed on to tools unchanged: any of them that is not known to be harmless may
 * run something.
 */
function inFrontMatter(
  skill: string,
  extra: ReadonlyMap<string, unknown>,
  layer: Layer,
  span: Span,
): Executable[] {
  return [...extra].flatMap(([key, value]) => {
    if (!executableKeys.has(key) && (typeof value !== 'object' || value === null)) return [];
    const leaf: Leaf = { path: [key], value, layers: [layer], span };
    return [executable(['skills', skill, key], 'permission', [leaf])];
  });
}

const executableKeys: ReadonlySet<string> = new Set(
  catalogue.blocks.flatMap(({ name, entry }) => [
    ...(entry?.executable ? [name] : []),
    ...(entry?.fields ?? []).flatMap(field => (field.executable ? [field.name, ...(field.keys ?? [])] : [])),
  ]),
);

const words: Readonly<Record<string, string>> = { hooks: 'hook', mcpServers: 'MCP server' };

function executable(path: readonly string[], kind: string, leaves: readonly Leaf[]): Executable {
  const layers = new Map(leaves.flatMap(leaf => leaf.layers.map(layer => [layer.reference, layer] as const)));
  return {
    name: printNodePath(path),
    word: words[kind] ?? kind,
    layers: [...layers.values()],
    span: leaves[0]!.span,
    content: () => JSON.stringify(leaves.map(({ path, value }) => [path, value])),
  };
}

const replacing: ReadonlySet<string> = new Set(['declare', 'replace', 'override']);

/** The values below a node that come from registries and were not replaced by the project. */
function leavesOf(node: Node, path: readonly string[]): Leaf[] {
  if (node.kind === 'object')
    return [...node.fields].flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
  if (node.kind === 'list')
    return node.items.flatMap((item, index) => leavesOf(item, [...path, String(index)]));
  if (node.parts) return node.parts.flatMap((part, index) => leavesOf(part, [...path, String(index)]));
  const remote = node.steps.filter(({ layer }) => layer.remote);
  const last = node.steps.findLast(({ operation }) => operation !== 'parameter');
  if (remote.length === 0 || (last && !last.layer.remote && replacing.has(last.operation))) return [];
  return [{ path, value: node.value, layers: remote.map(({ layer }) => layer), span: remote[0]!.span }];
}

/** The commands in a text that tools run before the model reads the text. */
const shellCommands = (text: string): string[] =>
  catalogue.shell.flatMap(pattern => text.match(new RegExp(pattern, 'gm')) ?? []);

/** Executable files of skills in a unit, by mode or by first line. */
function filesOf(unit: Unit): Executable[] {
  if (unit.kind !== 'skill' && unit.kind !== 'source') return [];
  const span = { source: unit.kind === 'skill' ? unit.source : unit.document.source, start: 0, end: 0 };
  const place = unit.kind === 'skill' ? `skills.${unit.folder}` : 'skills';
  const resources = new Set([...resourcesOf(unit)].map(([, resource]) => resource));
  return [...resources].filter(canRun).map(resource => ({
    name: `${place}/${resource.path}`,
    word: 'executable file',
    layers: [unit.layer],
    span,
    content: () => toBase64(resource.read()),
  }));
}

function canRun(resource: Resource): boolean {
  if (resource.executable) return true;
  const [first, second] = resource.read();
  return first === 0x23 && second === 0x21;
}
