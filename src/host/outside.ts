/** What a run may ask besides the disk of the project. */
export type ExternalInput = 'registry' | 'git' | 'formatter' | 'day';

const asked = new Set<ExternalInput>();

/** Says that what the run makes depends on more than the disk of the project. */
export function recordExternalInput(what: ExternalInput): void {
  asked.add(what);
}

/** What has said so in this process, since it was last forgotten. */
export const externalInputs = (): ReadonlySet<ExternalInput> => asked;
