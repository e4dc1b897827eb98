import type { OutputConvention } from '../generated/types/config.ts';
import type { SectionCatalogue } from '../generated/types/sections.ts';
import type { FileSpec, OptionSpec, TargetSpec } from '../generated/types/target.ts';
import type { Template } from './template.ts';

/** The content of `conventions/` at run time. */
export interface Conventions {
  readonly conventions: Readonly<Record<string, OutputConvention>>;
  readonly catalogue: SectionCatalogue;
  /** Advice for capabilities that many tools lack, by the keys of `omits`. */
  readonly omits: Readonly<Record<string, string>>;
}

/** A target spec with all references resolved. */
export interface LoadedSpec {
  readonly spec: TargetSpec;
  /** Inline templates by key: `body:<file>`. */
  readonly templates: ReadonlyMap<string, Template>;
  /** Path of the YAML file of a spec that the project defines; absent for built-in ones. */
  readonly file?: string;
}

/**
 * The part of the program that an entry of `files` contains: a collection, the main document, the private
 * notes.
 */
type FilePart = Extract<FileSpec, { readonly of: string }>['of'];

/**
 * The part of the program that an entry of `files` contains; `undefined` for an entry that is filled from
 * options.
 */
export const partOf = (file: FileSpec): FilePart | undefined => ('of' in file ? file.of : undefined);

/** The value of an option as specs refer to it. */
export const optionWord = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** What is wrong with a value of an option, as a sentence without its end; `undefined` for a valid value. */
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
