import type { TargetSpec } from '../../generated/types/target.ts';
import { ruleOverridesText, sharedLayout } from '../../migrate/config-text.ts';
import {
  type ConversionRequest,
  type Converted,
  type ConvertedFile,
  convertForeign,
} from '../../migrate/foreign/convert.ts';
import { type PortablePermission, withoutTool } from '../../migrate/foreign/permissions.ts';
import type { Data } from '../../model/model.ts';
import { isObject } from '../../text/data.ts';
import type { Diagnostic } from '../../text/diagnostics/diagnostic.ts';
import { groupBy } from '../../text/group.ts';
import { serversPath } from '../../text/places.ts';
import { type DataPath, readYaml } from '../../text/yaml.ts';
import { plannedContent, tryFiles } from '../preview-update.ts';
import type { CompileContext } from '../session/world.ts';
import { configPath } from './planned-sources.ts';
import { type StillRead, stillRead } from './readers.ts';

export interface CheckedConversion extends Converted {
  /** Findings that prevent a compile of the result. */
  readonly errors: readonly Diagnostic[];
  /** Files that the tools continue to read although no output replaces them. */
  readonly stillRead: readonly StillRead[];
  /** Content of the planned outputs by path. */
  readonly outputs: ReadonlyMap<string, Uint8Array>;
}

/**
 * Compiles a conversion and corrects what is valid in the originals but not in our sources. A permission that a tool
 * could only get in a wider form is removed for that tool, rules with findings become warnings, and a variable that a
 * tool does not replace is written as plain text for it. A main file that was generated for one tool would hide the
 * shared one, so each such tool gets its own main file there. `paths` are the files of the project that are not sources
 * of the other compiler.
 */
export async function checkConversion(
  converted: Converted,
  request: ConversionRequest,
  root: string,
  paths: readonly string[],
  specs: readonly TargetSpec[],
  context: CompileContext,
): Promise<CheckedConversion> {
  const used = specs.filter(({ id }) => converted.targets.includes(id));
  const tryOut = async (made: Converted): Promise<CheckedConversion> => {
    const tried = await tryFiles(made.files, root, context);
    const unreplaced = stillRead(paths, tried.planned, used, root, context);
    return {
      ...made,
      errors: tried.findings.filter(isAboutSources),
      stillRead: unreplaced,
      outputs: plannedContent(tried.compiled?.entries ?? [], root, context),
    };
  };
  let settled = await tryOut(converted);
  const wider = settled.errors.filter(({ code, target, span }) => code === 'PRS7041' && target && span);
  if (wider.length > 0) settled = await tryOut(await withoutWider(wider, request));
  const mended = withoutErrors(settled);
  if (mended) settled = await tryOut(mended);
  if (settled.stillRead.some(({ isMain, path }) => isMain && !path.includes('/'))) {
    const own = await tryOut({ ...settled, files: settled.files.map(withOwnFiles) });
    if (own.errors.length <= settled.errors.length && own.stillRead.length < settled.stillRead.length)
      settled = own;
  }
  return settled;
}

/** Whether an error is about sources; the compile itself reports files that block outputs. */
const isAboutSources = ({ severity, span, file }: Diagnostic): boolean =>
  severity === 'error' &&
  (span !== undefined || file === undefined || file.startsWith('.instr/') || file === configPath);

const withOwnFiles = (file: ConvertedFile): ConvertedFile =>
  file.path === configPath ? { ...file, text: String(file.text).replace(sharedLayout, '') } : file;

async function withoutWider(wider: readonly Diagnostic[], request: ConversionRequest): Promise<Converted> {
  const noted = new Map<string, Set<string>>();
  const change = (one: PortablePermission): PortablePermission => {
    const { decision, subject } = one;
    if (decision !== 'allow') return one;
    const tools = wider.flatMap(({ span, target }) =>
      span!.source.text.slice(span!.start, span!.end).includes(JSON.stringify(subject)) ? [target!] : [],
    );
    const place = `${decision} ${subject}`;
    if (tools.length > 0) noted.set(place, new Set([...(noted.get(place) ?? []), ...tools]));
    return [...new Set(tools)].reduce(withoutTool, one);
  };
  const made = await convertForeign({ ...request, change });
  const left = [...noted].map(([path, tools]) => ({
    path,
    reason: `not for ${[...tools].join(', ')}, where it would allow more than it says`,
  }));
  return { ...made, left: [...made.left, ...left] };
}

/** The conversion with rules as warnings and variables as plain text; `undefined` when neither helps. */
function withoutErrors({ errors, ...converted }: CheckedConversion): Converted | undefined {
  const rules = new Set(errors.flatMap(({ rule }) => rule ?? []));
  const variables = errors.filter(
    ({ code, target, span }) =>
      code === 'PRS7033' && target !== undefined && span?.source.name === serversPath,
  );
  if (rules.size === 0 && variables.length === 0) return undefined;
  const noted: { path: string; reason: string }[] = [];
  const files = converted.files.map(file => {
    const text = String(file.text);
    if (file.path === serversPath) return { ...file, text: withPlainVariables(text, variables, noted) };
    const isOpen = file.path === configPath && !/^validation:/m.test(text);
    return isOpen ? { ...file, text: [text.trimEnd(), ...ruleOverridesText(rules), ''].join('\n') } : file;
  });
  return { ...converted, files, left: [...converted.left, ...noted] };
}

/** The servers, for tools that get the texts with such a variable as plain text. */
function withPlainVariables(
  text: string,
  findings: readonly Diagnostic[],
  noted: { path: string; reason: string }[],
): string {
  const { spanOf } = readYaml({ name: serversPath, text });
  const { mcpServers } = JSON.parse(text) as { mcpServers: Record<string, Record<string, Data>> };
  const escaped = new Map<string, string[]>();
  for (const [target, own] of groupBy(findings, finding => finding.target!)) {
    const starts = new Set(own.map(({ span }) => span!.start));
    const mend = (data: Data, path: DataPath): Data => {
      if (Array.isArray(data)) return data.map((one, index) => mend(one, [...path, index]));
      if (isObject(data))
        return Object.fromEntries(Object.entries(data).map(([key, one]) => [key, mend(one, [...path, key])]));
      if (typeof data !== 'string' || !starts.has(spanOf(path)?.start ?? -1)) return data;
      const place = path.slice(1).join('.');
      escaped.set(place, [...(escaped.get(place) ?? []), target]);
      return data.replace(/\$\{/g, () => '$${');
    };
    for (const [name, { tools, ...fields }] of Object.entries(mcpServers)) {
      const all = isObject(tools) ? tools : {};
      const overridden = isObject(all[target]) ? all[target] : {};
      const changed = Object.entries(fields).flatMap(([field, value]) => {
        const escapedValue = mend(overridden[field] ?? value, ['mcpServers', name, field]);
        return JSON.stringify(escapedValue) === JSON.stringify(overridden[field] ?? value)
          ? []
          : [[field, escapedValue] as const];
      });
      if (changed.length === 0) continue;
      const overlay = { ...overridden, ...Object.fromEntries(changed) };
      mcpServers[name] = { ...fields, tools: { ...all, [target]: overlay } };
    }
  }
  for (const [path, targets] of escaped) {
    const reason = `as it is written for ${targets.join(', ')}, where nothing fills in such a variable`;
    noted.push({ path, reason });
  }
  return `${JSON.stringify({ mcpServers }, null, 2)}\n`;
}
