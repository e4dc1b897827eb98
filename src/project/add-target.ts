import { join } from 'node:path';
import type { Json } from '../kinds/output.ts';
import { importsOf } from '../migrate/entry.ts';
import type { PlanEntry } from '../plan/plan.ts';
import { isFields, replaceRange } from '../plan/shared-format.ts';
import { jsonFormat } from '../plan/shared-json.ts';
import { yamlFormat } from '../plan/shared-yaml.ts';
import { sourceOf, type Unit } from '../resolve/program.ts';
import { resolveTargetName } from '../spec/load.ts';
import type { Body, Document, Field, UseDeclaration, Value } from '../syntax/ast.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { findFrontMatter, listOf } from '../text/front-matter.ts';
import { compareCodeUnits } from '../text/order.ts';
import { isMarkdownPath } from '../text/places.ts';
import { readYaml } from '../text/yaml.ts';
import { compileProject } from './compile.ts';
import { type Edits, enableTarget } from './enable-target.ts';
import { projectRegistries } from './gather/registries.ts';
import { type BrokenLink, moveLinks } from './moved-links.ts';
import { type OpenFailure, openProject } from './open/open.ts';
import { targetNamed } from './open/targets.ts';
import { type CompilePreview, plannedContent, previewCompile } from './preview-update.ts';
import { loadProgram, mainFilesOf } from './program.ts';
import type { CompileContext, WithDisk } from './session/world.ts';
import { withSources, writeSources } from './write/write-sources.ts';

/** A request to enable a tool. */
export interface AddTargetRequest {
  /** Id or label of the tool. */
  readonly name: string;
  /** The enabled tool whose sources are extended to the new one. By default the tool that most sources name. */
  readonly like?: string | undefined;
  readonly dryRun: boolean;
}

/** The changes that enabling a tool makes, or would make. */
export interface AddedTarget extends Pick<CompilePreview, 'files'> {
  readonly root: string;
  readonly id: string;
  /** Whether the tool was enabled before. */
  readonly wasEnabled: boolean;
  /** The tool whose sources were extended to the new one. */
  readonly like?: string | undefined;
  /** Paths of sources that were restricted to that tool and now apply to both. */
  readonly opened: readonly string[];
  /** Paths of sources with permissions that the new tool cannot express; they keep their targets. */
  readonly closed: readonly string[];
  /** Names of servers with variables that the new tool does not fill in; they stay with the other tools. */
  readonly servers: readonly string[];
  /** Main files of other tools whose text the new tool does not get, because it reads another main file. */
  readonly mains: readonly string[];
  /** Whether `includeSkills: false` was removed, so that the tool gets the skills. */
  readonly withSkills: boolean;
  /** Sources whose relative links were rewritten, because their text is now written into another folder. */
  readonly relinked: readonly string[];
  /** Links that lead nowhere from a new output, because the text is in several folders. */
  readonly lostLinks: readonly BrokenLink[];
}

/**
 * Enables a tool in the configuration, and extends sources that name only another tool to it: rules, skills, commands,
 * agents, hooks and servers with `targets`, and `@use … for`. The change is compiled first. Nothing is written if the
 * result has errors; these are reported, and the result is `undefined`.
 */
