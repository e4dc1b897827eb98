import type { EntriesFile, PermissionForm } from '../../generated/types/target.ts';
import type { Data } from '../../model/model.ts';
import { asksFor } from '../places.ts';
import type { ImportedItem } from '../read/items.ts';
import type { ItemsRead } from '../read/parts.ts';
import {
  decisions,
  kindForms,
  type PermissionText,
  permissionTextsAt,
  placesOf,
  readPermissions,
} from '../read/permissions.ts';
import { matchTemplate, nameIn } from '../write/permissions.ts';

/** A place with what was read there. */
export interface PlaceRead extends ItemsRead {
  readonly place: EntriesFile;
}

/** Servers with the lists of their tools that the file has as permissions, which are no permissions then. */
export function withServerTools(data: Data, reads: readonly PlaceRead[]): readonly PlaceRead[] {
  const servers = reads.flatMap(({ place, items }) => (place.of === 'mcpServers' ? items : []));
  const ours = reads.find(({ place }) => place.of === 'permissions' && place.permissions?.mcp);
  if (!ours || servers.length === 0) return reads;
  const { fields, isTaken } = readServerTools(
    data,
    ours.place,
    servers,
    reads.map(({ place }) => place),
  );
  if (fields.size === 0) return reads;
  return reads.map(read => {
    if (read === ours)
      return { ...read, ...readPermissions(data, read.place, read.place.permissions!, isTaken) };
    if (read.place.of !== 'mcpServers') return read;
    const items = read.items.map(item => ({
      ...item,
      fields: new Map([...item.fields, ...(fields.get(item.key) ?? [])]),
    }));
    return { ...read, items };
  });
}

/** Which tools of servers may be used, where a file says so by permissions. */
interface ServerTools {
  /** Fields that servers have besides, by the names of these. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;
  /** Whether a text is one of those that say so. */
  readonly isTaken: (said: PermissionText) => boolean;
}

/** A permission about tools of a server of the file; absent `tool`: about all of them. */
interface AboutTools extends PermissionText {
  readonly server: string;
  readonly tool?: string;
}

/**
 * Reads permissions of a file as the lists of tools of the servers in it, which `toolsAsPermissions` writes as such: one tool
 * that is denied is disabled; where all tools of a server are denied but those that are named, these are enabled.
 */
function readServerTools(
  data: Data,
  file: EntriesFile,
  servers: readonly ImportedItem[],
  places: readonly EntriesFile[],
): ServerTools {
  const names = servers.map(({ key }) => key).sort((a, b) => b.length - a.length);
  const fields = new Map<string, Map<string, readonly string[]>>();
  const taken = new Set<string>();
  const take = ({ decision, text }: PermissionText) => taken.add(`${decision}\0${text}`);
  const isField = (field: string) =>
    places.some(place => place.of === 'mcpServers' && asksFor(place, [field]));
  const set = (server: string, field: string, tools: readonly string[]) =>
    fields.set(server, (fields.get(server) ?? new Map()).set(field, tools));
  const all = aboutTools(data, file, names);
  for (const server of names) {
    const own = all.filter(one => one.server === server);
    const denied = own.filter(({ tool, decision }) => tool !== undefined && decision === 'deny');
    if (denied.length > 0 && !isField('disabledTools')) {
      set(
        server,
        'disabledTools',
        denied.map(({ tool }) => tool!),
      );
      for (const one of denied) take(one);
    }
    const offered = isField('enabledTools') ? undefined : offeredIn(own, file.permissions?.wins);
    if (!offered) continue;
    set(
      server,
      'enabledTools',
      offered.tools.map(({ tool }) => tool!),
    );
    // What is allowed is more than offered.
    for (const one of [offered.rest, ...offered.tools]) if (one.decision !== 'allow') take(one);
  }
  return { fields, isTaken: ({ decision, text }) => taken.has(`${decision}\0${text}`) };
}

/** The tools that are left of a server all of whose tools are denied, by the order in which entries count. */
function offeredIn(
  own: readonly AboutTools[],
  wins: NonNullable<EntriesFile['permissions']>['wins'],
): { readonly rest: AboutTools; readonly tools: readonly AboutTools[] } | undefined {
  const rest = own.find(({ tool, decision }) => tool === undefined && decision === 'deny');
  if (!rest || (wins !== 'last' && wins !== 'first')) return undefined;
  const counts = ({ index }: AboutTools) => (wins === 'last' ? index > rest.index : index < rest.index);
  const tools = own
    .filter(one => one.tool !== undefined && one.decision !== 'deny' && counts(one))
    .sort((a, b) => a.index - b.index);
  // What is said of all tools as well would count for some of these.
  const isOne = own.every(one => one === rest || one.tool !== undefined);
  return tools.length > 0 && isOne ? { rest, tools } : undefined;
}

/** What a file says of tools of servers, each with the server that it is about. */
function aboutTools(data: Data, file: EntriesFile, servers: readonly string[]): AboutTools[] {
  const facts = file.permissions;
  const forms = facts ? kindForms(facts).filter(({ kind }) => kind === 'mcp') : [];
  return [...placesOf(forms, file)].flatMap(place =>
    decisions
      .flatMap(decision => permissionTextsAt(data, place, file, facts!, decision))
      .flatMap(one => {
        if ((one.kind ?? 'mcp') !== 'mcp') return [];
        for (const { form } of place.forms)
          for (const server of servers) {
            const tool = toolIn(one.text, form, server);
            if (tool !== undefined) return [{ ...one, server, ...(tool !== '*' && { tool }) }];
          }
        return [];
      }),
  );
}

/** The tool of a server that a text is about, `*` for all of them; `undefined` where it is about something else. */
function toolIn(text: string, form: PermissionForm, server: string): string | undefined {
  for (const template of [form.text ?? []].flat()) {
    const own = template.replaceAll('{server}', () => nameIn(form, server));
    if (form.tools === 'all') {
      if (text === own) return '*';
      continue;
    }
    const tool = matchTemplate(own, text)?.tool;
    if (tool !== undefined && !tool.includes('*')) return tool;
  }
  return undefined;
}
