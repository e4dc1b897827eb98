/** Messages between the playground page and its worker. */
export type Files = Readonly<Record<string, string>>;

export type ToWorker =
  | { readonly kind: 'compile'; readonly files: Files; readonly output: string | undefined }
  | {
      readonly kind: 'hover' | 'completion';
      readonly path: string;
      readonly text: string;
      readonly offset: number;
    };

export interface Finding {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly message: string;
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

export interface Compiled {
  readonly kind: 'compiled';
  readonly findings: readonly Finding[];
  readonly outputs: readonly {
    readonly path: string;
    readonly targets: readonly string[];
    readonly bytes: number;
  }[];
  readonly omissions: readonly {
    readonly target: string;
    readonly source: string;
    readonly advice: string;
  }[];
  readonly shown:
    | {
        readonly path: string;
        readonly text: string;
        readonly origins: readonly ({ readonly file: string; readonly line: number } | null)[];
      }
    | undefined;
}

export type FromWorker =
  | Compiled
  | { readonly kind: 'hover'; readonly text: string | undefined }
  | {
      readonly kind: 'completion';
      readonly items: readonly {
        readonly label: string;
        readonly detail?: string;
        readonly text: string;
        readonly length: number;
      }[];
    };
