/** The name itself when it is not taken, or else the first free one of `name-2`, `name-3`, … */
export function unusedName(
  name: string,
  isTaken: (name: string) => boolean,
  numbered: (number: number) => string = number => `${name}-${number}`,
): string {
  let free = name;
  for (let number = 2; isTaken(free); number++) free = numbered(number);
  return free;
}
