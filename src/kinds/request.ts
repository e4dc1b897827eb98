import type { OutputConvention } from '../generated/types/config.ts';
import type { TargetSpec } from '../generated/types/target.ts';
import type { Fields, Item } from '../model/model.ts';
import type { Conventions, LoadedSpec } from '../spec/spec.ts';
import type { Template } from '../spec/template.ts';
import type { Span } from '../text/source.ts';

/** One target as configured, checked against its spec. */
export interface TargetRequest {
  readonly loaded: LoadedSpec;
  readonly spec: TargetSpec;
  readonly version: string;
  readonly convention: string;
  readonly output?: string;
  readonly guardsAsSkills: boolean;
  readonly guardsSkillsListing: boolean;
  readonly skillBaseDir?: string;
  /** `true` for all skills, otherwise their names. */
  readonly includeSkills: true | ReadonlySet<string>;
  /** The span of each name in the configuration. */
  readonly includedAt?: ReadonlyMap<string, Span | undefined>;
  readonly options: Fields;
  readonly at?: Span | undefined;
}

export interface ConventionTemplates {
  readonly section: { readonly start: Template; readonly end?: Template };
  readonly subsection: { readonly start: Template; readonly end?: Template };
}

export interface EmitSettings {
  readonly conventions: Conventions;
  /** Conventions of the configuration with their compiled templates. */
  readonly customConventions: ReadonlyMap<
    string,
    { convention: OutputConvention; templates: ConventionTemplates }
  >;
  /** Directory of the build or of `output.baseDir`, relative to the project root; empty for the root. */
  readonly baseDir: string;
  readonly header?: string;
  /** Title of main documents; absent means that of the catalogue. */
  readonly heading?: string;
  /** `once`: every tool loads the main text once. Otherwise every tool gets the file of its spec. */
  readonly layout?: 'each' | 'once';
  /** Keys of the sections of main documents, in an order other than that of the catalogue. */
  readonly sectionOrder?: readonly string[];
  readonly universalDir: string;
  /** Whether a name belongs to a tool; absent means that any name may. */
  readonly isTarget?: (name: string) => boolean;
  readonly languageSkill?: Item;
  readonly build?: string;
  /** Whether texts are traced, so that whole files come with the origins of their characters. */
  readonly trace?: boolean;
}

/** The id of the source at a path of the project; `undefined` when the path is not a source. */
export type SourceAt = (path: string) => string | undefined;
