import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { TargetSpec } from '../../generated/types/target.ts';
import { lenientText, sharedLayout } from '../../migrate/config-text.ts';
import type { Converted, ConvertedFile } from '../../migrate/foreign/convert.ts';
import { withoutTool } from '../../migrate/foreign/permissions.ts';
import type { Unreplaced } from '../../migrate/takeover.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { Compiling } from '../../session/world.ts';
import { serversPath } from '../../text/places.ts';
import { type DataPath, readYaml } from '../../text/yaml.ts';
import { plannedPaths, tryFiles } from '../try-files.ts';
import { unreplaced } from './beside.ts';

/** Converted sources, and what a compile of them says. */
export interface Settled extends Converted {
  /** What keeps the result from being compiled. */
  readonly errors: readonly Diagnostic[];
  /** What its tools go on reading though nothing is written there any more. */
  readonly beside: readonly Unreplaced[];
}

/** What a compile of the converted sources would come to. */
interface Trial {
  readonly errors: readonly Diagnostic[];
  readonly planned: ReadonlySet<string>;
}

/** What is there: `paths` are files of the project that are no sources of the other compiler. */
export interface Present {
  readonly root: string;
  readonly paths: readonly string[];
  readonly specs: readonly TargetSpec[];
}

/**
 * Tries out what a conversion made, and mends what its originals may say and our sources may not: rules that texts do
 * not keep yet become warnings, and a variable that a tool fills in nowhere stands for it as it is written. A main file
 * that was generated for a tool would hide the shared one from it: each tool then has its own, in that place.
 */
export async function settleConverted(
  converted: Converted,
  present: Present,
  context: Compiling,
): Promise<Settled> {
  const settled = await withoutErrors(converted, present.root, context);
  const used = present.specs.filter(({ id }) => converted.targets.includes(id));
  const below = present.paths.map(path => ({ path }));
  const besideOf = ({ planned }: Trial) => unreplaced(below, planned, used, present.root, context);
  let { made, trial } = settled;
  let beside = besideOf(trial);
  if (beside.some(({ isMain, path }) => isMain && !path.includes('/'))) {
    const own = { ...made, files: made.files.map(withOwnFiles) };
    const other = await tryOut(own, present.root, context);
    const left = besideOf(other);
    if (other.errors.length <= trial.errors.length && left.length < beside.length)
      [made, trial, beside] = [own, other, left];
  }
  return { ...made, errors: trial.errors, beside };
}

/** The configuration without a main file for several tools. */
const withOwnFiles = (file: ConvertedFile): ConvertedFile =>
  file.path === 'instr.yaml' && typeof file.text === 'string'
    ? { ...file, text: file.text.replace(sharedLayout, '') }
    : file;

async function withoutErrors(
  converted: Converted,
  root: string,
  context: Compiling,
): Promise<{ readonly made: Converted; readonly trial: Trial }> {
  const tried = await tryOut(converted, root, context);
  const { made: given, trial: first } = await withoutWider(converted, tried, root, context);
  const found = first.errors;
  const rules = new Set(found.flatMap(({ rule }) => rule ?? []));
  const variables = found.filter(isUnwrittenVariable);
  if (rules.size === 0 && variables.length === 0) return { made: given, trial: first };
  const noted: { path: string; reason: string }[] = [];
  const files = given.files.map(file => {
    if (typeof file.text !== 'string') return file;
    if (file.path === serversPath) return { ...file, text: withPlainVariables(file.text, variables, noted) };
    const isConfig = file.path === 'instr.yaml' && !/^validation:/m.test(file.text);
    return isConfig ? { ...file, text: [file.text.trimEnd(), ...lenientText(rules), ''].join('\n') } : file;
  });
  const made = { ...given, files, left: [...given.left, ...noted] };
  return { made, trial: await tryOut(made, root, context) };
}

