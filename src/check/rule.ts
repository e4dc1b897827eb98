import type { Program } from '../resolve/program.ts';
import type { Diagnostic, Severity } from '../text/diagnostics/diagnostic.ts';
import type { Source, Span } from '../text/source.ts';

/** What a rule may look at, and where its findings go. */
export interface RuleContext {
  readonly program: Program;
  /** Every text that was read, once each, with whether it came from a registry. */
  readonly texts: readonly ReadText[];
  readonly options: CheckOptions;
  /** The name of the rule and the severity of the configuration are added on the way. */
  readonly report: (finding: Diagnostic) => void;
}

/** A text that rules search, with whether it came from a registry. */
export interface ReadText {
  readonly source: Source;
  readonly remote: boolean;
  /** A file beside a skill that is no prose. */
  readonly isData?: boolean;
  /** Where strings of the language begin: a quote there is syntax and no quotation. Only for remote sources. */
  readonly strings?: ReadonlySet<number>;
}

/** What rules need to know beside the program: settings of the configuration, and the files and tools there are. */
export interface CheckOptions {
  /** `validation.rules`: severity by rule name. */
  readonly rules?: Readonly<Record<string, 'error' | 'warning' | 'off'>> | undefined;
  /** `validation.requiredGuards` */
  readonly requiredGuards?: readonly string[] | undefined;
  /** `validation.guardRequiresDepth`, at least 1. */
  readonly guardRequiresDepth?: number | undefined;
  /** Id of the entry unit; the first source unit when absent. */
  readonly entry?: string | undefined;
  /** Id of the unit that `inherit` of the configuration names. */
  readonly inherit?: string | undefined;
  /** Id of the unit of private notes. */
  readonly local?: string | undefined;
  /** The place of a value in the configuration. */
  readonly spanOf?: ((path: readonly (string | number)[]) => Span | undefined) | undefined;
  /** The tools there are, and whether a name is one of them; without it nothing is said about names of tools. */
  readonly targets?:
    | { readonly names: readonly string[]; readonly isTarget: (name: string) => boolean }
    | undefined;
  /** Whether a path below the project root is a file; without it nothing is said about missing files. */
  readonly fileExists?: ((path: string) => boolean) | undefined;
  /** What the repository has; without it nothing is said about what instructions name. */
  readonly repository?: Repository | undefined;
}

/** What a repository has, as far as a rule may ask. */
export interface Repository {
  /** What lies at a path below the root of the project. */
  readonly kindOf: (path: string) => 'file' | 'directory' | undefined;
  /** Scripts of the `package.json` at the root and of its workspaces; nothing where that is not known. */
  readonly scripts: () => ReadonlySet<string> | undefined;
  /** Targets of the makefile at the root; nothing where that is not known. */
  readonly makeTargets: () => ReadonlySet<string> | undefined;
}

/** A built-in rule. */
export interface Rule {
  /** The key in `validation.rules`. */
  readonly name: string;
  /** Severity of its findings when the configuration does not say; some findings are milder by nature. */
  readonly severity: Severity;
  /** One sentence for `prs explain --rules`. */
  readonly help: string;
  /** Absent when another phase finds it on its way and only reports under this name. */
  readonly check?: (context: RuleContext) => void;
}
