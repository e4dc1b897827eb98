import type { EntriesFile, PermissionForm } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import { usesField } from '../places.ts';
import type { ItemsRead } from '../read/parts.ts';
import { type PermissionText, permissionTexts, readPermissions } from '../read/permissions.ts';
import { matchTemplate, nameIn } from '../write/permissions.ts';

/** A place with what was read from it. */
export interface PlaceRead extends ItemsRead {
  readonly place: EntriesFile;
}

/** A permission about a tool of a server in the file, or about all of them when `tool` is absent. */
interface AboutTool {
  readonly permission: PermissionText;
  readonly tool?: string;
}

/**
 * Moves permissions about tools of servers to the servers. A denied tool becomes disabled. If all tools of a
 * server are denied except named ones, these become the enabled tools.
 */
export function withServerTools(data: Data, reads: readonly PlaceRead[]): readonly PlaceRead[] {
  const servers = reads.flatMap(({ place, items }) => (place.of === 'mcpServers' ? items : []));
  const ours = reads.find(({ place }) => place.of === 'permissions' && place.permissions?.mcp);
  if (!ours || servers.length === 0) return reads;
  const facts = ours.place.permissions!;
  const isWritten = (field: string) =>
    reads.some(({ place }) => place.of === 'mcpServers' && usesField(place, [field]));
  const keys = servers.map(({ key }) => key).sort((a, b) => b.length - a.length);
  const about = toolsByServer(permissionTexts(data, ours.place, facts), keys);
  const taken = new Set<string>();
  const fields = new Map<string, Map<string, Data>>();
  for (const [server, all] of about) {
    const own = new Map<string, Data>();
    const take = (field: string, tools: readonly AboutTool[]) => {
      if (tools.length === 0 || isWritten(field)) return false;
      own.set(
        field,
        tools.map(({ tool }) => tool!),
      );
      // An allowed tool is more than an enabled one, so its permission stays.
      for (const { permission } of tools) if (permission.decision !== 'allow') taken.add(keyOf(permission));
      return true;
    };
    take(
      'disabledTools',
      all.filter(({ tool, permission }) => tool !== undefined && permission.decision === 'deny'),
    );
    const { rest, tools } = enabledIn(all, facts.wins);
    if (rest && take('enabledTools', tools)) taken.add(keyOf(rest.permission));
    if (own.size > 0) fields.set(server, own);
  }
  if (fields.size === 0) return reads;
  return reads.map(read => {
    if (read === ours)
      return { ...read, ...readPermissions(data, read.place, facts, said => taken.has(keyOf(said))) };
    if (read.place.of !== 'mcpServers') return read;
    const items = read.items.map(item => ({
      ...item,
      fields: new Map([...item.fields, ...(fields.get(item.key) ?? [])]),
    }));
    return { ...read, items };
  });
}

const keyOf = ({ decision, text }: PermissionText): string => `${decision}\0${text}`;

/** The tools that remain when all tools of a server are denied, by the precedence of entries. */
function enabledIn(
  all: readonly AboutTool[],
  wins: 'deny' | 'last' | 'first' | undefined,
): { readonly rest?: AboutTool; readonly tools: readonly AboutTool[] } {
  const whole = all.filter(({ tool }) => tool === undefined);
  const [rest] = whole;
  // A second entry about all tools would also apply to some of these.
  const isOne = whole.length === 1 && rest!.permission.decision === 'deny';
  if (!rest || !isOne || (wins !== 'last' && wins !== 'first')) return { tools: [] };
  const counts = ({ permission: { index } }: AboutTool) =>
    wins === 'last' ? index > rest.permission.index : index < rest.permission.index;
  const tools = all.filter(
    one => one.tool !== undefined && one.permission.decision !== 'deny' && counts(one),
  );
  return { rest, tools: tools.sort((a, b) => a.permission.index - b.permission.index) };
}

/** The permissions about tools by server. */
function toolsByServer(
  texts: readonly PermissionText[],
  servers: readonly string[],
): ReadonlyMap<string, readonly AboutTool[]> {
  const found = new Map<string, AboutTool[]>(servers.map(server => [server, []]));
  const find = (said: PermissionText) => {
    for (const { kind, form } of said.forms)
      for (const server of kind === 'mcp' ? servers : []) {
        const tool = toolIn(said.text, form, server);
        if (tool !== undefined) return { server, about: { permission: said, ...(tool !== '*' && { tool }) } };
      }
    return undefined;
  };
  for (const said of texts) {
    const one = (said.kind ?? 'mcp') === 'mcp' ? find(said) : undefined;
    if (one) found.get(one.server)!.push(one.about);
  }
  return found;
}

/** The tool that a text is about, `*` for all tools of the server; `undefined` for another subject. */
function toolIn(text: string, form: PermissionForm, server: string): string | undefined {
  for (const template of [form.text ?? []].flat()) {
    const own = template.replaceAll('{server}', () => nameIn(form, server));
    if (form.tools === 'all' && text === own) return '*';
    const tool = form.tools === 'all' ? undefined : matchTemplate(own, text)?.tool;
    if (tool !== undefined && !tool.includes('*')) return tool;
  }
  return undefined;
}