/** Permissions that a tool could only be given wider than they are, without that tool. */
async function withoutWider(
  converted: Converted,
  trial: Trial,
  root: string,
  context: Compiling,
): Promise<{ readonly made: Converted; readonly trial: Trial }> {
  const wider = trial.errors.filter(({ code, target, span }) => code === 'PRS7041' && target && span);
  if (wider.length === 0) return { made: converted, trial };
  const noted = new Map<string, string[]>();
  const files = converted.withPermissions(one => {
    const mine = wider.filter(({ span }) =>
      span!.source.text.slice(span!.start, span!.end).includes(JSON.stringify(one.subject)),
    );
    const tools = one.decision === 'allow' ? [...new Set(mine.map(({ target }) => target!))] : [];
    if (tools.length > 0)
      noted.set(`${one.decision} ${one.subject}`, [
        ...new Set([...(noted.get(`${one.decision} ${one.subject}`) ?? []), ...tools]),
      ]);
    return tools.reduce(withoutTool, one);
  });
  const left = [...noted].map(([path, tools]) => ({
    path,
    reason: `not for ${tools.join(', ')}, where it would allow more than it says`,
  }));
  const made = { ...converted, files, left: [...converted.left, ...left] };
  return { made, trial: await tryOut(made, root, context) };
}

async function tryOut({ files }: Converted, root: string, context: Compiling): Promise<Trial> {
  const tried = await tryFiles(files, root, context);
  const errors = tried.findings.filter(
    ({ severity, span, file }) => severity === 'error' && isAboutSources(span, file),
  );
  return { errors, planned: plannedPaths(tried) };
}

/** What lies in the place of outputs is told by the compile itself. */
const isAboutSources = (span: Diagnostic['span'], file: string | undefined): boolean =>
  span !== undefined || file === undefined || file.startsWith('.instr/') || file === 'instr.yaml';

const isUnwrittenVariable = ({ code, target, span }: Diagnostic): boolean =>
  code === 'PRS7033' && target !== undefined && span?.source.name === serversPath;

/** The servers, where those tools get the named values letter by letter. */
function withPlainVariables(
  text: string,
  findings: readonly Diagnostic[],
  noted: { path: string; reason: string }[],
): string {
  const file = readYaml({ name: serversPath, text });
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, Record<string, Data>> };
  const told = new Map<string, string[]>();
  for (const { target, span } of findings) {
    const path = stringsIn(mcpServers, ['mcpServers']).find(one => file.spanOf(one)?.start === span!.start);
    if (!path) continue;
    const [, name, field, ...rest] = path as [string, string, string, ...(string | number)[]];
    const server = mcpServers[name]!;
    const tools = isDataObject(server.tools) ? server.tools : {};
    const own = isDataObject(tools[target!]) ? (tools[target!] as Record<string, Data>) : {};
    const changed = changeAt(own[field] ?? server[field]!, rest, plain);
    mcpServers[name] = { ...server, tools: { ...tools, [target!]: { ...own, [field]: changed } } };
    const place = [name, field, ...rest].join('.');
    told.set(place, [...(told.get(place) ?? []), target!]);
  }
  for (const [path, targets] of told)
    noted.push({
      path,
      reason: `as it is written for ${targets.join(', ')}, where nothing fills in such a variable`,
    });
  return `${JSON.stringify({ mcpServers }, null, 2)}\n`;
}

const plain = (text: string): string => text.replace(/\$\{/g, () => '$${');

function stringsIn(data: Data, path: DataPath): DataPath[] {
  if (typeof data === 'string') return [path];
  const entries = Array.isArray(data) ? [...data.entries()] : isDataObject(data) ? Object.entries(data) : [];
  return entries.flatMap(([key, inner]) => stringsIn(inner as Data, [...path, key]));
}

function changeAt(data: Data, path: DataPath, change: (text: string) => string): Data {
  const [key, ...rest] = path;
  if (key === undefined) return typeof data === 'string' ? change(data) : data;
  if (Array.isArray(data))
    return data.map((inner, index) => (index === key ? changeAt(inner, rest, change) : inner));
  if (!isDataObject(data)) return data;
  return { ...data, [key]: changeAt(data[key]!, rest, change) };
}
