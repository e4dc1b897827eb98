import { Command } from 'clipanion';
import type { PrsCommand, PrsCommandClass } from './command.ts';

/** An option or an argument of a command, as clipanion keeps it in the field of an instance. */
interface Described {
  /** Says to a builder what words there are. */
  readonly definition: (builder: object, key: string) => void;
  /** The value of the field for the words that were found. */
  readonly transformer: (builder: object, key: string, state: object, context: object) => unknown;
}

/**
 * The command of a line in which everything is an option under its full name, with its value behind it: nearly all
 * lines. For those clipanion's machine, which takes 4 ms to put together, can only find what is found here; for every
 * other one, and for commands that something must be given, the answer is `undefined`.
 */
export function plainCommand(
  Class: PrsCommandClass,
  name: string,
  words: readonly string[],
): PrsCommand | undefined {
  const command = new Class() as PrsCommand;
  const described = Object.entries(command).filter((entry): entry is [string, Described] =>
    isOption(entry[1]),
  );
  const valuesOf = new Map<string, number>();
  let isPlain = true;
  const builder = {
    addOption({
      names,
      arity = 0,
      required = false,
    }: {
      names: string[];
      arity?: number;
      required?: boolean;
    }) {
      for (const one of names) valuesOf.set(one, arity);
      if (required || arity > 1) isPlain = false;
    },
    addPositional({ required = true }: { required?: boolean }) {
      if (required) isPlain = false;
    },
    addRest({ required = 0 }: { required?: number }) {
      if (required > 0) isPlain = false;
    },
    addProxy() {
      isPlain = false;
    },
  };
  for (const [key, { definition }] of described) definition(builder, key);
  const options: { name: string; value: string | true }[] = [];
  for (let at = 0; isPlain && at < words.length; at++) {
    const word = words[at]!;
    const count = valuesOf.get(word);
    const value = count === 1 ? words[++at] : true;
    if (
      count === undefined ||
      value === undefined ||
      value === '' ||
      (value !== true && value.startsWith('-'))
    )
      return undefined;
    options.push({ name: word, value });
  }
  if (!isPlain) return undefined;
  const state = { path: [name], positionals: [], options };
  const fields = command as unknown as Record<string, unknown>;
  for (const [key, { transformer }] of described) fields[key] = transformer(builder, key, state, {});
  command.path = [name];
  return command;
}

const { isOption: mark } = Command as unknown as { isOption: symbol };

const isOption = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as Record<symbol, unknown>)[mark] === true;
