import type { EntriesFile, PermissionFacts } from '../generated/types/target.ts';
import { withFields } from '../kinds/native/shapes.ts';
import { type Place, usesField } from '../kinds/places.ts';
import { type Decision, decisions, isExpressible } from '../kinds/write/permissions.ts';
import { fieldsWithoutText } from '../model/collections.ts';
import { strings } from '../model/data.ts';
import type { Data, Item, Model, ValueSource } from '../model/model.ts';
import { parseSubject, serverAndTool } from '../text/permissions/subject.ts';

type Filtered = Pick<Model['items'], 'mcpServers' | 'permissions'>;

/**
 * Converts the tool lists of servers to permissions, for a target whose servers have no field for them. A
 * disabled tool is denied. Enabled tools can be converted if the order of permissions decides: all tools of
 * the server are denied, and the enabled ones are allowed if a permission allows them, else asked about. A
 * list that the target cannot express exactly stays with its server.
 */
export function toolsAsPermissions(
  { mcpServers, permissions }: Filtered,
  placesOf: (part: string) => readonly Place[],
): Filtered {
  const own = placesOf('mcpServers');
  const facts = placesOf('permissions').flatMap(({ file }) => factsOf(file as EntriesFile) ?? [])[0];
  if (!facts || own.length === 0) return { mcpServers, permissions };
  const translated = fields.filter(field => !own.some(({ file }) => usesField(file, [field])));
  let all = permissions;
  const remaining = mcpServers.map(server => {
    let rest = server;
    for (const field of translated) {
      if (listed(rest, field).length === 0) continue;
      const more = (field === 'disabledTools' ? withDenied : withOnlyEnabled)(rest, all, facts);
      if (!more) continue;
      all = more;
      rest = without(rest, field);
    }
    return rest;
  });
  return { mcpServers: remaining, permissions: all };
}

const fields = ['disabledTools', 'enabledTools'] as const;

const factsOf = (file: EntriesFile): PermissionFacts | undefined =>
  file.permissions?.mcp ? file.permissions : undefined;

const listed = ({ fields }: Item, field: string): readonly string[] => strings(fields.get(field));

const nameOf = ({ name, fields }: Item): string => String(fields.get('name') ?? name);

/** The permissions plus a denial for each disabled tool; `undefined` when the target cannot express that. */
function withDenied(
  server: Item,
  permissions: readonly Item[],
  facts: PermissionFacts,
): readonly Item[] | undefined {
  const denials = permissionsFor(server, 'disabledTools', () => 'deny');
  return denials.every(one => isExact(one, facts)) ? [...permissions, ...denials] : undefined;
}

/** Permissions for the enabled tools only; those for the whole server are applied to the enabled tools. */
function withOnlyEnabled(
  server: Item,
  permissions: readonly Item[],
  facts: PermissionFacts,
): readonly Item[] | undefined {
  if (facts.wins !== 'last' && facts.wins !== 'first') return undefined;
  const name = nameOf(server);
  const wanted = listed(server, 'enabledTools');
  const about = permissions.filter(item => toolOf(item, name) !== undefined);
  const has = (list: Decision, tool: string) =>
    about.some(item => item.fields.get('list') === list && toolOf(item, name) === tool);
  if (has('deny', '*')) return undefined;
  const rest = permission(server, 'enabledTools', { list: 'deny', text: `mcp:${name}`, rest: true });
  const others = permissions.flatMap(item => {
    const tool = toolOf(item, name);
    if (tool === undefined || wanted.includes(tool)) return [item];
    // A permission for another tool of the server does not enable that tool.
    return tool === '*' ? [] : [withFields(item, { list: 'deny' })];
  });
  const isAllowed = (tool: string) =>
    has('allow', '*') && !has('ask', '*') && isExpressible(`mcp:${name}/${tool}`, 'allow', facts);
  const all = permissionsFor(server, 'enabledTools', tool => (isAllowed(tool) ? 'allow' : 'ask')).filter(
    (_, at) => !decisions.some(one => has(one, wanted[at]!)),
  );
  return [rest, ...all].every(one => isExact(one, facts)) ? [rest, ...others, ...all] : undefined;
}

/** The tool of a server that a permission is about, `*` for all; `undefined` for another subject. */
function toolOf({ fields }: Item, name: string): string | undefined {
  const subject = parseSubject(String(fields.get('text') ?? ''));
  const { server, tool } = serverAndTool(subject?.pattern ?? '');
  return subject?.kind === 'mcp' && server === name ? tool : undefined;
}

const isExact = ({ fields }: Item, facts: PermissionFacts): boolean =>
  isExpressible(String(fields.get('text')), fields.get('list') as Decision, facts);

function permissionsFor(server: Item, field: string, decide: (tool: string) => Decision): Item[] {
  return listed(server, field).map((tool, at) =>
    permission(server, field, { list: decide(tool), text: `mcp:${nameOf(server)}/${tool}` }, at),
  );
}

/** A permission whose source is a list of a server, or one element of it. */
function permission(server: Item, field: string, values: Readonly<Record<string, Data>>, at?: number): Item {
  const path = `${server.path}.${field}${at === undefined ? '' : `[${at}]`}`;
  const item: Item = {
    name: path,
    path,
    fields: new Map(Object.entries({ name: path, ...values })),
    computed,
    resources: [],
  };
  const { origins } = server;
  if (!origins) return item;
  const [list] = origins.fields.get(field) ?? [];
  const node =
    list && 'node' in list && list.node.kind === 'list' && at !== undefined ? list.node.items[at] : undefined;
  const named = origins.fields.get('name') ?? (origins.name.kind === 'name' ? [origins.name] : []);
  const text: readonly ValueSource[] = [...named, ...(node ? [{ path, node }] : [])];
  return { ...item, origins: { ...origins, fields: new Map([['text', text]]) } };
}

const computed: ReadonlySet<string> = new Set([...fieldsWithoutText('permissions'), 'rest']);

function without(item: Item, field: string): Item {
  const { own } = item;
  const kept = withFields(item, { [field]: undefined });
  return own ? { ...kept, own: withFields({ fields: own }, { [field]: undefined }).fields } : kept;
}
