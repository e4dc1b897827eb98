/** Long work that yields between its parts, so that the caller can do something else in between. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Called between parts. Returns what to wait for before the next part, if anything. A rejection cancels the
 * rest.
 */
export type Pause = () => Promise<void> | undefined;

/** Called when long work starts. */
export type StartPauses = () => Pause;

/**
 * Whether to pause after this number of small parts. A pause after each part would take as long as the part
 * itself.
 */
export const isPauseDue = (parts: number): boolean => parts % partsAtOnce === 0;

const partsAtOnce = 32;

/** Runs all parts without pauses. */
export function runToEnd<T>(pieces: Steps<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** Runs the parts with pauses between them. */
export async function runInSteps<T>(pieces: Steps<T>, pauses: StartPauses | undefined): Promise<T> {
  const pause = pauses?.();
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    const waiting = pause?.();
    if (waiting) await waiting;
  }
}
