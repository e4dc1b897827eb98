import type { Program } from '../resolve/program.ts';
import type { Diagnostic, Severity } from '../text/diagnostics/diagnostic.ts';
import type { Source, Span } from '../text/source.ts';

/** The input of a rule, and the receiver of its findings. */
export interface RuleContext {
  readonly program: Program;
  /** Every text that was read, without duplicates, with its origin (project or registry). */
  readonly texts: readonly ReadText[];
  readonly options: CheckOptions;
  /** The name of the rule and the configured severity are added afterwards. */
  readonly report: (finding: Diagnostic) => void;
}

/** A text for rules that search texts, with its origin. */
export interface ReadText {
  readonly source: Source;
  readonly remote: boolean;
  /** Whether it is a file of a skill other than prose. */
  readonly isData?: boolean;
}

/** Further input of rules: settings of the configuration, and the existing files and tools. */
export interface CheckOptions {
  /** `validation.rules`: severity by rule name. */
  readonly rules?: Readonly<Record<string, 'error' | 'warning' | 'off'>> | undefined;
  /** `validation.requiredGuards` */
  readonly requiredGuards?: readonly string[] | undefined;
  /** `validation.guardRequiresDepth`, at least 1. */
  readonly guardRequiresDepth: number;
  /** Id of the entry unit; absent when it could not be read. */
  readonly entry?: string | undefined;
  /** Id of the unit that `inherit` of the configuration names. */
  readonly inherit?: string | undefined;
  /** The span of a value in the configuration. */
  readonly spanOf: (path: readonly (string | number)[]) => Span | undefined;
  /** The names of tools, and whether a name is one of them. */
  readonly targets: { readonly names: readonly string[]; readonly isTarget: (name: string) => boolean };
  readonly repository: Repository;
}

/** Facts about a repository that rules may query. */
export interface Repository {
  /** The kind of a path below the root of the project. */
  readonly kindOf: (path: string) => 'file' | 'directory' | undefined;
  /** Scripts of the `package.json` at the root and of its workspaces; `undefined` when unknown. */
  readonly scripts: () => ReadonlySet<string> | undefined;
  /** Targets of the makefile at the root; `undefined` when unknown. */
  readonly makeTargets: () => ReadonlySet<string> | undefined;
}

/** A built-in rule. */
export interface Rule {
  /** The key in `validation.rules`. */
  readonly name: string;
  /** Default severity of its findings; some findings are less severe. */
  readonly severity: Severity;
  /** One sentence for `prs explain --rules`. */
  readonly help: string;
  /** Absent when another phase reports the findings under this name. */
  readonly check?: (context: RuleContext) => void;
}