export async function addTarget(
  { name, like, dryRun }: AddTargetRequest,
  context: CompileContext,
): Promise<AddedTarget | OpenFailure | undefined> {
  const { report, disk } = context;
  const project = await openProject(context);
  if (!project) return 'no-configuration';
  const { custom, root } = project;
  const added = targetNamed(name, custom, report)?.spec;
  const id = added?.id;
  const wanted = like === undefined ? undefined : targetNamed(like, custom, report)?.spec.id;
  if (added === undefined || id === undefined || (like !== undefined && wanted === undefined))
    return 'wrong-request';
  const quiet = { ...context, report: () => {} };
  const before = await compileProject({ mode: 'plan', trial: true }, quiet);
  if (typeof before === 'string') return before;
  const registries = projectRegistries(project, {}, quiet);
  const { program } = await loadProgram(project, project.loaded.config.input.entry, registries, quiet);
  const own = program.units.filter(({ layer }) => !layer.remote);
  const idOf = (target: string) => resolveTargetName(target, custom) ?? target;
  const model = wanted ?? mostNamed(own, idOf, id);
  const others = before.targets.filter(one => one !== id);
  const mains = mainFilesOf(id, project);
  const otherMains = others.flatMap(one => mainFilesOf(one, project));
  const isOwnMain = ownMains(own, mains, otherMains);
  let opening: Opening = { idOf, model, id, others, isOwnMain, closed: new Set(), servers: new Map() };
  const wasEnabled = before.targets.includes(id);
  const attempt = async (opening: Opening) => {
    const edits = openUnits(own, opening);
    const opened = [...edits.keys()].sort(compareCodeUnits);
    const withSkills = enableTarget(project, added, { disk, idOf }, edits);
    return { edits, opened, withSkills, ...(await tryOut(edits, root, context)) };
  };
  const previous = markdownOf(before.entries, root, context);
  let foreseen = await attempt(opening);
  const { findings } = foreseen;
  opening = { ...opening, closed: tooWideSources(findings), servers: unwrittenServers(findings, id) };
  if (opening.closed.size + opening.servers.size > 0) foreseen = await attempt(opening);
  if (foreseen.findings.some(isDisagreement)) {
    opening = { ...opening, isOwnMain: path => mains.includes(path) };
    foreseen = await attempt(opening);
  }
  const errors = foreseen.findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) {
    for (const error of errors) report(error);
    return undefined;
  }
  const links = await moveLinks(
    own.map(unit => withEdit(unit, foreseen.edits)),
    { before: previous, after: markdownOf(foreseen.entries, root, context) },
    path => disk.stat(join(root, path)) !== undefined,
  );
  if (links.edits.size > 0) {
    const edits = new Map([...foreseen.edits, ...links.edits]);
    foreseen = { ...foreseen, edits, ...(await tryOut(edits, root, context)) };
  }
  if (!dryRun && !(await writeSources(root, filesOf(foreseen.edits), context))) return undefined;
  const { opened } = foreseen;
  const left = [...new Set(own.flatMap(mainPins).filter(path => !opening.isOwnMain(path)))];
  return {
    root,
    id,
    wasEnabled,
    like: model,
    opened,
    withSkills: foreseen.withSkills,
    closed: [...opening.closed],
    servers: [...opening.servers.values()].flatMap(names => [...names]),
    mains: left,
    relinked: [...links.edits.keys()].sort(compareCodeUnits),
    lostLinks: links.broken,
    files: foreseen.files,
  };
}

/** Compiles the project with the edits applied in memory. */
const tryOut = (edits: Edits, root: string, context: CompileContext): Promise<CompilePreview> =>
  previewCompile({ ...context, disk: withSources(filesOf(edits), root, context.disk) });

const filesOf = (edits: Edits) => [...edits].map(([path, text]) => ({ path, text }));

/** The texts of Markdown outputs after a compile, by path. */
function markdownOf(
  entries: readonly PlanEntry[],
  root: string,
  context: WithDisk,
): ReadonlyMap<string, string> {
  const decoder = new TextDecoder();
  const planned = plannedContent(
    entries.filter(({ path }) => isMarkdownPath(path)),
    root,
    context,
  );
  return new Map([...planned].map(([path, bytes]) => [path, decoder.decode(bytes).replaceAll('\r\n', '\n')]));
}

/** A Markdown source with its edited text. */
function withEdit(unit: Unit, edits: Edits): Unit {
  if (unit.kind !== 'document' && unit.kind !== 'item') return unit;
  const text = edits.get(unit.source.name);
  return text === undefined ? unit : { ...unit, source: { ...unit.source, text } };
}

/** The `@use` declarations of a unit, with the files that they lead to. */
const usesOf = (unit: Unit) =>
  unit.kind !== 'source'
    ? []
    : importsOf(unit.document).flatMap(use =>
        use.kind === 'use' ? [{ use, leadsTo: unit.references.get(use.reference.path) }] : [],
      );

/** The main files that `@use … into` of a unit names. */
const mainPins = (unit: Unit): string[] => usesOf(unit).flatMap(({ use }) => use.into?.value ?? []);

/**
 * Returns whether the text of a main file is extended to the tool. If the sources have a text for a main file that the
 * tool reads, texts of other main files are not: every tool that reads the file would get them too.
 */
