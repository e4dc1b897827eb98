import type { Json } from '../kinds/output.ts';
import { isFields } from '../plan/shared-format.ts';
import { jsonFormat } from '../plan/shared-json.ts';
import { yamlFormat } from '../plan/shared-yaml.ts';
import type { Diagnostic } from '../text/diagnostics/diagnostic.ts';
import { splitList } from '../text/split-list.ts';
import { readYaml } from '../text/yaml.ts';

/** The format of a source with servers. */
export const serverFormat = (text: string) => (text.trimStart().startsWith('{') ? jsonFormat : yamlFormat);

/** The servers of a source by name. */
export function serversIn(text: string): Readonly<Record<string, Json>> {
  const parsed = serverFormat(text).parse(text);
  const servers = 'value' in parsed && isFields(parsed.value) ? parsed.value.mcpServers : undefined;
  return isFields(servers) ? servers : {};
}

/** Adds the tool to `except` of a server, unless the server has a list of targets. */
export function exceptServer(text: string, server: string, id: string): string {
  const value = serversIn(text)[server];
  if (!isFields(value) || value.targets !== undefined) return text;
  const { except } = value;
  const named = typeof except === 'string' ? splitList(except) : ((except ?? []) as readonly Json[]);
  return serverFormat(text).change(text, ['mcpServers', server, 'except'], [...named, id]);
}

/** The servers that cannot be written for a tool by findings, by source. */
export function unwrittenServers(findings: readonly Diagnostic[], id: string): Map<string, Set<string>> {
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
