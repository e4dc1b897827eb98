import type { OptionSpec } from '../generated/types/target.ts';
import type { SharedRows } from './expand-rows.ts';
import type { Versions } from './expand-versions.ts';
import type { Plain } from './merge-stanza.ts';

/** What `conventions/` keeps for all specs. */
export interface SharedParts extends SharedRows {
  /** Entries of `files` by the name of the stanza; one may use those above it. */
  readonly files: Readonly<Record<string, Plain>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly versions: Versions;
  /** Parts of programs that run hooks, by the name that stands alone on a line of a template. */
  readonly programs: Readonly<Record<string, string>>;
}
