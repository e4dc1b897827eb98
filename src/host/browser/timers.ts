/** `node:timers` of a page. */
export const setImmediate = (work: () => void): unknown => setTimeout(work, 0);
export default { setImmediate };
