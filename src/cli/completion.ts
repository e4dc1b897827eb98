import { targetNames } from '../spec/load.ts';
import { findingFormats, reportFormats } from './command.ts';
import { commandIndex } from './command-line.ts';
import { completionScripts } from './commands/completion.ts';
import { commonOptions, describeCommands, type OptionInfo, targetOptions } from './help.ts';

/** A completion with its description. */
type Completion = readonly [word: string, description?: string];

/** Paths, which the shell completes itself. */
type Paths = ':files' | ':directories';

const targets = () => [...targetNames(new Map())];

/**
 * The values of options, by command and option or by option alone, and of the first argument of a command.
 */
const values: Readonly<Record<string, () => readonly string[] | Paths>> = {
  '--cwd': () => ':directories',
  '--config': () => ':files',
  '--output': () => ':files',
  ...Object.fromEntries(targetOptions.map(option => [option, targets])),
  '--format': () => findingFormats,
  'import --format': targets,
  'validate --format': () => reportFormats,
  'targets <>': targets,
  'completion <>': () => Object.keys(completionScripts),
};

/**
 * The output of `prs complete --current=<word> -- <words before it>` for the script of a shell: one
 * completion per line.
 */
export async function completeLine([current = '', , ...words]: readonly string[]): Promise<string> {
  const offers = await completeWords(words, current.replace('--current=', ''));
  return offers.map(offer => `${offer.join('\t')}\n`).join('');
}

/**
 * The completions of `current` after `words`. A word that begins with a colon makes the shell complete paths
 * of files or directories.
 */
async function completeWords(words: readonly string[], current: string): Promise<readonly Completion[]> {
  const commands = await describeCommands();
  const name = words[commandIndex(words)];
  const command = commands.find(one => one.name === name);
  const options = [...(command?.options ?? []), ...commonOptions()];
  const option = words.at(-1);
  if (option !== undefined && takesValue(option, options))
    return offersFor(values[`${name} ${option}`] ?? values[option] ?? (() => []), current);
  if (current.startsWith('-')) return matching(offersOf(options), current);
  if (command) return offersFor(values[`${name} <>`] ?? (() => ':files'), current);
  return matching(
    commands.map(one => [one.name, one.description]),
    current,
  );
}

function offersFor(known: () => readonly string[] | Paths, current: string): readonly Completion[] {
  const found = known();
  if (typeof found === 'string') return [[found]];
  return matching(
    found.map(word => [word]),
    current,
  );
}

const takesValue = (name: string, options: readonly OptionInfo[]): boolean =>
  options.some(option => option.takesValue && option.names.includes(name));

const offersOf = (options: readonly OptionInfo[]): readonly Completion[] => [
  ...new Map(options.flatMap(({ names, description }) => names.map(name => [name, description] as const))),
];

const matching = (offers: readonly Completion[], typed: string): readonly Completion[] =>
  offers.filter(([word]) => word.startsWith(typed));
