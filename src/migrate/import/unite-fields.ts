import type { Data } from '../../model/model.ts';
import { equalUnordered, isObject } from '../../text/data.ts';

export interface ToolFields {
  readonly tool: string;
  readonly fields: ReadonlyMap<string, Data>;
}

/** The field for overlays; in agents, the list of tools has the same name. */
const overlays = 'tools';

/**
 * Combines the versions of an entry from several tools: common fields once, and differences as overlays in
 * `tools`, or in `targets` next to a list of tools if the entry is for every tool and does not use that
 * field. `undefined` when their texts differ, because these are two entries.
 */
export function uniteFields(
  versions: readonly ToolFields[],
  isForAll = false,
): ReadonlyMap<string, Data> | undefined {
  const [first, ...others] = versions.map(splitOwn);
  if (!first || others.some(({ content }) => content !== first.content)) return undefined;
  const all = [first, ...others];
  const base = new Map<string, Data>();
  for (const [name, value] of first.fields)
    if (all.every(({ fields }) => fields.has(name))) base.set(name, value);
  const changesOf = () =>
    all.map(({ tool, fields, own }) => {
      const changed = [...fields].filter(
        ([name, value]) => !base.has(name) || !equalUnordered(base.get(name)!, value),
      );
      return [tool, new Map([...changed, ...own])] as const;
    });
  const place = isForAll && base.has(overlays) && !base.has('targets') ? 'targets' : overlays;
  if (place === overlays && changesOf().some(([, changes]) => changes.size > 0)) base.delete(overlays);
  const changed = changesOf().filter(([, changes]) => changes.size > 0);
  const changesByTool = Object.fromEntries(
    changed.map(([tool, changes]) => [tool, Object.fromEntries(changes)]),
  );
  return new Map<string, Data>([
    ...base,
    ...(changed.length > 0 ? [[place, changesByTool] as const] : []),
    ...(first.content === '' ? [] : [['content', first.content] as const]),
  ]);
}

function splitOwn({ tool, fields }: ToolFields) {
  const content = fields.get('content');
  const own = new Map<string, Data>();
  const rest = new Map<string, Data>();
  for (const [name, value] of fields) {
    if (name === 'content') continue;
    const changes = (name === 'targets' || name === overlays) && isObject(value) ? value[tool] : undefined;
    if (!isObject(changes)) rest.set(name, value);
    else for (const [key, data] of Object.entries(changes)) own.set(key, data);
  }
  return { tool, own, fields: rest, content: typeof content === 'string' ? content.trim() : '' };
}
