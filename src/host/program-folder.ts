/**
 * The folder of the built program and its data files; chunks are in a subfolder. `undefined` when running
 * from source.
 */
export const programFolder =
  typeof __dirname === 'string' ? __dirname.replace(/[\\/]chunks$/, '') : undefined;
