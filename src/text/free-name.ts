/** A name that is free: the name itself, or else the first of `name-2`, `name-3`, … */
export function freeName(
  name: string,
  isTaken: (name: string) => boolean,
  numbered: (number: number) => string = number => `${name}-${number}`,
): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = numbered(number);
  return free;
}
