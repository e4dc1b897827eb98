/** Long work in pieces: between two of them whoever runs it may do something else. */
export type Pieces<T> = Generator<void, T, void>;

/** Asked between pieces: what to wait for before the next one, if anything. */
export type Pause = () => Promise<void> | undefined;

/** Does all of it at once. */
export function allAtOnce<T>(pieces: Pieces<T>): T {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
  }
}

/** Does it piece by piece. */
export async function pieceByPiece<T>(pieces: Pieces<T>, pause: Pause | undefined): Promise<T> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    const waiting = pause?.();
    if (waiting) await waiting;
  }
}
