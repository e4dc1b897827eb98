/** Set by the build. */
export const version = process.env.INSTR_VERSION ?? 'development';
