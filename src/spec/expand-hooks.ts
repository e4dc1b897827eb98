import type { DataPath } from '../text/yaml.ts';
import { type Fault, reportUnknown } from './fault.ts';
import { type Plain, plain, textOf } from './merge-stanza.ts';

/** How a tool calls the events that it names as the catalogue does: `PreToolUse` for `pre-tool-use`. */
const forms: Readonly<Record<string, (words: readonly string[]) => string>> = {
  PascalCase: words => words.map(capital).join(''),
  camelCase: ([first = '', ...words]) => first + words.map(capital).join(''),
  snake_case: words => words.join('_'),
};

const capital = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1);

/** What a spec says of hooks at a place, with its events in one map. */
export function expandHooks(written: unknown, at: DataPath, fault: Fault): unknown {
  const facts = plain(written);
  if (!facts) return written;
  const { names = 'PascalCase', matched = [], plain: unmatched = [], events = {}, ...more } = facts;
  if (!plain(events)) return written;
  const wanted = textOf(names);
  const form = Object.hasOwn(forms, wanted) ? forms[wanted] : undefined;
  if (!form) reportUnknown(fault, [...at, 'names'], 'form of names', wanted, Object.keys(forms));
  const called = (list: unknown, more: Plain): Plain => {
    const nativesOf = (event: string) => [{ name: form?.(event.split('-')) ?? event, ...more }];
    return Object.fromEntries([list].flat().map(event => [textOf(event), nativesOf(textOf(event))]));
  };
  const all = withSetup({ ...plain(events), ...called(matched, {}), ...called(unmatched, { plain: true }) });
  const there = Object.entries(all).filter(([, natives]) => natives !== null);
  return { ...more, ...(there.length > 0 && { events: Object.fromEntries(there) }) };
}

/** A setup stands behind the start of a session, and is one where nothing else is said. */
function withSetup(events: Plain): Plain {
  const { setup = events['session-start'] } = events;
  const entries = Object.entries(events).flatMap((one): [string, unknown][] =>
    one[0] === 'session-start' ? [one, ['setup', setup]] : [one],
  );
  return Object.fromEntries(entries);
}
