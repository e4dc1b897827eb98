import type { TargetSpec } from '../generated/types/target.ts';
import type { Fields } from '../model/model.ts';
import type { LoadedSpec } from '../spec/spec.ts';
import type { Span } from '../text/source.ts';

/** One target as the configuration wants it, checked against its spec. */
export interface TargetRequest {
  readonly loaded: LoadedSpec;
  readonly spec: TargetSpec;
  readonly version: string;
  readonly convention: string;
  readonly output?: string;
  readonly guardsAsSkills: boolean;
  readonly guardsSkillsListing: boolean;
  readonly skillBaseDir?: string;
  /** `true`: all skills; otherwise the names that are wanted. */
  readonly includeSkills: true | ReadonlySet<string>;
  /** Where the configuration names each of them. */
  readonly includedAt?: ReadonlyMap<string, Span | undefined>;
  readonly options: Fields;
  /** Where the configuration names the target. */
  readonly at?: Span | undefined;
}
