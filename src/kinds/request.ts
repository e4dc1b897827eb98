import type { OutputConvention } from '../generated/types/config.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import type { Fields, Item } from '../model/model.ts';
import type { Conventions, LoadedSpec } from '../spec/spec.ts';
import type { Span } from '../text/source.ts';
import type { ConventionTemplates } from './write/convention.ts';

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

/** What a configuration says about all targets of a build. */
export interface EmitSettings {
  readonly conventions: Conventions;
  /** Conventions of the configuration with their compiled templates. */
  readonly customConventions: ReadonlyMap<
    string,
    { convention: OutputConvention; templates: ConventionTemplates }
  >;
  /** Directory of the build or of `output.baseDir`, relative to the project root; empty for the root itself. */
  readonly baseDir: string;
  readonly header?: string;
  /** Title of main documents, instead of that of the catalogue. */
  readonly heading?: string;
  /** `once`: every tool loads the main text once. Otherwise every tool gets the file of its spec. */
  readonly layout?: 'each' | 'once';
  /** Keys of sections of main documents in another order than that of the catalogue. */
  readonly sectionOrder?: readonly string[];
  readonly universalDir: string;
  /** Whether a name is that of a tool; absent: any may be. */
  readonly isTarget?: (name: string) => boolean;
  readonly languageSkill?: Item;
  readonly build?: string;
  /** Texts are traced: whole files come with the origins of their characters. */
  readonly trace?: boolean;
}

/** The source that lies at a path of the project, as the program calls it; `undefined` for any other path. */
export type SourceAt = (path: string) => string | undefined;
