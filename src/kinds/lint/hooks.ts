import type { HookFacts } from '../../generated/types/target.ts';
import { findBlock } from '../../resolve/catalogue.ts';
import { reportUnknown } from '../../spec/shared-parts.ts';
import type { DataPath } from '../../text/yaml.ts';
import { type Lint, unknown } from './lint.ts';

/** Events that hooks of the source language can have. */
export function portableEvents(): readonly string[] {
  const event = findBlock('hooks')?.entry?.fields?.find(field => field.name === 'event');
  return event?.values ?? [];
}

/** Events that no hook of the source can have or the tool has not, and shapes that do not exist among `variants`. */
export function lintHookFacts(
  lint: Lint,
  at: DataPath,
  { events, prompts }: HookFacts,
  variants: object = {},
): void {
  for (const [index, event] of (prompts ?? []).entries())
    if (!Object.hasOwn(events, event))
      unknown(lint, [...at, 'hooks', 'prompts', index], 'event', event, Object.keys(events));
  lintEvents(lint, [...at, 'hooks', 'events'], events, variants);
}

/** Events that no hook of the source can have, and shapes that do not exist among `variants`. */
export function lintEvents(
  lint: Lint,
  at: DataPath,
  events: HookFacts['events'],
  variants: object = {},
): void {
  const known = portableEvents();
  for (const [event, natives] of Object.entries(events)) {
    const place: DataPath = [...at, event];
    if (!known.includes(event)) reportUnknown(lint.fault, place, 'event', event, known, 'key');
    for (const [index, { shape }] of natives.entries()) {
      if (shape !== undefined && !Object.hasOwn(variants, shape))
        unknown(lint, [...place, index, 'shape'], 'variant', shape, Object.keys(variants));
    }
  }
}
