import type { HookFacts } from '../../generated/types/target.ts';
import { isDataObject, strings } from '../../model/data.ts';
import { hookFields } from '../../model/hooks.ts';
import type { Data, Item } from '../../model/model.ts';
import { originsOf, pathSegment } from '../../model/sourced.ts';
import { isKnownValue } from '../../resolve/catalogue.ts';
import { isNameOf } from '../../spec/names.ts';
import { posixCommand, powershellCommand } from '../../text/shell.ts';
import type { Omissions } from '../omissions.ts';
import type { TargetRequest } from '../request.ts';
import { posixInProject, powershellInProject } from './shell.ts';

/** A portable hook in the words of one tool. */
export interface NativeHook {
  /** The tool's name of the event. */
  readonly event: string;
  readonly item: Item;
}

/**
 * Translates the hooks for one target: overrides of the source under `targets.<id>` first, then the tool's events,
 * time unit and way to the project root. A hook whose event the tool lacks is an omission.
 */
export function nativeHooks(
  hooks: readonly Item[],
  facts: HookFacts,
  request: TargetRequest,
  omissions: Omissions,
): NativeHook[] {
  return hooks.flatMap(hook => {
    const fields = new Map(hook.fields);
    const overrides = overridesFor(fields.get('targets'), request);
    for (const [key, value] of Object.entries(overrides)) fields.set(key, value);
    // One of the two says what runs: the one that is said for this tool.
    if ('command' in overrides) fields.delete('script');
    if ('command' in overrides || 'script' in overrides) hookFields(hook.name, fields);
    const item = { ...hook, fields, ...overriddenOrigins(hook, overrides, request) };
    if (fields.get('enabled') === false) {
      omissions.item(item, 'hooks', `The source switches this hook off for ${request.spec.id}.`, true);
      return [];
    }
    const event = String(fields.get('event') ?? '');
    const natives = Object.hasOwn(facts.events, event) ? facts.events[event]! : [];
    if (natives.length === 0) {
      omissions.item(
        item,
        'hooks',
        request.spec.omits?.[`hooks.${event}`] ??
          `${request.spec.title} has no event for ${event}; it has ${Object.keys(facts.events).join(', ')}.`,
        // An event that nobody knows is an error of its own.
        !isKnownValue('hooks', 'event', event),
      );
      return [];
    }
    return natives.map(native => ({ event: native.name, item: nativeItem(item, native, facts) }));
  });
}

/** Fields that the source overrides for one target come from there. */
function overriddenOrigins(
  hook: Item,
  overrides: Readonly<Record<string, Data>>,
  { spec }: TargetRequest,
): Pick<Item, 'origins'> {
  const [targets] = originsOf(hook, 'targets');
  if (!hook.origins || !targets || !('node' in targets) || targets.node.kind !== 'object') return {};
  const { node: all, path } = targets;
  const key = ownKey([...all.fields.keys()], spec);
  const own = key === undefined ? undefined : all.fields.get(key);
  if (own?.kind !== 'object') return {};
  const fields = new Map(hook.origins.fields);
  for (const field of Object.keys(overrides)) {
    const node = own.fields.get(field);
    if (node) fields.set(field, [{ path: `${path}.${pathSegment(key!)}.${pathSegment(field)}`, node }]);
  }
  return { origins: { ...hook.origins, fields } };
}

/** The key that means a target, its id before other names. */
const ownKey = (keys: readonly string[], spec: TargetRequest['spec']): string | undefined =>
  keys.find(key => key === spec.id) ?? keys.find(key => isNameOf(key, spec));

type NativeEvent = HookFacts['events'][string][number];

/** Overrides are keyed by names of targets; other keys belong to other targets. */
function overridesFor(targets: Data | undefined, { spec }: TargetRequest): Readonly<Record<string, Data>> {
  if (!isDataObject(targets)) return {};
  const key = ownKey(Object.keys(targets), spec);
  const own = key === undefined ? undefined : targets[key];
  return isDataObject(own) ? own : {};
}

function nativeItem(item: Item, native: NativeEvent, facts: HookFacts): Item {
  const fields = new Map<string, Data>(item.fields);
  const argv = strings(fields.get('argv'));
  const cwd = fields.get('cwd');
  const directory = typeof cwd === 'string' && cwd !== 'project' ? cwd.replace(/^\.\/|\/+$/g, '') : '';
  const inProject = cwd !== undefined;
  fields.set('nativeEvent', native.name);
  fields.set('shell', inProject ? posixInProject(argv, directory, facts.root) : posixCommand(argv));
  fields.set(
    'powershell',
    inProject ? powershellInProject(argv, directory, facts.root) : powershellCommand(argv),
  );
  if (argv.length > 0) fields.set('program', argv[0]!);
  if (argv.length > 1) fields.set('arguments', argv.slice(1));
  if (directory !== '') fields.set('directory', directory);
  fields.set('wrapped', posixCommand(['sh', '-c', String(fields.get('shell'))]));
  if (native.shape !== undefined) fields.set('eventShape', native.shape);
  const matcher = native.plain ? undefined : (fields.get('matcher') ?? native.matcher);
  if (matcher !== undefined) fields.set('matcher', matcher);
  else if (native.plain && fields.has('matcher')) {
    // Kept under another name: no slot finds it, so it becomes an omission.
    fields.set('matcher (this event takes none)', fields.get('matcher')!);
    fields.delete('matcher');
  }
  const timeout = fields.get('timeoutMs');
  if (typeof timeout === 'number') {
    fields.set('timeout', facts.timeoutUnit === 'milliseconds' ? timeout : Math.ceil(timeout / 1000));
  }
  return {
    ...item,
    fields,
    computed: new Set([
      ...item.computed,
      ...computed,
      ...(fields.get('matcher') === native.matcher ? ['matcher'] : []),
    ]),
  };
}

const computed = [
  'nativeEvent',
  'shell',
  'powershell',
  'program',
  'arguments',
  'directory',
  'timeout',
  'wrapped',
  'eventShape',
];
