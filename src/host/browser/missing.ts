/**
 * Browser replacement of Node modules without an equivalent: files, processes, the network. Every property is
 * a function that throws with the name of the module. Code that works on values only never calls one.
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
