/**
 * A spec as people write it becomes the spec that the engine knows: stanzas, rows, options and versions that it
 * names, or leaves out because `conventions/` says them, are put in. The input is not validated: parts of a wrong
 * form are left as they are, and the schema refuses them.
 */
import { expandEntry, expandParts } from './expand-entry.ts';
import { expandUser } from './expand-user.ts';
import { expandVersions, inVersions, versionNames } from './expand-versions.ts';
import type { Fault } from './fault.ts';
import { type Plain, plain, textOf } from './merge-stanza.ts';
import type { SharedParts } from './shared-parts.ts';

/** Completes a spec. `fault` is called for names that do not exist. `fileName` is its id where it says none. */
export function expandSpec(written: unknown, shared: SharedParts, fault: Fault, fileName = ''): unknown {
  const spec = plain(written);
  if (!spec) return written;
  const { id = fileName, folder = `.${textOf(id)}`, ...own } = spec;
  const possible = versionNames(spec.versions, shared.versions);
  const setting = { shared, fault, folder: textOf(folder) };
  const entries = Object.entries(plain(spec.files) ?? {});
  const alone: Plain = Object.fromEntries(
    entries.map(([name, entry]) => [
      name,
      inVersions(expandEntry(entry, ['files', name], setting), plain(entry), possible),
    ]),
  );
  const files = expandParts(alone, setting);
  const options = withShared(spec.options, files, shared.options);
  const versions = expandVersions(spec.versions, files, options, shared.versions, fault);
  const names = plain(versions) && Object.keys(versions as Plain);
  return {
    id,
    ...own,
    versions,
    defaultVersion: spec.defaultVersion ?? shared.versions.default,
    files: plain(spec.files) ? files : spec.files,
    ...(spec.user !== undefined && { user: expandUser(spec.user, alone, setting, names) }),
    ...(spec.reads !== undefined && { reads: expandReads(spec.reads, fault) }),
    ...(options !== undefined && { options }),
  };
}

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

/** What a tool loads: `first` and `all` hold its main files, and say which of them count. */
function expandReads(written: unknown, fault: Fault): unknown {
  const reads = plain(written);
  if (!reads) return written;
  const { first, all, ...more } = reads;
  if ((first === undefined) === (all === undefined))
    fault(
      ['reads'],
      'the main files stand under one of `first` and `all`',
      'Name them under `first` where the first that exists wins, under `all` where every one is loaded.',
    );
  return { mode: first === undefined ? 'all' : 'first', files: first ?? all, ...more };
}
