import type { OutputConvention } from '../generated/types/config.ts';
import type { SectionCatalogue } from '../generated/types/sections.ts';
import type { FileSpec, OptionSpec, TargetSpec } from '../generated/types/target.ts';
import type { Template } from './template.ts';

/** What `conventions/` holds for all specs, as the program has it. */
export interface Conventions {
  readonly conventions: Readonly<Record<string, OutputConvention>>;
  readonly catalogue: SectionCatalogue;
  /** Advice for what many tools lack, by the keys of `omits`. */
  readonly omits: Readonly<Record<string, string>>;
}

/** A target spec with everything it names looked up. */
export interface LoadedSpec {
  readonly spec: TargetSpec;
  /** Inline templates by their place: `section:<file>:<key>` and `body:<file>`. */
  readonly templates: ReadonlyMap<string, Template>;
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Path of the YAML file for a spec of the project; absent for built-in ones. */
  readonly file?: string;
}

/** The part of the program that an entry of `files` is for: a collection, the main document, the private notes. */
type FilePart = Extract<FileSpec, { readonly of: string }>['of'];

/** What an entry of `files` is for; nothing for one that is filled from options. */
export const partOf = (file: FileSpec): FilePart | undefined => ('of' in file ? file.of : undefined);

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
