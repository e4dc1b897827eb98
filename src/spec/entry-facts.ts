/**
 * What a tool knows about hooks and permissions stands beside the other fields of an entry where people write it, and in
 * a field of its own in the specs that the engine knows. Stanzas are put under entries in the first form.
 */
import { type Plain, plain, textOf } from './merge-stanza.ts';

interface Facts {
  /** What the entries are of that have such facts. */
  readonly of: readonly string[];
  /** Their names beside other fields, and in the field of their own. */
  readonly names: Readonly<Record<string, string>>;
}

const same = (...names: string[]) => Object.fromEntries(names.map(name => [name, name]));

/** By the field that they have in the specs that the engine knows. */
export const factsOf: Readonly<Record<string, Facts>> = {
  hooks: {
    of: ['hooks'],
    names: {
      ...same('names', 'matched', 'plain', 'events', 'prompts', 'timeoutUnit'),
      projectRoot: 'root',
    },
  },
  permissions: {
    of: ['permissions', 'ignore'],
    names: same('decisions', 'unsaid', 'wins', 'shell', 'read', 'write', 'net', 'mcp'),
  },
};

/** An entry with its facts beside the other fields. */
export function flattenFacts(entry: Plain): Plain {
  let whole = entry;
  for (const [field, { names }] of Object.entries(factsOf)) {
    const { [field]: own, ...rest } = whole;
    const facts = plain(own);
    if (!facts) continue;
    const nameOf = (inner: string) => Object.keys(names).find(name => names[name] === inner) ?? inner;
    whole = { ...rest, ...renamed(facts, nameOf) };
  }
  return whole;
}

/** An entry with its facts in their own field. */
export function nestFacts(entry: Plain): Plain {
  const [field, facts] = Object.entries(factsOf).find(([, { of }]) => of.includes(textOf(entry.of))) ?? [];
  if (field === undefined || !facts) return entry;
  const isFact = ([name]: readonly [string, unknown]) => Object.hasOwn(facts.names, name);
  const fields = Object.entries(entry);
  const own = Object.fromEntries(fields.filter(isFact));
  if (Object.keys(own).length === 0) return entry;
  const rest = Object.fromEntries(fields.filter(one => !isFact(one)));
  return { ...rest, [field]: renamed(own, name => facts.names[name]!) };
}

const renamed = (object: Plain, nameOf: (name: string) => string): Plain =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [nameOf(name), value]));
