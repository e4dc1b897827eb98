/**
 * A spec as people write it becomes the spec that the engine knows: stanzas, rows, options and versions that it
 * names, or leaves out because `conventions/` says them, are put in. The input is not validated: parts of a wrong
 * form are left as they are, and the schema refuses them.
 */
import type { OptionSpec } from '../generated/types/target.ts';
import type { DataPath } from '../text/yaml.ts';
import { expandRows, type SharedRows } from './expand-rows.ts';
import { expandVersions, inVersions, type Versions, versionNames } from './expand-versions.ts';
import { type Fault, reportUnknown } from './fault.ts';
import { merged, type Plain, plain } from './merge-stanza.ts';

/** What `conventions/` keeps for all specs. */
export interface SharedParts extends SharedRows {
  /** Entries of `files` by the name of the stanza; one may use those above it. */
  readonly files: Readonly<Record<string, Plain>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly versions: Versions;
  /** Parts of programs that run hooks, by the name that stands alone on a line of a template. */
  readonly programs: Readonly<Record<string, string>>;
}

/** Completes a spec. `fault` is called for names that do not exist. */
export function expandSpec(written: unknown, shared: SharedParts, fault: Fault): unknown {
  const spec = plain(written);
  const files = spec && plain(spec.files);
  if (!spec || !files) return written;
  const known = versionNames(spec.versions, shared.versions);
  const entries = Object.entries(files).map(([name, entry]) => {
    const whole = expandFile(name, entry, shared, fault);
    return [name, known ? inVersions(whole, plain(entry), known) : whole] as const;
  });
  const alone: Plain = Object.fromEntries(entries);
  const whole: Plain = Object.fromEntries(
    entries.map(([name, entry]) => [name, withParts(name, entry, alone, shared, fault)]),
  );
  const user = plain(spec.user);
  const userFiles = user && plain(user.files);
  const options = withShared(spec.options, whole, shared.options);
  return {
    ...spec,
    versions: expandVersions(spec.versions, whole, options, shared.versions, fault),
    defaultVersion: spec.defaultVersion ?? shared.versions.default,
    files: whole,
    ...(userFiles && {
      user: {
        ...user,
        files: Object.fromEntries(
          Object.entries(userFiles).map(([name, own]) => {
            const entry = likeEntry(name, own, alone);
            const placed = expandFile(name, entry, shared, fault, ['user', 'files', name]);
            return [name, known ? inVersions(placed, plain(entry), known) : placed];
          }),
        ),
      },
    }),
    ...(options !== undefined && { options }),
  };
}

/** An entry of `files`: one with a kind is whole, another one is what differs from its stanza. */
function expandFile(
  name: string,
  written: unknown,
  shared: SharedParts,
  fault: Fault,
  at: DataPath = ['files', name],
): unknown {
  const entry = plain(written);
  if (!entry) return written;
  if (entry.kind !== undefined) return completeEntry(at, entry, shared, fault);
  const { use = name, ...own } = entry;
  if (typeof use !== 'string') return written;
  if (Object.hasOwn(shared.files, use))
    return completeEntry(at, merged(expandStanza(shared.files[use]!, shared), own) as Plain, shared, fault);
  if (entry.use !== undefined) reportUnknown(fault, [...at, 'use'], 'stanza', use, Object.keys(shared.files));
  return written;
}

/** An entry with its parts completed: one that names no stanza is like the entry of the spec that has its name. */
function withParts(name: string, written: unknown, files: Plain, shared: SharedParts, fault: Fault): unknown {
  const entry = plain(written);
  const parts = entry && plain(entry.parts);
  if (!entry || !parts) return written;
  const completed = Object.entries(parts).map(([part, own]): [string, unknown] => {
    const given = likeEntry(part, own, files);
    const whole = plain(expandFile(part, given, shared, fault, ['files', name, 'parts', part]));
    // A part is written with its bundle, in no versions of its own.
    const { versions: _, when: __, ...kept } = whole ?? {};
    return [part, whole ? kept : own];
  });
  return { ...entry, parts: Object.fromEntries(completed) };
}

/** What differs from the entry of the spec that has its name, put over that one; one with a kind or a stanza is as it is. */
function likeEntry(name: string, own: unknown, files: Plain): unknown {
  const said = plain(own);
  const like = plain(files[name]);
  return said && like && said.use === undefined && said.kind === undefined ? merged(like, said) : own;
}

function expandStanza({ use, ...own }: Plain, shared: SharedParts): Plain {
  const base = typeof use === 'string' ? shared.files[use] : undefined;
  return base ? (merged(expandStanza(base, shared), own) as Plain) : own;
}

/** The rows that an entry names, and `each` in all of its variants. */
function completeEntry(at: DataPath, { each, ...entry }: Plain, shared: SharedParts, fault: Fault): Plain {
  const rows = expandRows([...at, 'frontmatter'], entry.frontmatter, shared, fault);
  const [variants, more] = [plain(entry.variants), plain(each)];
  const { template } = entry;
  return {
    ...entry,
    ...(typeof template === 'string' && { template: withPrograms(template, shared.programs) }),
    ...(each !== undefined && !(variants && more) && { each }),
    ...(rows !== undefined && { frontmatter: rows }),
    ...(variants &&
      more && {
        variants: Object.fromEntries(
          Object.entries(variants).map(([name, shape]) => [name, { ...plain(shape), ...more }]),
        ),
      }),
  };
}

/** A program with the shared parts that it names. */
const withPrograms = (template: string, programs: SharedParts['programs']): string =>
  template.replace(/^([ \t]*)\{(\w+)\}\n/gm, (line, indent: string, name: string) =>
    Object.hasOwn(programs, name) ? programs[name]!.replace(/^(?=.)/gm, indent) : line,
  );

/** The options of a spec, and the shared ones that its entries ask for. */
function withShared(own: unknown, files: Plain, shared: SharedParts['options']): unknown {
  if (own !== undefined && !plain(own)) return own;
  const asked = [...usedOptions(files)].filter(
    name => Object.hasOwn(shared, name) && !Object.hasOwn(own ?? {}, name),
  );
  if (asked.length === 0) return own;
  return { ...(own as Plain), ...Object.fromEntries(asked.map(name => [name, shared[name]])) };
}

/** Options that paths, conditions and slots ask for. */
export function usedOptions(value: unknown, used: Set<string> = new Set()): Set<string> {
  if (typeof value === 'string') for (const [, name] of value.matchAll(/\{([A-Za-z]\w*)\}/g)) used.add(name!);
  if (typeof value !== 'object' || value === null) return used;
  const { option } = value as { option?: unknown };
  if (typeof option === 'string') used.add(option);
  for (const part of Object.values(value)) usedOptions(part, used);
  return used;
}
