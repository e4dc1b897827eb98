import type { OutputConvention } from '../generated/types/config.ts';
import type { SectionCatalogue } from '../generated/types/sections.ts';
import type { OptionSpec, Row, TargetSpec } from '../generated/types/target.ts';
import type { Prose } from '../model/model.ts';

/** What a template is given: flat data. */
export type View = Readonly<Record<string, unknown>>;

/** A compiled Handlebars template; `uses` lists the top-level and item fields it mentions. */
export interface Template {
  readonly render: (view: View, helpers: Helpers) => string;
  readonly uses: readonly string[];
}

/** Layout functions a template may call; they know the convention. */
export interface Helpers {
  /** A subsection below the section of the template. */
  readonly part: (title: string, body: string) => string;
  readonly bullet: (body: string) => string;
  readonly fields: (data: unknown) => string;
  /** Laid-out content of an item that is made of prose. */
  readonly prose: (content: readonly Prose[]) => string;
}

export interface Conventions {
  readonly conventions: Readonly<Record<string, OutputConvention>>;
  readonly catalogue: SectionCatalogue;
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  readonly options: Readonly<Record<string, OptionSpec>>;
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
