/**
 * A module of Node that a page does not have: files, processes, the network. Whatever is taken from it can be called,
 * and then says what is not there; nothing that works on values alone ever calls it.
 */
export const missingModule = (module: string): Record<string, () => never> =>
  new Proxy(
    {},
    {
      get: (_, name) =>
        function absent(): never {
          throw new Error(`${module}.${String(name)} is not there in a page`);
        },
    },
  );
