import { targetNames } from '../spec/load.ts';
import { findingFormats, reportFormats } from './command.ts';
import { commandIndex } from './command-line.ts';
import { completionScripts } from './commands/completion.ts';
import { commonOptions, describeCommands, targetOptions } from './help.ts';

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
  const last = words.at(-1);
  const isValue = options.some(({ takesValue, names }) => takesValue && names.includes(last ?? ''));
  const offers = isValue
    ? (values[`${name} ${last}`] ?? values[last!] ?? (() => []))()
    : current.startsWith('-')
      ? options.flatMap(({ names, description }) => names.map(one => [one, description] as const))
      : command
        ? (values[`${name} <>`] ?? (() => ':files'))()
        : commands.map(one => [one.name, one.description] as const);
  if (typeof offers === 'string') return [[offers]];
  const completions = offers.map((offer): Completion => (typeof offer === 'string' ? [offer] : offer));
  return [...new Map(completions.map(one => [one[0], one])).values()].filter(([word]) =>
    word.startsWith(current),
  );
}
