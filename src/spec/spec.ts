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
 * notes; `undefined` for an entry that is filled from options.
 */
export const partOf = (file: FileSpec): Extract<FileSpec, { readonly of: string }>['of'] | undefined =>
  'of' in file ? file.of : undefined;

/** The value of an option as specs refer to it. */
export const optionWord = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

/** What is wrong with a value of an option, as a sentence without its end; `undefined` for a valid value. */
export function optionProblem(option: OptionSpec, value: unknown): string | undefined {
  const { type, minimum } = option;
  const values: readonly string[] = option.values ?? [];
  const shown = JSON.stringify(value);
  switch (type) {
    case 'enum':
      if (values.includes(optionWord(value))) return undefined;
      return `"${optionWord(value)}" is not one of ${values.join(', ')}`;
    case 'integer':
      if (!Number.isInteger(value)) return `${shown} is not a whole number`;
      return Number(value) < (minimum ?? -Infinity) ? `${shown} is less than ${minimum}` : undefined;
    case 'list':
      if (Array.isArray(value) && value.every(one => typeof one === 'string')) return undefined;
      return `${shown} is not a list of names`;
    default:
      return typeof value === type ? undefined : `${shown} is not a ${type}`;
  }
}
