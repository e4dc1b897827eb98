import type { OptionSpec } from '../generated/types/target.ts';

/** The value of an option as a word: what a spec calls it by. */
export const optionWord = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** What is wrong with a value for an option, as a sentence without its end; nothing when it may have it. */
export function optionProblem(option: OptionSpec, value: unknown): string | undefined {
  if (option.type === 'enum') {
    const values: readonly string[] = option.values ?? [];
    return values.includes(optionWord(value))
      ? undefined
      : `"${optionWord(value)}" is not one of ${values.join(', ')}`;
  }
  if (option.type === 'integer') {
    if (typeof value !== 'number' || !Number.isInteger(value))
      return `${JSON.stringify(value)} is not a whole number`;
    return option.minimum !== undefined && value < option.minimum
      ? `${value} is less than ${option.minimum}`
      : undefined;
  }
  if (option.type === 'list')
    return Array.isArray(value) && value.every(one => typeof one === 'string')
      ? undefined
      : `${JSON.stringify(value)} is not a list of names`;
  return typeof value === option.type ? undefined : `${JSON.stringify(value)} is not a ${option.type}`;
}
