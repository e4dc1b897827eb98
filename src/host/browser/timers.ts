/** Browser replacement of `node:timers`. */
export const setImmediate = (work: () => void): unknown => setTimeout(work, 0);
export default { setImmediate };
