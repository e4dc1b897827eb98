import type { OutputConvention } from '../generated/types/config.ts';
import type { SectionCatalogue } from '../generated/types/sections.ts';
import type { OptionSpec, TargetSpec } from '../generated/types/target.ts';
import type { Template } from './template.ts';

/** What `conventions/` holds for all specs, as the program has it. */
export interface Conventions {
  readonly conventions: Readonly<Record<string, OutputConvention>>;
  readonly catalogue: SectionCatalogue;
  /** Advice for what many tools lack, by the keys of `omits`. */
  readonly omits: Readonly<Record<string, string>>;
}

/** A target spec with everything it names looked up. */
export interface LoadedSpec {
  readonly spec: TargetSpec;
  /** Inline templates by their place: `section:<file>:<key>` and `body:<file>`. */
  readonly templates: ReadonlyMap<string, Template>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Path of the YAML file for a spec of the project; absent for built-in ones. */
  readonly file?: string;
}
