export const floor = 1;