function ownMains(
  units: readonly Unit[],
  own: readonly string[],
  others: readonly string[],
): (path: string) => boolean {
  const hasOwn = units.flatMap(mainPins).some(path => own.includes(path));
  return path => !hasOwn || own.includes(path) || !others.includes(path);
}

interface Opening {
  readonly idOf: (name: string) => string;
  /** The tool whose sources are extended. */
  readonly model: string | undefined;
  /** The tool to which they are extended. */
  readonly id: string;
  readonly others: readonly string[];
  /** Sources with permissions that the tool can express only by allowing more. */
  readonly closed: ReadonlySet<string>;
  /** Servers by source that the tool cannot get, because it fills in no variables there. */
  readonly servers: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether the text for a main file is extended. */
  readonly isOwnMain: (path: string) => boolean;
}

/** The tool that most lists of targets name, except the added one. */
function mostNamed(units: readonly Unit[], idOf: (name: string) => string, id: string): string | undefined {
  const counts = new Map<string, number>();
  for (const unit of units)
    for (const one of listsOf(unit).flatMap(({ names }) => names.map(idOf)))
      if (one !== id) counts.set(one, (counts.get(one) ?? 0) + 1);
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || compareCodeUnits(a, b));
  return sorted[0]?.[0];
}

/** The lists of targets in a source. */
function listsOf(unit: Unit): TargetList[] {
  if (unit.kind === 'source') return listsIn(unit.document);
  const text = sourceOf(unit)?.text ?? '';
  return unit.kind === 'servers' ? serverLists(text) : frontMatterLists(text);
}

/**
 * Adds the tool to each list that has the model tool and not the new one. Imports of files in `closed`, and servers that
 * the tool cannot get, keep their targets.
 */
function openUnits(units: readonly Unit[], opening: Opening): Edits {
  const { idOf, model, id, others, isOwnMain, closed, servers } = opening;
  const isOpened = ({ names }: TargetList) => {
    const ids = names.map(idOf);
    return model !== undefined && ids.includes(model) && !ids.includes(id);
  };
  const keptUses = (unit: Unit) =>
    usesOf(unit).filter(
      ({ use, leadsTo }) => closed.has(leadsTo ?? '') || (use.into && !isOwnMain(use.into.value)),
    );
  const edits: Edits = new Map();
  for (const unit of units) {
    const source = sourceOf(unit);
    if (!source) continue;
    const kept = keptUses(unit).map(({ use }) => use);
    const without = servers.get(source.name) ?? new Set<string>();
    const lists = listsOf(unit).filter(
      ({ at, server = '' }) =>
        !without.has(server) && !kept.some(({ span }) => span.start < at && at <= span.end),
    );
    const pins = kept.filter(({ targets }) => !targets).map(({ span: { end } }) => restriction(end, others));
    let { text } = source;
    for (const list of [...lists.filter(isOpened), ...pins].sort((a, b) => b.at - a.at))
      text = list.add(text, id);
    for (const server of without) text = exceptServer(text, server, id);
    if (text !== source.text) edits.set(source.name, text);
  }
  return edits;
}

/** A `for` clause for a `@use` without one. */
const restriction = (at: number, targets: readonly string[]): TargetList => ({
  names: [],
  at,
  add: text => replaceRange(text, at, at, ` for ${targets.join(', ')}`),
});

/** A list of targets in a text. */
interface TargetList {
  readonly names: readonly string[];
  /** The offset of the change. Lists in structured files are located by key instead. */
  readonly at: number;
  /** The server that it belongs to. */
  readonly server?: string;
  readonly add: (text: string, name: string) => string;
}

