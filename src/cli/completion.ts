import { targetNames } from '../spec/load.ts';
import { findingFormats, reportFormats } from './command.ts';
import { commonOptions, describeCommands, type OptionInfo, targetOptions } from './command-info.ts';
import { completionScripts } from './completion-scripts.ts';
import { commandIndex } from './words.ts';

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
  // bash splits `--target=x` into three words.
  const [before, equals] = words.at(-1) === '=' ? [words.slice(0, -1), true] : [words, current === '='];
  const typed = equals && current === '=' ? '' : current;
  const commands = await describeCommands();
  const name = before[commandIndex(before)];
  const command = commands.find(one => one.name === name);
  const options = [...(command?.options ?? []), ...commonOptions()];
  const [, option, start] = /^(--[a-z-]+)=(.*)$/s.exec(typed) ?? [];
  const valued = option ?? before.at(-1);
  if (valued !== undefined && takesValue(valued, options)) {
    const found = valuesOf(`${name} ${valued}`, valued);
    const prefix = option === undefined ? '' : `${option}=`;
    return typeof found === 'string'
      ? [[found]]
      : matching(
          found.map(word => [prefix + word]),
          prefix + (start ?? typed),
        );
  }
  if (typed.startsWith('-')) return matching(offersOf(options), typed);
  if (!command)
    return matching(
      commands.map(one => [one.name, one.description]),
      typed,
    );
  const found = values[`${name} <>`]?.() ?? ':files';
  return typeof found === 'string'
    ? [[found]]
    : matching(
        found.map(word => [word]),
        typed,
      );
}

const takesValue = (name: string, options: readonly OptionInfo[]): boolean =>
  options.some(option => option.takesValue && option.names.includes(name));

/** The values of an option; empty when they are unknown. */
const valuesOf = (exact: string, option: string): readonly string[] | Paths =>
  (values[exact] ?? values[option])?.() ?? [];

const offersOf = (options: readonly OptionInfo[]): readonly Completion[] => [
  ...new Map(options.flatMap(({ names, description }) => names.map(name => [name, description] as const))),
];

const matching = (offers: readonly Completion[], typed: string): readonly Completion[] =>
  offers.filter(([word]) => word.startsWith(typed));
