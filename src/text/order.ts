/** Order by UTF-16 code unit: the same on every machine and in every locale. */
export const compareCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