/** The lists of targets in a source, in text order. */
function listsIn({ declarations }: Document): TargetList[] {
  const found: TargetList[] = [];
  const inUse = ({ targets }: UseDeclaration) => {
    const last = targets?.at(-1)?.span.end;
    if (targets && last !== undefined)
      found.push({
        names: targets.map(({ name }) => name),
        at: last,
        add: (text, name) => replaceRange(text, last, last, `, ${name}`),
      });
  };
  const inValue = (value: Value | undefined): void => {
    if (value?.kind === 'object') for (const field of value.fields) inField(field);
  };
  const inField = ({ key, value }: Field): void => {
    if (key !== 'targets') {
      inValue(value);
      return;
    }
    const items = value?.kind === 'array' ? value.items : value ? [value] : [];
    const last = items.at(-1)?.span;
    if (!last || !items.every(item => item.kind === 'string')) return;
    found.push({
      names: items.map(item => (item.kind === 'string' ? item.value : '')),
      at: last.end,
      add: (text, name) =>
        value!.kind === 'array'
          ? replaceRange(text, last.end, last.end, `, "${name}"`)
          : replaceRange(text, last.start, last.end, `[${text.slice(last.start, last.end)}, "${name}"]`),
    });
  };
  const inBody = ({ items }: Body): void => {
    for (const item of items) {
      if (item.kind === 'field') inField(item);
      else if (item.kind === 'item') inValue(item.value);
      else if (item.kind === 'use') inUse(item);
    }
  };
  for (const declaration of declarations) {
    if (declaration.kind === 'use') inUse(declaration);
    else if ('body' in declaration && declaration.body) inBody(declaration.body);
  }
  return found;
}

/** The list of targets in the front matter of a Markdown file. */
function frontMatterLists(text: string): TargetList[] {
  const found = findFrontMatter(text);
  if (!found) return [];
  const inner = text.slice(found.start, found.end);
  const parsed = yamlFormat.parse(inner);
  const targets = 'value' in parsed && isFields(parsed.value) ? parsed.value.targets : undefined;
  const names = listOf(targets);
  if (names.length === 0) return [];
  const changed = (name: string) =>
    Array.isArray(targets)
      ? yamlFormat.change(inner, ['targets', names.length], name)
      : yamlFormat.change(inner, ['targets'], [...names, name]);
  return [{ names, at: 0, add: (whole, name) => replaceRange(whole, found.start, found.end, changed(name)) }];
}

/** The lists of targets in a file of MCP servers. */
function serverLists(text: string): TargetList[] {
  const format = serverFormat(text);
  return Object.entries(serversIn(text)).flatMap(([server, value]): TargetList[] => {
    const targets = isFields(value) ? value.targets : undefined;
    const names = listOf(targets);
    if (!Array.isArray(targets) || names.length === 0) return [];
    const path = ['mcpServers', server, 'targets', names.length];
    return [{ names, at: 0, server, add: (whole, name) => format.change(whole, path, name) }];
  });
}

/** Whether a finding says that tools that share a file would get different texts. */
const isDisagreement = ({ code, severity }: Diagnostic): boolean =>
  code === 'PRS7020' && severity === 'error';

/** The sources with permissions that could only be expressed by allowing more. */
const tooWideSources = (findings: readonly Diagnostic[]): ReadonlySet<string> =>
  new Set(findings.filter(isTooWide).flatMap(({ span }) => span?.source.name ?? []));

/** Whether a finding says that a permission could only be expressed by allowing more. */
const isTooWide = ({ code, severity }: Diagnostic): boolean => code === 'PRS7041' && severity === 'error';

/** The format of a source with servers. */
const serverFormat = (text: string) => (text.trimStart().startsWith('{') ? jsonFormat : yamlFormat);

/** The servers of a source by name. */
function serversIn(text: string): Readonly<Record<string, Json>> {
  const parsed = serverFormat(text).parse(text);
  const servers = 'value' in parsed && isFields(parsed.value) ? parsed.value.mcpServers : undefined;
  return isFields(servers) ? servers : {};
}

/** Adds the tool to `except` of a server, unless the server has a list of targets. */
function exceptServer(text: string, server: string, id: string): string {
  const value = serversIn(text)[server];
  if (!isFields(value) || value.targets !== undefined) return text;
  const path = ['mcpServers', server, 'except'];
  return serverFormat(text).change(text, path, [...listOf(value.except), id]);
}

/** The servers that cannot be written for a tool by findings, by source. */
function unwrittenServers(findings: readonly Diagnostic[], id: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { code, severity, span, target } of findings) {
    if (code !== 'PRS7033' || severity !== 'error' || target !== id || !span) continue;
    const { name, text } = span.source;
    const yaml = readYaml({ name, text });
    const server = Object.keys(serversIn(text)).find(one => {
      const whole = yaml.spanOf(['mcpServers', one]);
      return whole && whole.start <= span.start && span.end <= whole.end;
    });
    if (server !== undefined) found.set(name, (found.get(name) ?? new Set()).add(server));
  }
  return found;
}
