/**
 * The folder of the built program, which also holds its data files; chunks lie in a folder of their own below it.
 * Undefined where the sources run as they are.
 */
export const programFolder =
  typeof __dirname === 'string' ? __dirname.replace(/[\\/]chunks$/, '') : undefined;
