/** Work that is done one after the other; what is put again before its turn is done once. */
export class Queue {
  readonly #fail: (text: string) => void;
  readonly #waiting = new Map<string, () => Promise<void>>();
  #running: Promise<void> | undefined;

  constructor(fail: (text: string) => void) {
    this.#fail = fail;
  }

  put(key: string, work: () => Promise<void>): void {
    this.#waiting.set(key, work);
    this.#start();
  }

  /** Whether something is to be done once more. */
  awaits(key: string): boolean {
    return this.#waiting.has(key);
  }

  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Not before everything is here that an editor sends at once. */
  #start(): void {
    this.#running ??= new Promise<void>(resolve => setImmediate(resolve))
      .then(() => this.#work())
      .catch((error: unknown) =>
        this.#fail(error instanceof Error ? (error.stack ?? error.message) : String(error)),
      )
      .finally(() => {
        this.#running = undefined;
        if (this.#waiting.size > 0) this.#start();
      });
  }

  async #work(): Promise<void> {
    for (const [key, work] of [...this.#waiting]) {
      this.#waiting.delete(key);
      await work();
    }
  }
}
