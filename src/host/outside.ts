/** Inputs of a run other than the disk of the project. */
export type ExternalInput = 'registry' | 'git' | 'formatter' | 'day';

const recorded = new Set<ExternalInput>();

/** Records that the result of the run depends on an external input. */
export function recordExternalInput(what: ExternalInput): void {
  recorded.add(what);
}

/** The external inputs recorded in this process. */
export const externalInputs = (): ReadonlySet<ExternalInput> => recorded;
