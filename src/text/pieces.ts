/** Long work in pieces: between two of them whoever runs it may do something else. */
export type Steps<T> = Generator<void, T, void>;

/**
 * Asked between pieces: what to wait for before the next one, if anything. When that fails, the rest is not done.
 */
export type Pause = () => Promise<void> | undefined;

/** Called when long work begins. */
export type StartPauses = () => Pause;

/** Whether a pause is due after so many small parts: one after each takes as long as the part itself. */
export const isPauseDue = (parts: number): boolean => parts % partsAtOnce === 0;

const partsAtOnce = 32;

/** Does all of it at once. */
export function allAtOnce<T>(pieces: Steps<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** Does it piece by piece. */
export async function runInSteps<T>(pieces: Steps<T>, pauses: StartPauses | undefined): Promise<T> {
  const pause = pauses?.();
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    const waiting = pause?.();
    if (waiting) await waiting;
  }
}
