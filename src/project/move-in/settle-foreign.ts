import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Converted } from '../../migrate/foreign/convert.ts';
import { lenientText } from '../../migrate/lenient.ts';
import { isDataObject } from '../../model/data.ts';
import type { Data } from '../../model/model.ts';
import type { Compiling } from '../../session/world.ts';
import { serversPath } from '../../text/places.ts';
import { type DataPath, readYaml } from '../../text/yaml.ts';
import { compileProject } from '../compile.ts';
import { withFiles } from '../write/written-disk.ts';

export interface Settled extends Converted {
  /** What keeps the result from being compiled. */
  readonly errors: readonly Diagnostic[];
}

/**
 * Tries out what a conversion made, and mends what its originals may say and our sources may not: rules that texts do
 * not keep yet become warnings, and a variable that a tool fills in nowhere stands for it as it is written.
 */
export async function settleConverted(
  converted: Converted,
  root: string,
  context: Compiling,
): Promise<Settled> {
  const found = await errorsOf(converted, root, context);
  const rules = new Set(found.flatMap(({ rule }) => rule ?? []));
  const variables = found.filter(isUnwrittenVariable);
  if (rules.size === 0 && variables.length === 0) return { ...converted, errors: found };
  const noted: { path: string; reason: string }[] = [];
  const files = converted.files.map(file => {
    if (typeof file.text !== 'string') return file;
    if (file.path === serversPath) return { ...file, text: withPlainVariables(file.text, variables, noted) };
    const isConfig = file.path === 'instr.yaml' && !/^validation:/m.test(file.text);
    return isConfig ? { ...file, text: [file.text.trimEnd(), ...lenientText(rules), ''].join('\n') } : file;
  });
  const settled = { ...converted, files, left: [...converted.left, ...noted] };
  return { ...settled, errors: await errorsOf(settled, root, context) };
}

async function errorsOf({ files }: Converted, root: string, context: Compiling): Promise<Diagnostic[]> {
  const found: Diagnostic[] = [];
  const disk = withFiles(files, root, context.disk);
  const report = (finding: Diagnostic) => void found.push(finding);
  await compileProject({ mode: 'plan' }, { ...context, disk, report, progress: () => {} });
  return found.filter(({ severity, span, file }) => severity === 'error' && isAboutSources(span, file));
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
